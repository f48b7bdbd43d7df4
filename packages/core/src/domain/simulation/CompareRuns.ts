import type { RunAction } from "../run/Run.ts"
import type { TriggerRun } from "../run/TriggerRun.ts"

/** The parts of a run that a simulation determines. */
export type RunOutcome = Pick<TriggerRun, "actions" | "reason" | "state">

/** The actions whose outcome names an enrolment, which has another id in a simulation. */
const starts: ReadonlyArray<string> = ["start_sequence", "send_template"]

/** The outcomes of queued work, which the work changes later. */
const queued: ReadonlyArray<string> = ["call_webhook", "forward", "crm_action"]

const newId = /\b(?:note|task|enr|call)_[0-9a-z]+/gu

/** Returns what is the same in a real run and in its simulation: records that an action creates have other ids. */
const comparable = ({ outcome, reason, type }: RunAction): ReadonlyArray<string> => {
  if (queued.includes(type)) return [type, outcome === "skipped" ? reason : "queued"]
  return starts.includes(type) ? [type, outcome] : [type, outcome, reason.replaceAll(newId, "")]
}

/** Returns the decision of a run as text, without the ids of records that its actions created. */
export const outcomeText = ({ actions, reason, state }: RunOutcome): string =>
  JSON.stringify([state, state === "waiting" ? null : reason, actions.map(comparable)])

/**
 * Returns a run as it was at a time: it still waited if it ended later. A simulation ends at this time, so it does not
 * know the end.
 */
export const runUntil = (run: TriggerRun, until: number): TriggerRun =>
  run.state !== "waiting" && run.updatedAt >= until
    ? { ...run, state: "waiting", reason: null, actions: [], configVersion: null }
    : run

/** Counts of runs by state, and of their actions. */
export interface RunTotals {
  readonly causes: number
  readonly waiting: number
  readonly ran: number
  readonly notMatched: number
  readonly prevented: number
  /** The actions that were carried out, by type. */
  readonly actions: Readonly<Record<string, number>>
}

/** Counts runs and their actions. */
export const runTotals = (runs: ReadonlyArray<RunOutcome>): RunTotals => {
  const actions: Record<string, number> = {}
  for (const { outcome, type } of runs.flatMap((run) => run.actions))
    if (outcome === "done") actions[type] = (actions[type] ?? 0) + 1
  const count = (state: TriggerRun["state"]) => runs.filter((run) => run.state === state).length
  return {
    causes: runs.length,
    waiting: count("waiting"),
    ran: count("ran"),
    notMatched: count("not_matched"),
    prevented: count("prevented"),
    actions
  }
}
