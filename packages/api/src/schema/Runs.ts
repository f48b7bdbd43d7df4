import { runSteps } from "@leadloom/core/domain/run/Run"
import { Schema } from "effect"
import { Classification, Reply, Score } from "./PipelineFields.ts"
import { Timestamp } from "./Field.ts"

const Text = Schema.NullOr(Schema.String)

const Step = Schema.Struct({
  step: Schema.Literals(runSteps),
  outcome: Schema.Literals(["done", "skipped", "suppressed", "failed"]),
  reason: Schema.String
})

/** The result of one guardrail for the reply. */
const Evaluation = Schema.Struct({
  guardrail_id: Schema.String,
  kind: Schema.String,
  outcome: Schema.Literals(["allow", "require_approval", "block"]),
  reason: Schema.String
})

export const WrittenReply = Schema.Struct({
  text: Schema.String,
  channel: Schema.String,
  mode: Schema.Literals(["draft", "auto"]),
  outcome: Schema.Literals(["allow", "require_approval", "block"]),
  guardrails: Schema.Array(Evaluation)
}).annotate({
  identifier: "WrittenReply",
  description: "The generated reply, which may not have been shown to anyone"
})

const MatchedRules = Schema.Array(Schema.Struct({ rule_id: Schema.String, name: Schema.String }))

/** The cost of a model call. */
const Use = {
  model: Text,
  calls: Schema.Int,
  input_tokens: Schema.Int,
  output_tokens: Schema.Int
}

const Answer = { outcome: Schema.Literals(["answered", "failed", "skipped"]), reason: Text, ...Use }

export const RunModel = Schema.Struct({
  classification: Schema.NullOr(Schema.Struct({ ...Answer, output: Schema.NullOr(Classification) })),
  reply: Schema.NullOr(
    Schema.Struct({
      ...Answer,
      output: Schema.NullOr(Schema.Struct({ text: Schema.String, concerns: Schema.Array(Schema.String) }))
    })
  )
}).annotate({
  identifier: "RunModel",
  description: "The requests to the language model and its responses; null: no request was sent"
})

const run = {
  run_id: Schema.String,
  signal_id: Schema.String,
  message_id: Schema.String,
  contact_id: Schema.String,
  lead_id: Text,
  config_version: Schema.Int,
  created_at: Timestamp,
  classification: Schema.NullOr(Classification),
  score: Schema.NullOr(Score),
  matched_rules: MatchedRules,
  actions: Schema.Array(
    Schema.Struct({
      type: Schema.String,
      rule_id: Schema.String,
      outcome: Schema.Literals(["done", "skipped"]),
      reason: Schema.String
    })
  ),
  written: Schema.NullOr(WrittenReply),
  reply: Schema.NullOr(Reply),
  steps: Schema.Array(Step),
  model: RunModel
}

/** A stored run of the pipeline with the outcome and reason of every step. */
export const PipelineRun = Schema.Struct(run).annotate({ identifier: "PipelineRun" })

export const PipelineRunPage = Schema.Struct({
  runs: Schema.Array(PipelineRun),
  next_cursor: Text
}).annotate({ identifier: "PipelineRunPage" })

const Inputs = Schema.Struct({
  tenant_name: Schema.String,
  contact: Schema.Struct({ name: Text, email: Text, phone: Text, company: Text, tags: Schema.Array(Schema.String) }),
  contact_is_new: Schema.Boolean,
  lead: Schema.NullOr(
    Schema.Struct({ state: Schema.String, source: Schema.String, assignee: Text, created_at: Timestamp })
  ),
  lead_is_new: Schema.Boolean,
  overtaken: Schema.Boolean.annotate({ description: "Whether the contact had already sent a newer message" }),
  replies_today: Schema.Int.annotate({ description: "The assistant's messages in the preceding 24 hours" }),
  last_by_person_at: Schema.NullOr(Timestamp),
  model_configured: Schema.Boolean,
  now: Timestamp
}).annotate({ identifier: "RunInputs" })

const RunMessage = Schema.Struct({
  subject: Text,
  body: Schema.String,
  channel: Schema.String,
  source: Schema.String,
  from: Text,
  timestamp: Timestamp
}).annotate({ identifier: "RunMessage" })

const RuleStory = Schema.Struct({
  rule_id: Schema.String,
  name: Schema.String,
  outcome: Schema.Literals(["matched", "not_matched", "disabled", "not_asked"]),
  reason: Schema.String
}).annotate({ identifier: "RuleStory" })

/** A pipeline run with all its inputs. */
export const PipelineRunDetail = Schema.Struct({
  ...run,
  message: Schema.NullOr(RunMessage),
  inputs: Schema.NullOr(Inputs).annotate({ description: "null: the run was made before inputs were stored" }),
  facts: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  rules: Schema.NullOr(Schema.Array(RuleStory)).annotate({
    description: "Every rule of the configuration at the time of the run, in the order of evaluation"
  })
}).annotate({ identifier: "PipelineRunDetail" })

/** The decisions of a run, without the results of its actions. */
const Decided = Schema.Struct({
  classification: Schema.NullOr(Classification),
  score: Schema.NullOr(Score),
  matched_rules: MatchedRules,
  actions: Schema.Array(Schema.Struct({ type: Schema.String, rule_id: Schema.String })),
  written: Schema.NullOr(WrittenReply),
  steps: Schema.Array(Step)
}).annotate({ identifier: "RunDecided" })

export const RunReplay = Schema.Struct({
  run_id: Schema.String,
  signal_id: Schema.String,
  config_version: Schema.Int,
  identical: Schema.Boolean.annotate({
    description:
      "Whether both results are byte-identical as canonical JSON. Reasons are compared by code and parameters. A reason that an older release stored only as text is not compared"
  }),
  differences: Schema.Array(
    Schema.Struct({
      part: Schema.Literals(["classification", "score", "matched_rules", "actions", "written", "steps"]),
      stored: Schema.String.annotate({ description: "Canonical JSON" }),
      replayed: Schema.String
    })
  ),
  result: Decided
}).annotate({ identifier: "RunReplay" })
