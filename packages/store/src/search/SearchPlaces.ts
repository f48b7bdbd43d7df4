import type { IndexMatches, Search, IndexRange } from "@leadloom/core/internal/port/repository/contact/Search"
import type { SearchQuery } from "@leadloom/core/internal/domain/search/SearchQuery"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { type Context, Effect } from "effect"
import type { DatabaseShape } from "../Database.ts"
import { newest } from "../sql/Queries.ts"
import { fts5, inSegment, keyOf, placeOf, segmentOf, segmentsOf, tsquery } from "./SearchSegment.ts"
import { makeReadSegments } from "./SearchSummary.ts"

interface FoundRow {
  readonly place: number
  readonly id: string
}

/**
 * The part of the index that is searched: places from `from` (inclusive) to `before` (exclusive), and times from
 * `since`.
 */
interface Bounds {
  readonly tenantId: string
  readonly searchQuery: SearchQuery
  readonly before: number
  readonly from: number
  readonly since: number
}

/** Searches some segments, newest first. Limits the number of matches. */
type Look = (
  bounds: Bounds,
  segments: ReadonlyArray<number>,
  limit: number
) => Effect.Effect<ReadonlyArray<FoundRow>, StoreUnavailable>

/** The maximum number of segments that a search reads. 512 segments contain two million messages. */
const segmentsAQuestion = 512
/** The maximum number of segments per statement. */
const segmentsAStatement = 64

/**
 * In FTS5, a search returns the rows of a segment newest first and stops at the limit. Each segment has a separate
 * statement, which costs little, because SQLite has no network round trip. The search terms contain the segment, and
 * the range of row ids also limits the search to it.
 */
const lookSqlite = ({ query }: DatabaseShape): Look => {
  const lookup = query<FoundRow>(
    `SELECT d.place, d.id FROM search_words w CROSS JOIN search_documents d
      WHERE w.search_words MATCH ? AND w.rowid BETWEEN ? AND ?
        AND d.tenant_id = ? AND d.place = w.rowid AND d."timestamp" >= ?
      ORDER BY w.rowid DESC LIMIT ?`
  )
  return Effect.fnUntraced(function* ({ before, from, since, searchQuery, tenantId }, segments, limit) {
    const found: Array<FoundRow> = []
    for (const segment of segments) {
      if (found.length >= limit) break
      const [low, high] = [Math.max(from, placeOf(segment, 0)), Math.min(before, placeOf(segment + 1, 0)) - 1]
      const rows = lookup(
        fts5(inSegment(tenantId, segment), searchQuery),
        low,
        high,
        tenantId,
        since,
        limit - found.length
      )
      found.push(...(yield* rows))
    }
    return found
  })
}

/**
 * Searches each segment separately in the GIN index. The lexemes contain the tenant and the segment, so the GIN index
 * is sufficient. `|| ''` and `+ 0` prevent the planner from using an index on tenant and place. The planner
 * underestimates the size of these ranges: with a million documents, it would read the whole primary key for every
 * segment (90 ms each).
 */
export const postgresLookupSql = `SELECT hit.place, hit.id FROM (SELECT ?::text AS tenant_id, ?::bigint AS since, ?::bigint AS before, ?::bigint AS low, ?::bigint AS wanted) AS asked
      CROSS JOIN jsonb_array_elements_text(?::jsonb) AS item(value)
      CROSS JOIN LATERAL (SELECT d.place, d.id, d.tenant_id FROM search_documents d
        WHERE d.words @@ item.value::tsquery AND d."timestamp" >= asked.since AND d.place + 0 < asked.before AND d.place + 0 >= asked.low
        ORDER BY d.place + 0 DESC LIMIT asked.wanted) AS hit
      WHERE hit.tenant_id || '' = asked.tenant_id ORDER BY hit.place DESC LIMIT ?`

const lookPostgres = ({ query }: DatabaseShape): Look => {
  const inSegments = query<FoundRow>(postgresLookupSql)
  return ({ before, from, since, searchQuery, tenantId }, segments, limit) => {
    const expressions = JSON.stringify(segments.map((segment) => tsquery(inSegment(tenantId, segment), searchQuery)))
    return inSegments(tenantId, since, before, from, limit, expressions, limit)
  }
}

/** Finds places for a search query. */
export const makePlaces = (database: DatabaseShape): Context.Service.Shape<typeof Search>["places"] => {
  const readSegments = makeReadSegments(database)
  const look = database.sql.onDialectOrElse({ pg: () => lookPostgres(database), orElse: () => lookSqlite(database) })

  /**
   * Searches two segments first. Doubles the number of segments with each further statement, up to
   * `segmentsAStatement`, until there are enough matches.
   */
  const walk = Effect.fnUntraced(function* (bounds: Bounds, segments: ReadonlyArray<number>, limit: number) {
    const found: Array<FoundRow> = []
    for (
      let at = 0, step = 2;
      at < segments.length && found.length < limit;
      step = Math.min(step * 2, segmentsAStatement)
    ) {
      found.push(...(yield* look(bounds, segments.slice(at, at + step), limit - found.length)))
      at += step
    }
    return found
  })

  return Effect.fnUntraced(function* (tenantId, kind, searchQuery, { after, limit, since, until }: IndexRange) {
    const { first, last } = segmentsOf(kind, since)
    const before = after === null ? newest : Number(after)
    const from = until === null ? 0 : Number(until)
    const bounds: Bounds = { tenantId, searchQuery, before, from, since: since ?? -newest }
    const range = { first: Math.max(first, segmentOf(from)), last: Math.min(last, segmentOf(before)) }
    // Common words are in the newest segment. Only a search that needs older ones reads their summaries.
    const [latest, next] = yield* readSegments(tenantId, range, 2, null)
    const found = latest === undefined ? [] : [...(yield* look(bounds, [latest], limit))]
    let ended = until
    if (found.length < limit && next !== undefined) {
      const older = { ...range, last: next }
      const segments = yield* readSegments(tenantId, older, segmentsAQuestion, searchQuery)
      found.push(...(yield* walk(bounds, segments, limit - found.length)))
      const lowest = segments.at(-1)
      if (segments.length === segmentsAQuestion && lowest !== undefined) ended = keyOf(placeOf(lowest, 0))
    }
    const places = found.map(({ id, place }) => ({ id, key: keyOf(place) }))
    return { places, end: found.length < limit ? ended : (places.at(-1)?.key ?? null) } satisfies IndexMatches
  })
}
