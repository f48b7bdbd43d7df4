/**
 * `wrong` is neither lost nor duplicated, for example a message in quiet hours. `late` is permitted: clocks jump, and
 * servers are away.
 */
type Kind = "lost" | "duplicated" | "wrong" | "late"

/** What the model found. */
export interface Deviations {
  /** Counts a promise. */
  readonly promise: () => void
  readonly add: (kind: Kind, detail: string) => void
  /** Counts something that is neither right nor wrong. */
  readonly note: (name: string) => void
  readonly promised: () => number
  readonly count: (kind: Kind) => number
  readonly details: () => ReadonlyArray<string>
  readonly notes: () => Readonly<Record<string, number>>
}

/** The deviations of each kind whose details are printed. */
const maxDetails = 20

/** Creates an empty list. */
export const makeDeviations = (): Deviations => {
  const counts = { lost: 0, duplicated: 0, wrong: 0, late: 0 }
  const details: Array<string> = []
  const notes: Record<string, number> = {}
  let promised = 0
  return {
    promise: () => void (promised += 1),
    add: (kind, detail) => {
      counts[kind] += 1
      if (counts[kind] <= maxDetails) details.push(`${kind}: ${detail}`)
    },
    note: (name) => void (notes[name] = (notes[name] ?? 0) + 1),
    promised: () => promised,
    count: (kind) => counts[kind],
    details: () => details,
    notes: () => notes
  }
}
