import { replyToJson, scoreToJson } from "@leadloom/api/internal/schema/PipelineFields"
import * as Wire from "@leadloom/api/internal/schema/Runs"
import { orNull } from "@leadloom/api/internal/schema/Wire"
import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import type { RuleStory } from "@leadloom/core/internal/workflow/pipeline/ExplainRun"
import type { Facts } from "@leadloom/core/internal/domain/rule/Fact"
import type { ModelUse, Recorded } from "@leadloom/core/internal/domain/classification/Model"
import { codesOf, describeReason } from "@leadloom/core/internal/domain/reason/Reason"
import type { CheckedReply, ModelNotCalled, Recordings } from "@leadloom/core/internal/domain/run/Recordings"
import type { DecisionSummary, Replay, RunDifference } from "@leadloom/core/internal/workflow/pipeline/ReplayRun"
import type { ListedRun } from "@leadloom/core/internal/workflow/pipeline/Runs"
import { type Run, type RunStep, stepText, type WeighedReply } from "@leadloom/core/internal/domain/run/Run"

const writtenToJson = ({ evaluations, ...written }: WeighedReply): typeof Wire.WrittenReply.Type => ({
  text: written.text,
  channel: written.channel,
  mode: written.mode,
  outcome: written.outcome,
  guardrails: evaluations.map(({ guardrailId, kind, outcome, reason }) => ({
    guardrail_id: guardrailId,
    kind,
    outcome,
    reason: describeReason(reason),
    code: reason.code
  }))
})

const stepToJson = (step: RunStep) => ({
  step: step.step,
  outcome: step.outcome,
  reason: stepText(step),
  codes: [step.reason, ...(step.afterwards === undefined ? [] : [step.afterwards])].flatMap(codesOf)
})

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

const senderOf = ({ inputs }: Run): string | null => {
  const { email = null, name = null, phone = null } = inputs?.contact ?? {}
  return name ?? email ?? phone
}

/** Encodes a stored run for lists. */
export const runToJson = ({ message, run }: ListedRun): typeof Wire.PipelineRun.Type => ({
  ...Wire.runHeadToJson(run),
  channel: message?.channel ?? null,
  contact_name: senderOf(run),
  excerpt: message?.body.slice(0, Wire.maxExcerptLength) ?? null,
  classification: run.classification,
  score: orNull(run.score, scoreToJson),
  matched_rules: run.matchedRules.map(Wire.ruleToJson),
  actions: run.actions.map(Wire.actionToJson),
  written: orNull(run.written, writtenToJson),
  reply: orNull(run.reply, replyToJson),
  steps: run.steps.map(stepToJson),
  model: modelToJson(run.recordings)
})

/** Encodes a stored run with all its details. */
export const runDetailToJson = (of: {
  readonly run: Run
  readonly message: Message | null
  readonly facts: Facts | null
  readonly rules: ReadonlyArray<RuleStory> | null
}): typeof Wire.PipelineRunDetail.Type => ({
  ...runToJson(of),
  message: orNull(of.message, Wire.runMessageToJson),
  inputs: orNull(of.run.inputs, Wire.inputsToJson),
  facts: of.facts,
  rules: orNull(of.rules, (rules) => rules.map(Wire.ruleStoryToJson))
})

const partToJson = ({ part, replayed, stored }: RunDifference) => ({
  part: part === "matchedRules" ? ("matched_rules" as const) : part,
  stored,
  replayed
})

const decidedToJson = (decided: DecisionSummary) => ({
  classification: decided.classification,
  score: orNull(decided.score, scoreToJson),
  matched_rules: decided.matchedRules.map(Wire.ruleToJson),
  actions: decided.actions.map(Wire.decidedActionToJson),
  written: orNull(decided.written, writtenToJson),
  steps: decided.steps.map(stepToJson)
})

/** Encodes the decision of a replayed run. */
export const replayToJson = (run: Run, configVersion: number, replay: Replay): typeof Wire.RunReplay.Type => ({
  ...Wire.replayedToJson({ ...run, configVersion }),
  identical: replay.identical,
  differences: replay.differences.map(partToJson),
  result: decidedToJson(replay.decided)
})
