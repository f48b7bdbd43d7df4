import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Adds the comments with which people save configurations. FROZEN. */
export const configComments: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const text = sql.onDialectOrElse({ pg: () => 'text COLLATE "C"', orElse: () => "TEXT" })
  yield* sql.unsafe(`ALTER TABLE config_changes ADD COLUMN comment ${text}`)
})
