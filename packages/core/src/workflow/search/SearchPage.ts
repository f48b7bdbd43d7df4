import { Effect } from "effect"
import type { IndexMatches, IndexRange } from "../../port/repository/contact/Search.ts"

/** The number of matches in a pool. Each pool is ranked separately, newest pool first. */
export const poolSize = 100
/** The maximum number of pools for one page. */
const poolsAPage = 2

/**
 * The position in a list of matches: after the shown matches of the pool from `after` to `end`. An empty text stands
 * for the beginning or the end of the list. `score` is -1 when no match of the pool has been shown.
 */
export interface Position {
  readonly after: string
  readonly end: string
  readonly score: number
  readonly key: string
}

/** The start of a list. */
export const beginning: Position = { after: "", end: "", score: -1, key: "" }

/** A match with its key and its score. */
export interface Ranked<A> {
  readonly key: string
  readonly score: number
  readonly value: A
}

const bestFirst = <A>(one: Ranked<A>, other: Ranked<A>): number =>
  other.score - one.score || (one.key < other.key ? 1 : one.key > other.key ? -1 : 0)

const isAfter = ({ key, score }: Position, item: Ranked<unknown>): boolean =>
  score < 0 || item.score < score || (item.score === score && item.key < key)

/** Finds matches and ranks them. */
export interface MatchSource<A, E, R> {
  readonly places: (stretch: Omit<IndexRange, "since">) => Effect.Effect<IndexMatches, E, R>
  readonly rank: (places: IndexMatches["places"]) => Effect.Effect<ReadonlyArray<Ranked<A>>, E, R>
}

/** The matches of a page, and the start of the next one; null when there is none. */
export interface Page<A> {
  readonly found: ReadonlyArray<Ranked<A>>
  readonly next: Position | null
}

/**
 * Returns a page of matches. The newest hundred matches form a pool, which is ranked and shown best first over several
 * pages; then the next hundred follow. A very common word thus costs no more than one with a hundred matches. The ends
 * of a pool are fixed, so new messages do not shift the pages. A page before the last one may be short or empty.
 */
export const searchPage = <A, E, R>(source: MatchSource<A, E, R>, limit: number, from: Position) =>
  Effect.gen(function* () {
    const shown: Array<Ranked<A>> = []
    let position: Position | null = from
    for (let pools = 0; pools < poolsAPage && position !== null && shown.length < limit; pools++) {
      const begun: Position = position
      const isBegun = begun.score >= 0
      const pool: IndexMatches = yield* source.places({
        after: begun.after === "" ? null : begun.after,
        until: isBegun && begun.end !== "" ? begun.end : null,
        // Leaves room for matches that were added to the range of the pool since.
        limit: isBegun ? poolSize * 2 : poolSize
      })
      const end: string = isBegun ? begun.end : (pool.end ?? "")
      const ranked: ReadonlyArray<Ranked<A>> = yield* source.rank(pool.places)
      const rest: ReadonlyArray<Ranked<A>> = ranked.filter((item) => isAfter(begun, item)).toSorted(bestFirst)
      const taken = rest.slice(0, limit - shown.length)
      const last = taken.at(-1)
      shown.push(...taken)
      if (last !== undefined && rest.length > taken.length) {
        position = { after: begun.after, end, score: last.score, key: last.key }
      } else position = end === "" ? null : { ...beginning, after: end }
    }
    const page: Page<A> = { found: shown, next: position }
    return page
  })
