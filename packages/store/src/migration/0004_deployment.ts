import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Adds the table of values that apply to the whole deployment, one row per name. FROZEN. */
export const deployment: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { text, ending } = sql.onDialectOrElse({
    pg: () => ({ text: 'text COLLATE "C"', ending: "" }),
    orElse: () => ({ text: "TEXT", ending: "STRICT, WITHOUT ROWID" })
  })
  yield* sql.unsafe(
    `CREATE TABLE deployment (name ${text} NOT NULL, value ${text} NOT NULL, PRIMARY KEY (name)) ${ending}`
  )
})
