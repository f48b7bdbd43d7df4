import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The ids that an email stands behind in its thread, as it says itself: an answer to it has to repeat them. FROZEN. */
export const references: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const json = sql.onDialectOrElse({ pg: () => "json", orElse: () => "TEXT" })
  yield* sql.unsafe(`ALTER TABLE messages ADD COLUMN reference_ids ${json} NOT NULL DEFAULT '[]'`)
})
