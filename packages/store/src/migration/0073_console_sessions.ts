import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Adds the sessions of the web console. FROZEN. */
export const consoleSessions: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { ending, int, text } = sql.onDialectOrElse({
    pg: () => ({ text: 'text COLLATE "C"', int: "bigint", ending: "" }),
    orElse: () => ({ text: "TEXT", int: "INTEGER", ending: "STRICT, WITHOUT ROWID" })
  })
  yield* sql.unsafe(`CREATE TABLE console_sessions (
    tenant_id ${text} NOT NULL, session_id ${text} NOT NULL, user_id ${text}, role ${text} NOT NULL,
    started_at ${int} NOT NULL, ends_at ${int} NOT NULL, revoked_at ${int}, PRIMARY KEY (tenant_id, session_id)) ${ending}`)
  yield* sql.unsafe("CREATE INDEX console_sessions_end ON console_sessions (tenant_id, ends_at)")
})
