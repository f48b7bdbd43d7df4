import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const sqlite = [
  "ALTER TABLE search_segments ADD COLUMN summarized INTEGER NOT NULL DEFAULT 0",
  // One row per segment; the row id is the segment. Each token begins with the tenant.
  `CREATE VIRTUAL TABLE search_summaries USING fts5(
  words, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '-_'")`,
  // Reads the terms of `search_words`. It stores nothing.
  "CREATE VIRTUAL TABLE search_terms USING fts5vocab('search_words', 'row')"
]

const postgres = [
  "ALTER TABLE search_segments ADD COLUMN summarized bigint NOT NULL DEFAULT 0",
  // A tsvector has at most 1 MiB, so a segment has several parts.
  `CREATE TABLE search_summaries (
    tenant_id text COLLATE "C" NOT NULL, segment bigint NOT NULL, part bigint NOT NULL, words tsvector NOT NULL,
    PRIMARY KEY (tenant_id, segment, part))`,
  "CREATE INDEX search_summaries_words ON search_summaries USING gin (words) WITH (fastupdate = off)"
]

/** The full segments that need a summary. `search/SearchSummary.ts` has the condition. */
const waiting = `CREATE INDEX search_segments_unsummarized ON search_segments (tenant_id, segment)
  WHERE documents = 4096 AND (summarized = 0 OR summarized > 256)`

/**
 * Adds a summary to each full segment of the search index: the set of its words. A search then skips the segments
 * without its words. The worker of the index writes the summaries, also those of existing segments. FROZEN.
 */
export const searchSummaries: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const statements = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach([...statements, waiting], (statement) => sql.unsafe(statement), { discard: true })
})
