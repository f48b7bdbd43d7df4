import { Effect } from "effect"
import type { IndexMatches, IndexRange } from "../../port/repository/contact/Search.ts"

/** The number of matches in a pool. Each pool is ranked separately. The newest pool comes first. */
export const poolSize = 100
/** The maximum number of pools that are read for one page. */
const poolsAPage = 2

/**
 * The position in a list of results. The current pool extends from `after` to `end`; an empty text stands for the start
 * or the end of the list. `score` and `key` are those of the last match of the pool that was shown. `score` is -1 when
 * none was shown.
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

/** The matches of a page, and the start of the next page. The start is null after the last page. */
export interface Page<A> {
  readonly found: ReadonlyArray<Ranked<A>>
  readonly next: Position | null
}

/**
 * Returns a page of matches. The newest hundred matches form a pool. A pool is ranked and shown best match first, over
 * several pages. The next hundred matches follow. A very common word therefore costs no more than a word with a hundred
 * matches. The ends of a pool are fixed, so new messages do not shift the pages. A page may be short or empty although
 * more pages follow.
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
        // The limit is doubled, because matches may have been added to the range of the pool since the previous page.
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
