import { Score as ScoreNoun } from "@leadloom/core/domain/lead/Score"
import { RunReply } from "@leadloom/core/domain/run/Run"
import { Schema } from "effect"
import { wire } from "./Wire.ts"

export const Classification = Schema.Struct({
  intent: Schema.String,
  urgency: Schema.String,
  sentiment: Schema.String,
  summary: Schema.String,
  confidence: Schema.Finite
}).annotate({ identifier: "Classification" })

export const { schema: Score, toJson: scoreToJson } = wire(ScoreNoun, "Score", { schemas: { tier: Schema.String } })

export const { schema: Reply, toJson: replyToJson } = wire(RunReply, "Reply", {})
