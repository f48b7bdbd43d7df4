import { Data, Effect } from "effect"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { canonical, isJson } from "../../domain/text/Json.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { compileConfig } from "../../domain/tenant/CompiledConfigs.ts"
import { decideWith, type RunDecision } from "./DecideRun.ts"
import { readRun } from "./Runs.ts"
import type { Run, RunResult } from "../../domain/run/Run.ts"
import { subjectOfInputs } from "../../domain/run/RunSubject.ts"

/** What it was made from is not all there any more, or never was; `reason` says what is missing. */
export class RunNotReplayable extends Data.TaggedError("RunNotReplayable")<{
  readonly signalId: string
  readonly reason: string
}> {}

/** What a run decided, apart from what came of it. */
export type DecisionSummary = Pick<RunResult, "classification" | "score" | "matchedRules" | "written" | "steps"> & {
  readonly actions: ReadonlyArray<{ readonly type: string; readonly ruleId: string }>
}

/** A part of the decision that came out otherwise, as JSON. */
export interface RunDifference {
  readonly part: keyof DecisionSummary
  readonly stored: string
  readonly replayed: string
}

/** What a run decides when it is run again. */
export interface Replay {
  /** The same to the byte, as canonical JSON. */
  readonly identical: boolean
  readonly differences: ReadonlyArray<RunDifference>
  readonly decided: DecisionSummary
}

/** What a stored run decided. */
export const summarizeRun = (run: RunResult): DecisionSummary => ({
  classification: run.classification,
  score: run.score,
  matchedRules: run.matchedRules,
  actions: run.actions.map(({ ruleId, type }) => ({ type, ruleId })),
  written: run.written,
  steps: run.steps.flatMap(({ outcome, reason, step }) => (step === "act" ? [] : [{ step, outcome, reason }]))
})

/** The same of a decision that has not been carried out. */
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

/** One text for one value, whatever database kept it. */
const textOf = (value: unknown): string => {
  const json: unknown = JSON.parse(JSON.stringify(value))
  if (!isJson(json)) throw new Error("A decision is more than JSON can say.")
  return canonical(json)
}

/** Where two decisions are not the same. */
export const compareDecisions = (stored: DecisionSummary, replayed: DecisionSummary): ReadonlyArray<RunDifference> =>
  parts.flatMap((part) => {
    const [before, after] = [textOf(stored[part]), textOf(replayed[part])]
    return before === after ? [] : [{ part, stored: before, replayed: after }]
  })

/** What a run was made from, as it stood then. */
export const subjectOfRun = Effect.fnUntraced(function* (tenant: Tenant, run: Run) {
  const { inputs, messageId, signalId } = run
  const missing = (reason: string) => new RunNotReplayable({ signalId, reason })
  if (inputs === null) return yield* missing("The run is older than the keeping of its inputs.")
  const message = yield* (yield* Messages).find(tenant.tenantId, messageId)
  if (message === null) return yield* missing("Its message is not there any more.")
  const config = yield* (yield* Tenants).configAt(tenant.tenantId, run.configVersion)
  if (config === null) return yield* missing(`There is no version ${run.configVersion} of the configuration.`)
  return subjectOfInputs({ ...tenant, config, configVersion: run.configVersion }, message, inputs)
})

/**
 * Runs a stored run again: by the configuration of then, from what was kept of what it looked at and of what a model
 * said. Nobody is asked and nothing is written.
 */
export const replayRun = Effect.fn("replayRun")(function* (tenant: Tenant, id: string) {
  const run = yield* readRun(tenant.tenantId, id)
  const subject = yield* subjectOfRun(tenant, run)
  const decision = yield* decideWith(compileConfig(subject.tenant.config), subject, run.recordings)
  const decided = summarizeDecision(decision)
  const differences = compareDecisions(summarizeRun(run), decided)
  const replay: Replay = { identical: differences.length === 0, differences, decided }
  return { run, replay }
})
