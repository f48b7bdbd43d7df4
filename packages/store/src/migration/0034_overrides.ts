import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Adds the override of a send as JSON: the person, and the reasons that the person overrode. Null: no override. FROZEN.
 */
export const overrides: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const json = sql.onDialectOrElse({ pg: () => "json", orElse: () => "TEXT" })
  yield* sql.unsafe(`ALTER TABLE sends ADD COLUMN override ${json}`)
})
