// The classification of a message: intent, urgency and sentiment, by keywords or by a language model. Requests to a
// model (`packages/connectors/src/llm`) and the score of a lead (`domain/lead`) do not belong here. Tests:
// `packages/core/test/domain/classification`.

import { Schema } from "effect"

/** Every urgency, lowest first. */
export const urgencies = ["low", "medium", "high"] as const
/** The urgency of the sender's request. */
export const Urgency = Schema.Literals(urgencies)
export type Urgency = typeof Urgency.Type

/** Every sentiment, worst first. */
export const sentiments = ["negative", "neutral", "positive"] as const
/** The feeling that the sender expresses. */
export const Sentiment = Schema.Literals(sentiments)
export type Sentiment = typeof Sentiment.Type

/**
 * The intents that the built-in classifier detects and that the score uses. A language model may return other intents.
 * They are stored, and rules can use them, but they do not affect the score.
 */
export const knownIntents = [
  "pricing",
  "booking",
  "purchase",
  "information",
  "support",
  "complaint",
  "cancellation",
  "unsubscribe",
  "spam",
  "other"
] as const

export type KnownIntent = (typeof knownIntents)[number]

/** The result of a classifier for one message. */
export const Classification = Schema.Struct({
  intent: Schema.String.annotate({
    description: "The intent in lower case, for example `pricing`, `booking`, `support` or `spam`"
  }),
  urgency: Urgency.annotate({ description: "The urgency" }),
  sentiment: Sentiment.annotate({ description: "The sentiment" }),
  summary: Schema.String.annotate({ description: "One or two sentences" }),
  confidence: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })).annotate({
    description: "From 0 (guess) to 1 (certain)"
  })
}).annotate({ identifier: "Classification" })
export type Classification = typeof Classification.Type
