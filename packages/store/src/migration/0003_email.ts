import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID", plain: "STRICT" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "", plain: "" }

const statements = ({ text, int, json, clustered, plain }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE grants (
    tenant_id ${text} NOT NULL, grant_id ${text} NOT NULL, provider ${text} NOT NULL, email ${text} NOT NULL,
    name ${text}, status ${text} NOT NULL, created_at ${int} NOT NULL, updated_at ${int} NOT NULL,
    aliases ${json} NOT NULL, signature ${text}, PRIMARY KEY (tenant_id, grant_id)) ${clustered}`,
  // A tenant has at most one grant, in any state.
  `CREATE UNIQUE INDEX grants_one ON grants (tenant_id)`,
  // `mail` is long. It is the last column, so that counts and queries for due sends do not read it.
  `CREATE TABLE sends (
    tenant_id ${text} NOT NULL, message_id ${text} NOT NULL, send_key ${text} NOT NULL, fingerprint ${text} NOT NULL,
    grant_id ${text} NOT NULL, contact_id ${text} NOT NULL, lead_id ${text}, thread_id ${text} NOT NULL,
    correspondent ${text} NOT NULL, automatic ${int} NOT NULL, state ${text} NOT NULL, attempts ${int} NOT NULL,
    slot_at ${int} NOT NULL, due_at ${int} NOT NULL, created_at ${int} NOT NULL, ended_at ${int}, reason ${text},
    mail ${json} NOT NULL, PRIMARY KEY (tenant_id, message_id)) ${plain}`,
  `CREATE UNIQUE INDEX sends_key ON sends (tenant_id, send_key)`,
  `CREATE INDEX sends_slot ON sends (tenant_id, slot_at)`,
  `CREATE INDEX sends_automatic ON sends (tenant_id, correspondent, created_at) WHERE automatic = 1`,
  // The same order as in the queue of signals.
  `CREATE INDEX sends_due ON sends (tenant_id, due_at, message_id) WHERE state IN ('reserved', 'handed_over')`,
  `ALTER TABLE messages ADD COLUMN delivery ${text}`
]

/** Adds email accounts, the queue of sends, and the delivery status of messages. FROZEN. */
export const email: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
