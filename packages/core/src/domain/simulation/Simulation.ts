/**
 * Simulations: what a sequence or a rule would have done in the past, next to what really happened. The workflows are in
 * `workflow/simulation`. Tests: `packages/core/test/domain/simulation`, `packages/testkit/src/suite/simulation`.
 */
import { TaggedError } from "../TaggedError.ts"

const dayMillis = 86_400_000

/** The longest period of a simulation, in days. */
export const maxSimulatedDays = 90

/** The default period of a simulation, in days. */
export const defaultSimulatedDays = 30

/** The maximum number of enrolments, or of causes of a rule, in one simulation. The oldest ones of the period count. */
export const maxSimulated = 1_000

/** The default number of enrolments, or of causes of a rule, in one simulation. */
export const defaultSimulated = 200

/** The maximum number of decisions about steps, or about causes of a rule, in one simulation. A simulation that needs more ends at an earlier time. */
export const maxDecisions = 20_000

/** The maximum number of messages, changes, tasks, links or contacts that a simulation of a rule examines as causes. */
export const maxExamined = 50_000

/** A period of the past, in epoch milliseconds. `until` is not included. */
export interface Period {
  readonly since: number
  readonly until: number
}

/** The simulation cannot take place. `issues` names the fields of the request. */
export class SimulationInvalid extends TaggedError("SimulationInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}

/** Returns the requested period, or the errors in it. `until` is now by default, and `since` 30 days earlier. */
export const periodOf = (
  { since, until }: { readonly since: number | null; readonly until: number | null },
  now: number
): Period | SimulationInvalid => {
  const end = until ?? now
  const start = since ?? end - defaultSimulatedDays * dayMillis
  const issues: Array<{ readonly path: string; readonly message: string }> = []
  if (end > now)
    issues.push({ path: "until", message: "The end of the period is in the future. Send an earlier time." })
  if (start >= end) issues.push({ path: "since", message: "The period is empty. Send a time before its end." })
  if (start < now - maxSimulatedDays * dayMillis)
    issues.push({
      path: "since",
      message: `The period starts more than ${maxSimulatedDays} days ago. Send a later time.`
    })
  return issues.length > 0 ? new SimulationInvalid({ issues }) : { since: start, until: end }
}
