import { Schema } from "effect"

/** Every urgency, least first. */
export const urgencies = ["low", "medium", "high"] as const
/** How soon somebody wants an answer. */
export const Urgency = Schema.Literals(urgencies)
export type Urgency = typeof Urgency.Type

/** Every sentiment, worst first. */
export const sentiments = ["negative", "neutral", "positive"] as const
/** How somebody feels about it. */
export const Sentiment = Schema.Literals(sentiments)
export type Sentiment = typeof Sentiment.Type

/**
 * Intents that the built-in classifier finds and the score knows. A language model may name others; they are kept, can
 * be used in rules, and do not move the score.
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

/** One of `knownIntents`. */
export type KnownIntent = (typeof knownIntents)[number]

/** What a message is about, as a classifier sees it. */
export const Classification = Schema.Struct({
  /** Lower case, one of `knownIntents` where one fits. */
  intent: Schema.String,
  urgency: Urgency,
  sentiment: Sentiment,
  /** One or two sentences. */
  summary: Schema.String,
  /** 0 (a guess) to 1 (certain). */
  confidence: Schema.Number.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
}).annotate({ identifier: "Classification" })
export type Classification = typeof Classification.Type
