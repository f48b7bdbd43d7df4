import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The suffix of each index name, and the columns of its filter. */
const indexes: ReadonlyArray<readonly [end: string, filter: string]> = [
  ["newest", ""],
  ["tier", "tier, "],
  ["state", "state, "],
  ["channel", "channel, "]
]

const sqliteIndexes = indexes.flatMap(([end, filter]) => [
  `DROP INDEX contact_digests_${end}`,
  `CREATE INDEX contact_list_${end}
    ON contact_list (tenant_id, archived, ${filter}last_activity_at DESC, contact_id DESC)`
])

const postgresIndexes = [...indexes.map(([end]) => end), "pkey"].map(
  (end) => `ALTER INDEX contact_digests_${end} RENAME TO contact_list_${end}`
)

/** Renames the table `contact_digests` to `contact_list`. FROZEN. */
export const contactList: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const renamed = sql.onDialectOrElse({ pg: () => postgresIndexes, orElse: () => sqliteIndexes })
  const statements = [`ALTER TABLE contact_digests RENAME TO contact_list`, ...renamed]
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
