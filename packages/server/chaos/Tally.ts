import type { BenchResult } from "@leadloom/testkit/bench/Bench"

/** The final counts of a chaos command: accepted items, and those that are missing or stored more than once. */
export type Tally = {
  readonly accepted: number
  readonly lost: number
  readonly duplicated: number
}

/**
 * Compares the accepted items with the stored or received ones. A stored item without acceptance is neither lost nor
 * duplicated: its answer did not arrive.
 */
export const tallyOf = (accepted: ReadonlySet<string>, stored: ReadonlyArray<string>): Tally => {
  const kept = new Set(stored)
  return {
    accepted: accepted.size,
    lost: [...accepted].filter((item) => !kept.has(item)).length,
    duplicated: stored.length - kept.size
  }
}

/** Adds tallies. */
export const sumOf = (tallies: ReadonlyArray<Tally>): Tally => ({
  accepted: tallies.reduce((sum, { accepted }) => sum + accepted, 0),
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
    "nothing is lost": tally.lost === 0,
    "nothing is duplicated": tally.duplicated === 0,
    ...checks
  }
})
