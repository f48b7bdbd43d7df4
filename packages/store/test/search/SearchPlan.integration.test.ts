import { assert, it } from "@effect/vitest"
import { parseSearchQuery } from "@leadloom/core/internal/domain/search/SearchQuery"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { spell } from "../../src/sql/PostgresText.ts"
import { postgresLookupSql } from "../../src/search/SearchPlaces.ts"
import { documentsPerSegment, indexed, inSegment, placeOf, tsquery } from "../../src/search/SearchSegment.ts"
import { ownPostgres } from "../TemporaryPostgres.ts"

const segments = [7, 8, 9, 10, 11]

/** Inserts full segments of documents: with a common word, a word in every fiftieth, and a unique word. */
const fill = Effect.fnUntraced(function* (tenantId: string) {
  const sql = yield* SqlClient
  for (const segment of segments) {
    const word = (text: string) => `'${indexed(tenantId, segment, text)}'`
    yield* sql.unsafe(`INSERT INTO search_documents (tenant_id, place, id, "timestamp", words)
      SELECT '${tenantId}', ${placeOf(segment, 0)} + g, 'msg_' || ${segment} || '_' || g, g,
        array_to_tsvector(ARRAY[${word("roof")}, ${word("other")} || g % 50, ${word("own")} || g])
      FROM generate_series(0, ${documentsPerSegment - 1}) g`)
  }
})

const plansOf = Effect.fnUntraced(function* (name: string, values: string) {
  const sql = yield* SqlClient
  yield* sql.unsafe(`PREPARE ${name} AS ${spell(postgresLookupSql).text}`)
  const plans: Array<string> = []
  for (const mode of ["force_custom_plan", "force_generic_plan"]) {
    yield* sql.unsafe(`SET LOCAL plan_cache_mode = ${mode}`)
    const rows = yield* sql.unsafe<{ readonly "QUERY PLAN": string }>(`EXPLAIN EXECUTE ${name} (${values})`)
    plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"))
  }
  return plans
})

it.live("a search on Postgres uses the GIN index segment by segment, with and without statistics", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    for (const tenantId of ["acme", "other"]) yield* fill(tenantId)
    for (const round of ["fresh", "analysed"]) {
      if (round === "analysed") yield* sql.unsafe("ANALYZE search_documents")
      for (const [index, query] of ["roof", "other7", "own123", "roof other7", "ro", "nobody"].entries()) {
        const expressions = JSON.stringify(
          segments.map((segment) => tsquery(inSegment("acme", segment), parseSearchQuery(query)))
        )
        const values = `'acme', -1, ${placeOf(99, 0)}, 0, 51, '${expressions.replaceAll("'", "''")}', 51`
        const plans = yield* sql.withTransaction(plansOf(`look_${round}_${index}`, values))
        for (const plan of plans) {
          const about = `${round}, ${query}:\n${plan}`
          assert.match(plan, /Bitmap Index Scan on search_documents_words .*\s+Index Cond: \(words @@ /u, about)
          assert.notMatch(plan, /Seq Scan|Index (?:Only )?Scan using|search_documents_pkey|search_documents_id/u, about)
        }
      }
    }
  }).pipe(Effect.provide(ownPostgres))
)
