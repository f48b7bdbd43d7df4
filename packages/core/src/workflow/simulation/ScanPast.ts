import { Effect } from "effect"
import { encodeId, type Id, type IdPrefix } from "../../domain/Id.ts"
import { maxExamined } from "../../domain/simulation/Simulation.ts"

/** The number of rows per read. */
const rowsPerPage = 500

const zeros = () => new Uint8Array(10)

/** Returns a text that sorts before the ids of a time, and after those of earlier times. */
export const idBound = <P extends IdPrefix>(prefix: P, millis: number): Id<P> =>
  encodeId(prefix, Math.max(0, millis), zeros())

/** Rows that are read in pages, in the order of their ids. */
export interface Scan<A, E, R, E2, R2> {
  readonly after: string
  readonly read: (after: string, limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>
  readonly idOf: (row: A) => string
  /** Examines a row. Returns true if no further row is needed. */
  readonly each: (row: A) => Effect.Effect<boolean, E2, R2>
}

/** Reads rows until the last one, or until `each` needs no more, at most `maxExamined`. Returns whether rows are left. */
export const scan = Effect.fnUntraced(function* <A, E, R, E2, R2>({ after, each, idOf, read }: Scan<A, E, R, E2, R2>) {
  let [last, examined] = [after, 0]
  for (;;) {
    const page = yield* read(last, rowsPerPage)
    for (const row of page) {
      if (examined === maxExamined || (yield* each(row))) return true
      examined++
      last = idOf(row)
    }
    if (page.length < rowsPerPage) return false
    yield* Effect.yieldNow
  }
})
