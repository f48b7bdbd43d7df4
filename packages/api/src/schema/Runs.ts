import { Message } from "@leadloom/core/internal/domain/conversation/Message"
import { Lead } from "@leadloom/core/internal/domain/lead/Lead"
import { MatchedRule, RunAction, RunHead, runSteps } from "@leadloom/core/internal/domain/run/Run"
import { RunInputs } from "@leadloom/core/internal/domain/run/RunSubject"
import { RuleStory as RuleStoryNoun } from "@leadloom/core/internal/workflow/pipeline/ExplainRun"
import { Schema } from "effect"
import { Classification, Reply, Score } from "./PipelineFields.ts"
import { computed, orNull, wire } from "./Wire.ts"
import { nextCursor } from "./Field.ts"

const Text = Schema.NullOr(Schema.String)

const Step = Schema.Struct({
  step: Schema.Literals(runSteps).annotate({ description: "The step of the run" }),
  outcome: Schema.Literals(["done", "skipped", "suppressed", "failed"]).annotate({
    description:
      "`skipped`: the step did not apply; `suppressed`: a rule or guardrail prevented it; `failed`: it could not be completed"
  }),
  reason: Schema.String.annotate({ description: "Why the step ended so" }),
  codes: Schema.Array(Schema.String).annotate({
    description:
      "The code of the reason, followed by the codes of its causes and effects. `docs/reference/reasons.md` explains them"
  })
})

/** The result of one guardrail for the reply. */
const Evaluation = Schema.Struct({
  guardrail_id: Schema.String.annotate({ description: "The id of the guardrail" }),
  kind: Schema.String.annotate({ description: "The kind of the guardrail" }),
  outcome: Schema.Literals(["allow", "require_approval", "block"]).annotate({
    description: "The result of the guardrail"
  }),
  reason: Schema.String.annotate({ description: "Why the guardrail decided so" }),
  code: Schema.String.annotate({ description: "The code of the reason" })
})

export const WrittenReply = Schema.Struct({
  text: Schema.String.annotate({ description: "The text of the reply" }),
  channel: Schema.String.annotate({ description: "The channel of the reply" }),
  mode: Schema.Literals(["draft", "auto"]).annotate({
    description: "`auto`: the reply is sent unless a guardrail objects; `draft`: it waits for a person"
  }),
  outcome: Schema.Literals(["allow", "require_approval", "block"]).annotate({
    description: "The strictest result of all guardrails"
  }),
  guardrails: Schema.Array(Evaluation).annotate({ description: "The results of the guardrails" })
}).annotate({
  identifier: "WrittenReply",
  description: "The generated reply, which may not have been shown to anyone"
})

export const { schema: RunRule, toJson: ruleToJson } = wire(MatchedRule, null, {})
export const { schema: Action, toJson: actionToJson } = wire(RunAction, null, {})

/** The cost of a model call. */
const Use = {
  model: Text.annotate({ description: "The name of the model; null: not reported" }),
  calls: Schema.Int.annotate({ description: "The number of requests to the model" }),
  input_tokens: Schema.Int.annotate({ description: "Tokens that the model received" }),
  output_tokens: Schema.Int.annotate({ description: "Tokens that the model generated" })
}

const Answer = {
  outcome: Schema.Literals(["answered", "failed", "skipped"]).annotate({
    description: "`answered`: the model responded; `skipped`: it was not asked"
  }),
  reason: Text.annotate({ description: "Why the model was not asked or failed; null: it answered" }),
  ...Use
}

export const RunModel = Schema.Struct({
  classification: Schema.NullOr(
    Schema.Struct({
      ...Answer,
      output: Schema.NullOr(Classification).annotate({ description: "The classification; null: no usable response" })
    })
  ).annotate({ description: "The request for a classification; null: none was sent" }),
  reply: Schema.NullOr(
    Schema.Struct({
      ...Answer,
      output: Schema.NullOr(
        Schema.Struct({
          text: Schema.String.annotate({ description: "The text of the reply" }),
          concerns: Schema.Array(Schema.String).annotate({
            description: "Doubts about the reply that the model stated"
          })
        })
      ).annotate({ description: "The generated text; null: no usable response" })
    })
  ).annotate({ description: "The request for a reply; null: none was sent" })
}).annotate({
  identifier: "RunModel",
  description: "The requests to the language model and its responses; null: no request was sent"
})

const head = wire(RunHead, null, { omit: ["tenantId"] })

/** Encodes the identity of a run. */
export const runHeadToJson = head.toJson

/** The maximum length of an excerpt in characters. */
export const maxExcerptLength = 120

