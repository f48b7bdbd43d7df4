import { Effect } from "effect"
import type { RunAction } from "../../domain/run/Run.ts"
import { Runs } from "../../port/repository/pipeline/Runs.ts"
import { TriggerRuns } from "../../port/repository/pipeline/TriggerRuns.ts"

/** The place of an action: its run, and the index in it. One of both ids is set. */
export interface ActionPlace {
  readonly tenantId: string
  /** The run of a message. */
  readonly signalId: string | null
  /** The run of a rule with another trigger. */
  readonly triggerRunId: string | null
  readonly position: number
}

type Outcome = Pick<RunAction, "outcome" | "reason">

/** Returns the actions with another outcome at a position. Null if there is no such action. */
const replaced = (actions: ReadonlyArray<RunAction>, position: number, outcome: Outcome) => {
  const before = actions[position]
  return before === undefined ? null : actions.with(position, { ...before, ...outcome })
}

/**
 * Replaces the outcome of an action of a stored run, because work that the run has queued has ended. Has no effect if
 * the run was erased. Runs inside the unit of work that ends the work.
 */
export const concludeAction = Effect.fnUntraced(function* (
  { position, signalId, tenantId, triggerRunId }: ActionPlace,
  outcome: Outcome
) {
  const [runs, triggerRuns] = [yield* Runs, yield* TriggerRuns]
  const run = signalId === null ? null : yield* runs.ofSignal(tenantId, signalId)
  const actions = run === null ? null : replaced(run.actions, position, outcome)
  if (run !== null && actions !== null) yield* runs.replaceResult({ ...run, actions })
  const triggerRun = triggerRunId === null ? null : yield* triggerRuns.find(tenantId, triggerRunId)
  const changed = triggerRun === null ? null : replaced(triggerRun.actions, position, outcome)
  if (triggerRun !== null && changed !== null) yield* triggerRuns.replace({ ...triggerRun, actions: changed })
})
