import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Adds the unused tickets of event streams. FROZEN. */
export const streamTickets: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { ending, int, text } = sql.onDialectOrElse({
    pg: () => ({ text: 'text COLLATE "C"', int: "bigint", ending: "" }),
    orElse: () => ({ text: "TEXT", int: "INTEGER", ending: "STRICT, WITHOUT ROWID" })
  })
  yield* sql.unsafe(`CREATE TABLE stream_tickets (
    tenant_id ${text} NOT NULL, hash ${text} NOT NULL, sealed ${text} NOT NULL, expires_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, hash)) ${ending}`)
  yield* sql.unsafe("CREATE INDEX stream_tickets_expiry ON stream_tickets (tenant_id, expires_at)")
})
