import { Schema } from "effect"

export const Classification = Schema.Struct({
  intent: Schema.String,
  urgency: Schema.String,
  sentiment: Schema.String,
  summary: Schema.String,
  confidence: Schema.Finite
}).annotate({ identifier: "Classification" })

export const Score = Schema.Struct({
  score: Schema.Finite,
  tier: Schema.String,
  recommended_actions: Schema.Array(Schema.String),
  factors: Schema.Array(Schema.Struct({ name: Schema.String, points: Schema.Finite }))
}).annotate({ identifier: "Score" })

export const Reply = Schema.Struct({
  text: Schema.String,
  channel: Schema.String,
  requires_approval: Schema.Boolean
}).annotate({ identifier: "Reply" })
