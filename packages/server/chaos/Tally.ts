import type { BenchResult } from "@leadloom/testkit/bench/Bench"
import type { Handling } from "./Stored.ts"

/** The final counts of a chaos command: accepted and stored items, and those that are missing or stored more than once. */
export type Tally = {
  readonly accepted: number
  /** The distinct stored or received items. */
  readonly stored: number
  readonly lost: number
  readonly duplicated: number
}

/** Compares the accepted items with the stored or received ones. */
export const tallyOf = (accepted: ReadonlySet<string>, stored: ReadonlyArray<string>): Tally => {
  const kept = new Set(stored)
  return {
    accepted: accepted.size,
    stored: kept.size,
    lost: [...accepted].filter((item) => !kept.has(item)).length,
    duplicated: stored.length - kept.size
  }
}

/** Compares the number of events with the numbers of the events that one receiver got. */
export const tallyOfReceiver = (accepted: number, numbers: ReadonlyArray<number>): Tally => {
  const stored = new Set(numbers).size
  return { accepted, stored, lost: Math.max(0, accepted - stored), duplicated: numbers.length - stored }
}

/** Adds tallies. */
export const sumOf = (tallies: ReadonlyArray<Tally>): Tally => ({
  accepted: tallies.reduce((sum, { accepted }) => sum + accepted, 0),
  stored: tallies.reduce((sum, { stored }) => sum + stored, 0),
  lost: tallies.reduce((sum, { lost }) => sum + lost, 0),
  duplicated: tallies.reduce((sum, { duplicated }) => sum + duplicated, 0)
})

/** Returns the result of a chaos command. */
export const chaosResult = (
  tally: Tally,
  figures: BenchResult["figures"],
  checks: BenchResult["checks"] = {}
): BenchResult => ({
  figures: { ...figures, ...tally },
  checks: {
    "something is accepted": tally.accepted > 0,
    // Every request is repeated until it is accepted, so a surplus is a result of an unknown request.
    "as many items are stored as accepted": tally.stored === tally.accepted,
    "nothing is lost": tally.lost === 0,
    "nothing is duplicated": tally.duplicated === 0,
    ...checks
  }
})

/**
 * Checks that each message was run, or given to a person. The pipeline gives a message to a person if servers stop
 * during two attempts at it, because the message may be the cause.
 */
export const handlingChecks = ({ messages, reviewTasks, runs, signals }: Handling): BenchResult["checks"] => ({
  "every message has one signal": messages === signals,
  "every signal has one run or a task for a person": runs + reviewTasks === signals
})

/** Checks that each message was run. Applies if no server was killed. */
export const runChecks = (handling: Handling): BenchResult["checks"] => ({
  "every message has one run": handling.messages === handling.runs
})
