import { Score as ScoreNoun } from "@leadloom/core/internal/domain/lead/Score"
import { RunReply } from "@leadloom/core/internal/domain/run/Run"
import { Schema } from "effect"
import { wire } from "./Wire.ts"

export const Classification = Schema.Struct({
  intent: Schema.String.annotate({
    description: "The intent in lower case, for example `pricing`, `booking`, `support` or `spam`"
  }),
  urgency: Schema.String.annotate({ description: "`low`, `medium` or `high`" }),
  sentiment: Schema.String.annotate({ description: "`negative`, `neutral` or `positive`" }),
  summary: Schema.String.annotate({ description: "One or two sentences" }),
  confidence: Schema.Finite.annotate({ description: "From 0 (guess) to 1 (certain)" })
}).annotate({
  identifier: "Classification",
  description: "The meaning of a message, from the language model or the keyword classifier"
})

export const { schema: Score, toJson: scoreToJson } = wire(ScoreNoun, "Score", {
  description: "The score of a message with its reasons",
  schemas: { tier: Schema.String }
})

export const { schema: Reply, toJson: replyToJson } = wire(RunReply, "Reply", {
  description: "The reply of a run. It may wait for approval"
})
