import type { SearchQuery } from "@leadloom/core/internal/domain/search/SearchQuery"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import type { DatabaseShape } from "../Database.ts"
import { first } from "../sql/Queries.ts"
import {
  documentsPerSegment,
  fts5,
  indexed,
  inSummary,
  placeOf,
  segmentsOf,
  segmentsPerMonth,
  tsquery
} from "./SearchSegment.ts"

/**
 * A full segment needs a summary. It needs a new one after 256 of its documents were removed, because a summary keeps
 * the words of removed documents. FROZEN, because the index `search_segments_unsummarized` has this condition.
 */
const removalsPerSummary = 256
/** The condition for a segment that needs a summary. */
export const unsummarized = `documents = ${documentsPerSegment} AND (summarized = 0 OR summarized > ${removalsPerSummary})`

/**
 * The maximum number of words of a summary. Mails have about 20,000 different words per segment. A segment with more
 * words than this limit has no summary, so that a summary takes a fraction of a second.
 */
const maxSummaryWords = 131_072
/**
 * The maximum number of words of all documents of a segment on Postgres, with repetitions. Mails have about 200,000.
 */
const maxLexemes = 2_000_000
/** The words per part on Postgres. A word has at most 300 bytes with its tenant, and a `tsvector` at most 1 MiB. */
const wordsPerPart = 2_048

/** Words shorter than this have too many continuations for a lookup in the summaries. */
const minPrefixLength = 3

/** Writes the summary of a segment. Returns its number of words. */
type Write = (tenantId: string, segment: number) => Effect.Effect<number, StoreUnavailable>

const writing = ({ command, query, sql }: DatabaseShape): Write =>
  sql.onDialectOrElse({
    pg: () => {
      const insert = query<{ readonly words: number }>(
        `WITH lexemes AS MATERIALIZED (
            SELECT item.word FROM search_documents d, LATERAL unnest(tsvector_to_array(d.words)) AS item(word)
              WHERE d.tenant_id = ? AND d.place >= ? AND d.place < ? LIMIT ${maxLexemes + 1}),
          terms AS MATERIALIZED (SELECT DISTINCT word FROM lexemes),
          summary AS MATERIALIZED (SELECT CASE WHEN (SELECT count(*) FROM lexemes) > ${maxLexemes}
            THEN ${maxSummaryWords + 1} ELSE (SELECT count(*) FROM terms) END AS words),
          parts AS (SELECT word, (row_number() OVER (ORDER BY word) - 1) / ${wordsPerPart} AS part FROM terms),
          stored AS (INSERT INTO search_summaries (tenant_id, segment, part, words)
            SELECT asked.tenant_id, asked.segment, part, array_to_tsvector(array_agg(asked.summary || substr(word, asked.start)))
              FROM parts, (SELECT ?::text AS tenant_id, ?::bigint AS segment, ?::text AS summary, ?::int AS start) AS asked
              WHERE (SELECT words FROM summary) <= ${maxSummaryWords} GROUP BY asked.tenant_id, asked.segment, part)
          SELECT words FROM summary`
      )
      return (tenantId, segment) =>
        Effect.map(
          insert(
            tenantId,
            placeOf(segment, 0),
            placeOf(segment + 1, 0),
            tenantId,
            segment,
            inSummary(tenantId, ""),
            indexed(tenantId, segment, "").length + 1
          ),
          (rows) => first(rows)?.words ?? 0
        )
    },
    orElse: () => {
      // The terms of a segment are adjacent in the index, so no document is read.
      const read = query<{ readonly number: number; readonly words: string | null }>(
        `SELECT count(*) AS "number", group_concat(? || substr(term, ?), ' ') AS words FROM (
          SELECT term FROM search_terms WHERE term >= ? AND term < ? LIMIT ${maxSummaryWords + 1})`
      )
      const insert = command("INSERT INTO search_summaries (rowid, words) VALUES (?, ?)")
      return Effect.fnUntraced(function* (tenantId: string, segment: number) {
        const prefix = indexed(tenantId, segment, "")
        // The next text after all texts with this prefix.
        const end = `${prefix.slice(0, -1)}${String.fromCodePoint((prefix.codePointAt(prefix.length - 1) ?? 0) + 1)}`
        const found = first(yield* read(inSummary(tenantId, ""), prefix.length + 1, prefix, end))
        const number = found?.number ?? 0
        if (found !== null && found.words !== null && number <= maxSummaryWords) yield* insert(segment, found.words)
        return number
      })
    }
  })

/**
 * Creates the statements that write and remove the summaries of full segments. Nothing is added to a full segment, so
 * its summary remains complete; after a removal it has more words than necessary. `search_segments.summarized` is 0
 * without a summary, -1 for too many words, and otherwise 1 plus the number of documents removed since.
 */
