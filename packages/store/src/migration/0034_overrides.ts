import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** What a person has set aside so that a send may go, and who: a JSON object, or null where nothing was. FROZEN. */
export const overrides: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const json = sql.onDialectOrElse({ pg: () => "json", orElse: () => "TEXT" })
  yield* sql.unsafe(`ALTER TABLE sends ADD COLUMN override ${json}`)
})
