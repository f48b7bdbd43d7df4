import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Adds the Message-IDs of the ancestors of an email in its thread, from its own headers. A reply must repeat them in
 * its `References` header. FROZEN.
 */
export const references: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const json = sql.onDialectOrElse({ pg: () => "json", orElse: () => "TEXT" })
  yield* sql.unsafe(`ALTER TABLE messages ADD COLUMN reference_ids ${json} NOT NULL DEFAULT '[]'`)
})
