import { Message } from "@leadloom/core/domain/conversation/Message"
import { Lead } from "@leadloom/core/domain/lead/Lead"
import { MatchedRule, RunAction, RunHead, runSteps } from "@leadloom/core/domain/run/Run"
import { RunInputs } from "@leadloom/core/domain/run/RunSubject"
import { RuleStory as RuleStoryNoun } from "@leadloom/core/workflow/pipeline/ExplainRun"
import { Schema } from "effect"
import { Classification, Reply, Score } from "./PipelineFields.ts"
import { computed, orNull, wire } from "./Wire.ts"

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

export const { schema: RunRule, toJson: ruleToJson } = wire(MatchedRule, null, {})
export const { schema: Action, toJson: actionToJson } = wire(RunAction, null, {})

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

const head = wire(RunHead, null, { omit: ["tenantId"] })

/** Encodes the identity of a run. */
export const runHeadToJson = head.toJson

const run = {
  ...head.schema.fields,
  classification: Schema.NullOr(Classification),
  score: Schema.NullOr(Score),
  matched_rules: Schema.Array(RunRule),
  actions: Schema.Array(Action),
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

const runLead = wire(Lead, null, {
  pick: ["state", "source", "assignee", "createdAt"],
  schemas: { state: Schema.String }
})

export const { schema: Inputs, toJson: inputsToJson } = wire(RunInputs, "RunInputs", {
  omit: ["lead", "outOfTime"],
  computed: {
    lead: computed(Schema.NullOr(runLead.schema), ({ lead }) => orNull(lead, runLead.toJson))
  }
})

export const { schema: RunMessage, toJson: runMessageToJson } = wire(Message, "RunMessage", {
  pick: ["subject", "body", "channel", "source", "from", "timestamp"],
  schemas: { channel: Schema.String }
})

export const { schema: RuleStory, toJson: ruleStoryToJson } = wire(RuleStoryNoun, "RuleStory", {})

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

/** An action of a decision, which was not carried out. */
export const { schema: DecidedAction, toJson: decidedActionToJson } = wire(RunAction, null, {
  pick: ["type", "ruleId"]
})

/** The decisions of a run, without their effects. */
const Decided = Schema.Struct({
  classification: Schema.NullOr(Classification),
  score: Schema.NullOr(Score),
  matched_rules: Schema.Array(RunRule),
  actions: Schema.Array(DecidedAction),
  written: Schema.NullOr(WrittenReply),
  steps: Schema.Array(Step)
}).annotate({ identifier: "RunDecided" })

const replayed = wire(RunHead, null, { pick: ["runId", "signalId", "configVersion"] })

/** Encodes the identity of a replayed run. */
export const replayedToJson = replayed.toJson

export const RunReplay = Schema.Struct({
  ...replayed.schema.fields,
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