export const makeSummaries = (database: DatabaseShape) => {
  const { by, command, query, sql, whole } = database
  const next = query<{ readonly segment: number }>(
    `SELECT segment FROM search_segments ${by("search_segments_unsummarized")}
      WHERE tenant_id = ? AND ${unsummarized} ORDER BY segment DESC LIMIT 1`
  )
  const save = command("UPDATE search_segments SET summarized = ? WHERE tenant_id = ? AND segment = ?")
  const age = command(
    "UPDATE search_segments SET summarized = summarized + 1 WHERE tenant_id = ? AND segment = ? AND summarized > 0"
  )
  const expire = command(
    `UPDATE search_segments SET summarized = ${removalsPerSummary + 1}
      WHERE tenant_id = ? AND segment >= ? AND segment <= ? AND summarized > 1`
  )
  const removeRow = command(
    sql.onDialectOrElse({
      pg: () => "DELETE FROM search_summaries WHERE tenant_id = ? AND segment = ?",
      orElse: () => "DELETE FROM search_summaries WHERE ? <> '' AND rowid = ?"
    })
  )
  const write = writing(database)
  return {
    hasUnsummarized: (tenantId: string) => Effect.map(next(tenantId), (rows) => rows.length > 0),
    summarize: (tenantId: string) =>
      whole(
        Effect.gen(function* () {
          const segment = first(yield* next(tenantId))?.segment
          if (segment === undefined) return
          yield* removeRow(tenantId, segment)
          const words = yield* write(tenantId, segment)
          yield* save(words > maxSummaryWords ? -1 : 1, tenantId, segment)
        })
      ),
    /** Records that documents of these segments were replaced. Their summaries remain in use. */
    age: (tenantId: string, segments: ReadonlySet<number>) =>
      Effect.forEach(segments, (segment) => age(tenantId, segment), { discard: true }),
    /**
     * Removes the summaries of these segments, because their documents were deleted. Summaries of contacts and
     * notes that were replaced since are written again, because they may have earlier words of the deleted ones.
     */
    remove: Effect.fnUntraced(function* (tenantId: string, segments: ReadonlySet<number>) {
      for (const segment of segments) {
        yield* removeRow(tenantId, segment)
        yield* save(0, tenantId, segment)
      }
      if (segments.size === 0) return
      for (const kind of ["contacts", "notes"] as const) {
        const range = segmentsOf(kind, null)
        yield* expire(tenantId, range.first, range.last)
      }
    })
  }
}

/** Reads segments from `first` to `last`, newest first. With a query, only those that may have a match. */
export type ReadSegments = (
  tenantId: string,
  range: { readonly first: number; readonly last: number },
  limit: number,
  searchQuery: SearchQuery | null
) => Effect.Effect<ReadonlyArray<number>, StoreUnavailable>

/**
 * Returns the part of a query that the summaries answer: without short prefixes, which have many words. Returns null if
 * nothing is left of an alternative.
 */
const summaryQuery = (searchQuery: SearchQuery): SearchQuery | null => {
  const rest = searchQuery.map((terms) =>
    terms.filter(({ isPrefix, text }) => !isPrefix || text.length >= minPrefixLength)
  )
  return rest.every((terms) => terms.length > 0) ? rest : null
}

const segmentsText =
  "SELECT s.segment FROM search_segments s WHERE s.tenant_id = ? AND s.segment >= ? AND s.segment <= ?"
/** Excludes the rows that count the segments of a month. */
const isSegment = `s.segment % ${segmentsPerMonth} > 0`

/** The flag and the summary are read in one statement, because a concurrent unit may change both. */
const makeCandidates = ({ query, sql }: DatabaseShape) =>
  sql.onDialectOrElse({
    pg: () => {
      // The parts of a summary have different words, so each term is looked up alone.
      const candidates = query<{ readonly segment: number }>(
        `${segmentsText} AND ${isSegment} AND (s.summarized < 1 OR s.segment IN (
          SELECT hit.segment FROM (SELECT ?::text AS tenant_id) AS asked CROSS JOIN jsonb_array_elements(?::jsonb) AS item(value)
            CROSS JOIN LATERAL (SELECT DISTINCT m.tenant_id, m.segment FROM search_summaries m
              WHERE m.words @@ (item.value ->> 2)::tsquery) AS hit
            WHERE hit.tenant_id || '' = asked.tenant_id
            GROUP BY hit.segment, item.value -> 0, item.value -> 1 HAVING count(*) = min((item.value ->> 1)::bigint)))
          ORDER BY s.segment DESC LIMIT ?`
      )
      return (tenantId: string, first: number, last: number, searchQuery: SearchQuery, limit: number) => {
        const terms = searchQuery.flatMap((all, alternative) =>
          all.map((term) => [alternative, all.length, tsquery((token) => inSummary(tenantId, token), [[term]])])
        )
        return candidates(tenantId, first, last, tenantId, JSON.stringify(terms), limit)
      }
    },
    orElse: () => {
      const candidates = query<{ readonly segment: number }>(
        `${segmentsText} AND ${isSegment} AND (s.summarized < 1 OR s.segment IN (
          SELECT rowid FROM search_summaries WHERE search_summaries MATCH ? AND rowid BETWEEN ? AND ?))
          ORDER BY s.segment DESC LIMIT ?`
      )
      return (tenantId: string, first: number, last: number, searchQuery: SearchQuery, limit: number) => {
        const match = fts5((token) => inSummary(tenantId, token), searchQuery)
        return candidates(tenantId, first, last, match, first, last, limit)
      }
    }
  })

/** Creates the read of segments. */
export const makeReadSegments = (database: DatabaseShape): ReadSegments => {
  const all = database.query<{ readonly segment: number }>(
    `${segmentsText} AND ${isSegment} ORDER BY s.segment DESC LIMIT ?`
  )
  const candidates = makeCandidates(database)
  return (tenantId, { first, last }, limit, searchQuery) => {
    const asked = searchQuery === null ? null : summaryQuery(searchQuery)
    const rows = asked === null ? all(tenantId, first, last, limit) : candidates(tenantId, first, last, asked, limit)
    return Effect.map(rows, (found) => found.map(({ segment }) => segment))
  }
}
