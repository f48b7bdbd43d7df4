import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Adds the users who correct threads, undo corrections and change configurations. The users of existing rows stay
 * unknown. FROZEN.
 */
export const usersOfCorrections: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const text = sql.onDialectOrElse({ pg: () => 'text COLLATE "C"', orElse: () => "TEXT" })
  yield* sql.unsafe(`ALTER TABLE thread_corrections ADD COLUMN user_id ${text}`)
  yield* sql.unsafe(`ALTER TABLE thread_corrections ADD COLUMN undone_by_user ${text}`)
  yield* sql.unsafe(`ALTER TABLE config_changes ADD COLUMN changed_by_user ${text}`)
})
