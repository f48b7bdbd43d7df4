import { Effect } from "effect"
import type { IndexMatches, IndexRange } from "../../port/repository/contact/Search.ts"

/** Matches that are ranked among each other: the newest, and then the next ones. */
export const poolSize = 100
/** Pools that one page goes through at most. */
const poolsAPage = 2

/**
 * Where a list of matches goes on: behind what was shown of the pool from `after` to `end`. Empty texts stand for the
 * beginning and the end of everything; `score` is -1 when nothing of the pool has been shown.
 */
export interface Position {
  readonly after: string
  readonly end: string
  readonly score: number
  readonly key: string
}

/** The beginning of a list. */
export const beginning: Position = { after: "", end: "", score: -1, key: "" }

/** Something found, and its place. */
export interface Ranked<A> {
  readonly key: string
  readonly score: number
  readonly value: A
}

const bestFirst = <A>(one: Ranked<A>, other: Ranked<A>): number =>
  other.score - one.score || (one.key < other.key ? 1 : one.key > other.key ? -1 : 0)

const isAfter = ({ key, score }: Position, item: Ranked<unknown>): boolean =>
  score < 0 || item.score < score || (item.score === score && item.key < key)

/** How matches are found, and how they are ranked. */
export interface MatchSource<A, E, R> {
  readonly places: (stretch: Omit<IndexRange, "since">) => Effect.Effect<IndexMatches, E, R>
  readonly rank: (places: IndexMatches["places"]) => Effect.Effect<ReadonlyArray<Ranked<A>>, E, R>
}

/** What a page shows, and where the next one begins; null: there is none. */
export interface Page<A> {
  readonly found: ReadonlyArray<Ranked<A>>
  readonly next: Position | null
}

/**
 * A page of matches. The newest hundred are ranked among each other and shown best first, over as many pages as they
 * take; then the next hundred. So a word that is on every message costs no more than one that is on a hundred, and
 * because the ends of a pool stay where they are, what comes in meanwhile moves nothing. A page may be short, or empty,
 * before the last one: where much had to be looked through for little.
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
        // What has come into the stretch of the pool since has room beside what was there.
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
