import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Adds the secrets of sign-ins, and the claim of the renewal of a mailbox's tokens. FROZEN. */
export const mailboxTokens: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { int, text } = sql.onDialectOrElse({
    pg: () => ({ text: 'text COLLATE "C"', int: "bigint" }),
    orElse: () => ({ text: "TEXT", int: "INTEGER" })
  })
  yield* sql.unsafe(`ALTER TABLE sign_ins ADD COLUMN sealed ${text}`)
  yield* sql.unsafe(`ALTER TABLE mailbox_accounts ADD COLUMN renewal_claim ${int} NOT NULL DEFAULT 0`)
  yield* sql.unsafe(`ALTER TABLE mailbox_accounts ADD COLUMN renewing_until ${int} NOT NULL DEFAULT 0`)
})