const run = {
  ...head.schema.fields,
  channel: Text.annotate({ description: "The channel of the message; null: it was erased" }),
  contact_name: Text.annotate({
    description: "The name, address or number of the sender at the time of the run; null: unknown"
  }),
  excerpt: Text.annotate({ description: "The start of the message; null: it was erased" }),
  classification: Schema.NullOr(Classification).annotate({
    description: "The classification of the message; null: the step was skipped or failed"
  }),
  score: Schema.NullOr(Score).annotate({ description: "The score of the message; null: the step was skipped" }),
  matched_rules: Schema.Array(RunRule).annotate({ description: "The matched rules in the order of evaluation" }),
  actions: Schema.Array(Action).annotate({ description: "The actions of the matched rules and their results" }),
  written: Schema.NullOr(WrittenReply).annotate({
    description: "The reply that was written, even if it was held back; null: none was written"
  }),
  reply: Schema.NullOr(Reply).annotate({
    description: "The reply that was accepted for sending or approval; null: none"
  }),
  steps: Schema.Array(Step).annotate({ description: "The steps in the order of the run" }),
  model: RunModel.pipe(Schema.annotateKey({ description: "The requests to the language model" }))
}

/** A stored run of the pipeline with the outcome and reason of every step. */
export const PipelineRun = Schema.Struct(run).annotate({
  identifier: "PipelineRun",
  description: "A stored run of the pipeline with the outcome and reason of every step"
})

export const PipelineRunPage = Schema.Struct({
  runs: Schema.Array(PipelineRun).annotate({ description: "The runs, newest message first" }),
  next_cursor: nextCursor
}).annotate({ identifier: "PipelineRunPage", description: "A page of runs" })

const runLead = wire(Lead, null, {
  pick: ["state", "source", "assignee", "createdAt"],
  schemas: { state: Schema.String }
})

export const { schema: Inputs, toJson: inputsToJson } = wire(RunInputs, "RunInputs", {
  description: "The state that the run decided on",
  omit: ["keywordsVersion", "lead", "outOfTime", "recordFacts"],
  computed: {
    keywords_version: computed(
      Schema.Int.annotate({
        description: "The version of the built-in classifier. It classified the message if the tenant uses `keywords`"
      }),
      ({ keywordsVersion }) => keywordsVersion ?? 1
    ),
    lead: computed(
      Schema.NullOr(runLead.schema).annotate({ description: "The lead at the time of the run; null: none" }),
      ({ lead }) => orNull(lead, runLead.toJson)
    )
  }
})

export const { schema: RunMessage, toJson: runMessageToJson } = wire(Message, "RunMessage", {
  description: "The message that the run processed",
  pick: ["subject", "body", "channel", "source", "from", "timestamp"],
  schemas: { channel: Schema.String.annotate({ description: "The channel of the message" }) }
})

export const { schema: RuleStory, toJson: ruleStoryToJson } = wire(RuleStoryNoun, "RuleStory", {
  description: "The result of one rule and its reason"
})

/** A pipeline run with all its inputs. */
export const PipelineRunDetail = Schema.Struct({
  ...run,
  message: Schema.NullOr(RunMessage).annotate({
    description: "The processed message; null: it was erased or not stored"
  }),
  inputs: Schema.NullOr(Inputs).annotate({ description: "null: the run was made before inputs were stored" }),
  facts: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotate({
    description: "The facts that the rules compared, by name; null: the run was made before inputs were stored"
  }),
  rules: Schema.NullOr(Schema.Array(RuleStory)).annotate({
    description: "Every rule of the configuration at the time of the run, in the order of evaluation"
  })
}).annotate({ identifier: "PipelineRunDetail", description: "A pipeline run with all its inputs" })

/** An action of a decision, which was not carried out. */
export const { schema: DecidedAction, toJson: decidedActionToJson } = wire(RunAction, null, {
  pick: ["type", "ruleId"]
})

/** The decisions of a run, without their effects. */
const Decided = Schema.Struct({
  classification: Schema.NullOr(Classification).annotate({
    description: "The classification of the message; null: the step was skipped or failed"
  }),
  score: Schema.NullOr(Score).annotate({ description: "The score of the message; null: the step was skipped" }),
  matched_rules: Schema.Array(RunRule).annotate({ description: "The matched rules in the order of evaluation" }),
  actions: Schema.Array(DecidedAction).annotate({ description: "The actions that the rules requested" }),
  written: Schema.NullOr(WrittenReply).annotate({ description: "The reply that was written; null: none" }),
  steps: Schema.Array(Step).annotate({ description: "The steps in the order of the run" })
}).annotate({ identifier: "RunDecided", description: "The decisions of a run, without their effects" })

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
      part: Schema.Literals(["classification", "score", "matched_rules", "actions", "written", "steps"]).annotate({
        description: "The part of the result"
      }),
      stored: Schema.String.annotate({ description: "Canonical JSON" }),
      replayed: Schema.String.annotate({ description: "Canonical JSON of the repeated decision" })
    })
  ).annotate({ description: "The parts that differ; empty: the replay is identical" }),
  result: Decided.pipe(Schema.annotateKey({ description: "The result of the repetition" }))
}).annotate({ identifier: "RunReplay", description: "The result of repeating a run from its stored inputs" })
