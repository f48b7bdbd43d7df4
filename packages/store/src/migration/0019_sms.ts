import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE phone_numbers (
    tenant_id ${text} NOT NULL, phone ${text} NOT NULL, is_default ${int} NOT NULL, created_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, phone)) ${clustered}`,
  // Finds the tenant of an inbound text or call by its destination number. A number belongs to only one tenant.
  `CREATE UNIQUE INDEX phone_numbers_phone ON phone_numbers (phone)`,
  `CREATE TABLE blocked_numbers (
    tenant_id ${text} NOT NULL, phone ${text} NOT NULL, created_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, phone)) ${clustered}`,
  `CREATE TABLE opt_outs (
    tenant_id ${text} NOT NULL, phone ${text} NOT NULL, own_phone ${text} NOT NULL, opted_out ${int} NOT NULL,
    source ${text} NOT NULL, changed_at ${int} NOT NULL, history ${json} NOT NULL,
    PRIMARY KEY (tenant_id, phone, own_phone)) ${clustered}`,
  // Texts use the same queue as emails. Their account and thread are empty, and `mail` contains the text.
  `ALTER TABLE sends ADD COLUMN channel ${text} NOT NULL DEFAULT 'email'`
]

/** Adds the phone numbers of tenants, blocked numbers, and opt-outs. FROZEN. */
export const sms: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
