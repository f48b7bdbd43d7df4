import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Adds the results of mail authentication to messages. Those of older mails stay unknown. FROZEN. */
export const mailAuthentication: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const json = sql.onDialectOrElse({ pg: () => "json", orElse: () => "TEXT" })
  yield* sql.unsafe(`ALTER TABLE messages ADD COLUMN authentication ${json}`)
})
