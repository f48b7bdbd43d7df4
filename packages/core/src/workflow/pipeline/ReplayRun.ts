import { Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { canonical, isJson } from "../../domain/text/Json.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { compileConfig } from "../../domain/tenant/CompiledConfigs.ts"
import { decideWith, type RunDecision } from "./DecideRun.ts"
import { readRun } from "./Runs.ts"
import type { Run, RunResult } from "../../domain/run/Run.ts"
import { subjectOfInputs } from "../../domain/run/RunSubject.ts"
import { withSpan } from "../WithSpan.ts"

/** The run cannot be replayed, because a part of its inputs is missing. `reason` names the missing part. */
export class RunNotReplayable extends TaggedError("RunNotReplayable")<{
  readonly signalId: string
  readonly reason: string
}> {}

/** The decision of a run without its effects. */
export type DecisionSummary = Pick<RunResult, "classification" | "score" | "matchedRules" | "written" | "steps"> & {
  readonly actions: ReadonlyArray<{ readonly type: string; readonly ruleId: string }>
}

/** A part of the decision that differs in the replay. Both values are JSON. */
export interface RunDifference {
  readonly part: keyof DecisionSummary
  readonly stored: string
  readonly replayed: string
}

/** The decision of a replay, and its comparison with the stored decision. */
export interface Replay {
  /** True when both decisions have the same canonical JSON, in the parts that `compareDecisions` compares. */
  readonly identical: boolean
  readonly differences: ReadonlyArray<RunDifference>
  readonly decided: DecisionSummary
}

/** Returns the decision part of a stored run. */
export const summarizeRun = (run: RunResult): DecisionSummary => ({
  classification: run.classification,
  score: run.score,
  matchedRules: run.matchedRules,
  actions: run.actions.map(({ ruleId, type }) => ({ type, ruleId })),
  written: run.written,
  steps: run.steps.flatMap(({ outcome, reason, step }) => (step === "act" ? [] : [{ step, outcome, reason }]))
})

/** Returns the same summary for a decision that has not been carried out. */
export const summarizeDecision = (decision: RunDecision): DecisionSummary => ({
  classification: decision.classification,
  score: decision.score,
  matchedRules: decision.matchedRules,
  actions: decision.wanted.map(({ action, ruleId }) => ({ type: action.type, ruleId })),
  written: decision.written,
  steps: decision.steps
})

const parts = [
  "classification",
  "score",
  "matchedRules",
  "actions",
  "written",
  "steps"
] as const satisfies ReadonlyArray<keyof DecisionSummary>

/** Converts a value to canonical JSON, so that differences between databases do not affect the comparison. */
const textOf = (value: unknown): string => {
  const json: unknown = JSON.parse(JSON.stringify(value))
  if (!isJson(json)) throw new Error("The decision contains a value that JSON cannot represent.")
  return canonical(json)
}

/** Removes all reasons, because older releases stored them only as text. */
const withoutReasons = ({ steps, written, ...decision }: DecisionSummary) => ({
  ...decision,
  written: written && { ...written, evaluations: written.evaluations.map(({ reason: _, ...one }) => one) },
  steps: steps.map(({ outcome, step }) => ({ step, outcome }))
})

/**
 * Returns the parts in which two decisions differ. Reasons are compared by code and parameters. A run that an older
 * release stored has only their texts, so the comparison ignores its reasons.
 */
export const compareDecisions = (stored: DecisionSummary, replayed: DecisionSummary): ReadonlyArray<RunDifference> => {
  const hasTextsOnly = stored.steps.some(({ reason }) => reason.code === "stored_text")
  const [one, other] = hasTextsOnly ? [withoutReasons(stored), withoutReasons(replayed)] : [stored, replayed]
  return parts.flatMap((part) => {
    const [before, after] = [textOf(one[part]), textOf(other[part])]
    return before === after ? [] : [{ part, stored: before, replayed: after }]
  })
}

/** Returns the subject of a stored run, with the configuration and the inputs of the time of the run. */
export const subjectOfRun = Effect.fnUntraced(function* (tenant: Tenant, run: Run) {
  const { inputs, messageId, signalId } = run
  const missing = (reason: string) => new RunNotReplayable({ signalId, reason })
  if (inputs === null) return yield* missing("An older version of the server stored this run without its inputs.")
  const message = yield* (yield* Messages).find(tenant.tenantId, messageId)
  if (message === null) return yield* missing("Its message no longer exists.")
  const config = yield* (yield* Tenants).configAt(tenant.tenantId, run.configVersion)
  if (config === null) return yield* missing(`Version ${run.configVersion} of the configuration no longer exists.`)
  return subjectOfInputs({ ...tenant, config, configVersion: run.configVersion }, message, inputs)
})

/** The configurations with which a run can be decided again: that of the run, and the current one. */
export const replayConfigs = ["recorded", "current"] as const

/**
 * Decides a stored run again, with the inputs and the model answers of the time of the run. Asks no model and writes
 * nothing.
 */
export const replayRun = Effect.fnUntraced(function* (
  tenant: Tenant,
  id: string,
  config: (typeof replayConfigs)[number] = "recorded"
) {
  const run = yield* readRun(tenant.tenantId, id)
  const recorded = yield* subjectOfRun(tenant, run)
  const current = { ...recorded.tenant, config: tenant.config, configVersion: tenant.configVersion }
  const subject = config === "recorded" ? recorded : { ...recorded, tenant: current }
  const decision = yield* decideWith(compileConfig(subject.tenant.config), subject, run.recordings)
  const decided = summarizeDecision(decision)
  const differences = compareDecisions(summarizeRun(run), decided)
  const replay: Replay = { identical: differences.length === 0, differences, decided }
  return { run, configVersion: subject.tenant.configVersion, replay }
}, withSpan("replayRun"))
