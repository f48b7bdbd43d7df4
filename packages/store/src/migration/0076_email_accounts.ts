import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Permits several email accounts per tenant: adds the choice of the default account, and the account of a message, and
 * removes the constraint to one account. FROZEN.
 */
export const emailAccounts: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { int, text } = sql.onDialectOrElse({
    pg: () => ({ text: 'text COLLATE "C"', int: "bigint" }),
    orElse: () => ({ text: "TEXT", int: "INTEGER" })
  })
  yield* sql.unsafe("DROP INDEX grants_one")
  yield* sql.unsafe(`ALTER TABLE grants ADD COLUMN is_default ${int} NOT NULL DEFAULT 0`)
  yield* sql.unsafe(`ALTER TABLE messages ADD COLUMN grant_id ${text}`)
})
