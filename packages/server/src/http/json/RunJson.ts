import { isoTime } from "@leadloom/api/schema/Field"
import type * as Wire from "@leadloom/api/schema/Runs"
import type { Message } from "@leadloom/core/domain/conversation/Message"
import type { RuleStory } from "@leadloom/core/workflow/pipeline/ExplainRun"
import type { Facts } from "@leadloom/core/domain/rule/Fact"
import type { ModelUse, Recorded } from "@leadloom/core/domain/classification/Model"
import { describeReason } from "@leadloom/core/domain/reason/Reason"
import type { CheckedReply, ModelNotCalled, Recordings } from "@leadloom/core/domain/run/Recordings"
import type { DecisionSummary, Replay, RunDifference } from "@leadloom/core/workflow/pipeline/ReplayRun"
import { type Run, type RunResult, type RunStep, stepText, type WeighedReply } from "@leadloom/core/domain/run/Run"
import type { RunInputs } from "@leadloom/core/domain/run/RunSubject"
import { orNull, replyToJson, scoreToJson } from "./PipelineJson.ts"

type RunFields = typeof Wire.PipelineRun.Type

const writtenToJson = ({ evaluations, ...written }: WeighedReply): typeof Wire.WrittenReply.Type => ({
  text: written.text,
  channel: written.channel,
  mode: written.mode,
  outcome: written.outcome,
  guardrails: evaluations.map(({ guardrailId, kind, outcome, reason }) => ({
    guardrail_id: guardrailId,
    kind,
    outcome,
    reason: describeReason(reason)
  }))
})

const rulesToJson = (rules: RunResult["matchedRules"]) => rules.map(({ name, ruleId }) => ({ rule_id: ruleId, name }))

const stepToJson = (step: RunStep) => ({ step: step.step, outcome: step.outcome, reason: stepText(step) })

const useToJson = (use: ModelUse | null) => ({
  model: use?.model ?? null,
  calls: use?.calls ?? 0,
  input_tokens: use?.inputTokens ?? 0,
  output_tokens: use?.outputTokens ?? 0
})

const answerToJson = <A, B>(recorded: Recorded<A> | ModelNotCalled, encode: (value: A) => B) => {
  const { outcome } = recorded
  if (recorded.outcome === "answered") {
    return { outcome, reason: null, ...useToJson(recorded.use), output: encode(recorded.value) }
  }
  if (recorded.outcome === "failed") {
    return { outcome, reason: recorded.reason, ...useToJson(recorded.use), output: null }
  }
  return { outcome, reason: describeReason(recorded.reason), ...useToJson(null), output: null }
}

const checkedToJson = ({ concerns, text }: CheckedReply) => ({
  text,
  concerns: concerns.map((one) => describeReason(one))
})

const modelToJson = ({ classification, reply }: Recordings): typeof Wire.RunModel.Type => ({
  classification: orNull(classification, (answer) => answerToJson(answer, (value) => value)),
  reply: orNull(reply, (answer) => answerToJson(answer, checkedToJson))
})

/** Encodes a stored run for lists. */
export const runToJson = (run: Run): RunFields => ({
  run_id: run.runId,
  signal_id: run.signalId,
  message_id: run.messageId,
  contact_id: run.contactId,
  lead_id: run.leadId,
  config_version: run.configVersion,
  created_at: isoTime(run.createdAt),
  classification: run.classification,
  score: orNull(run.score, scoreToJson),
  matched_rules: rulesToJson(run.matchedRules),
  actions: run.actions.map(({ outcome, reason, ruleId, type }) => ({ type, rule_id: ruleId, outcome, reason })),
  written: orNull(run.written, writtenToJson),
  reply: orNull(run.reply, replyToJson),
  steps: run.steps.map(stepToJson),
  model: modelToJson(run.recordings)
})

const inputsToJson = (inputs: RunInputs) => ({
  tenant_name: inputs.tenantName,
  contact: inputs.contact,
  contact_is_new: inputs.contactIsNew,
  lead: orNull(inputs.lead, ({ assignee, createdAt, source, state }) => {
    return { state, source, assignee, created_at: isoTime(createdAt) }
  }),
  lead_is_new: inputs.leadIsNew,
  overtaken: inputs.overtaken,
  replies_today: inputs.repliesToday,
  last_by_person_at: orNull(inputs.lastByPersonAt, isoTime),
  model_configured: inputs.modelConfigured,
  now: isoTime(inputs.now)
})

const messageToJson = ({ body, channel, from, source, subject, timestamp }: Message) => ({
  subject,
  body,
  channel,
  source,
  from,
  timestamp: isoTime(timestamp)
})

/** Encodes a stored run with all its details. */
export const runDetailToJson = (of: {
  readonly run: Run
  readonly message: Message | null
  readonly facts: Facts | null
  readonly rules: ReadonlyArray<RuleStory> | null
}): typeof Wire.PipelineRunDetail.Type => ({
  ...runToJson(of.run),
  message: orNull(of.message, messageToJson),
  inputs: orNull(of.run.inputs, inputsToJson),
  facts: of.facts,
  rules: orNull(of.rules, (rules) =>
    rules.map(({ name, outcome, reason, ruleId }) => ({ rule_id: ruleId, name, outcome, reason }))
  )
})

const partToJson = ({ part, replayed, stored }: RunDifference) => ({
  part: part === "matchedRules" ? ("matched_rules" as const) : part,
  stored,
  replayed
})

const decidedToJson = (decided: DecisionSummary) => ({
  classification: decided.classification,
  score: orNull(decided.score, scoreToJson),
  matched_rules: rulesToJson(decided.matchedRules),
  actions: decided.actions.map(({ ruleId, type }) => ({ type, rule_id: ruleId })),
  written: orNull(decided.written, writtenToJson),
  steps: decided.steps.map(stepToJson)
})

/** Encodes the decision of a replayed run. */
export const replayToJson = ({ configVersion, runId, signalId }: Run, replay: Replay): typeof Wire.RunReplay.Type => ({
  run_id: runId,
  signal_id: signalId,
  config_version: configVersion,
  identical: replay.identical,
  differences: replay.differences.map(partToJson),
  result: decidedToJson(replay.decided)
})
