import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** How each dialect spells what the tables are made of. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE phone_numbers (
    tenant_id ${text} NOT NULL, phone ${text} NOT NULL, is_default ${int} NOT NULL, created_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, phone)) ${clustered}`,
  // What arrives names a number, and the tenant is what is asked; a number is one tenant's.
  `CREATE UNIQUE INDEX phone_numbers_phone ON phone_numbers (phone)`,
  `CREATE TABLE blocked_numbers (
    tenant_id ${text} NOT NULL, phone ${text} NOT NULL, created_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, phone)) ${clustered}`,
  `CREATE TABLE opt_outs (
    tenant_id ${text} NOT NULL, phone ${text} NOT NULL, own_phone ${text} NOT NULL, opted_out ${int} NOT NULL,
    source ${text} NOT NULL, changed_at ${int} NOT NULL, history ${json} NOT NULL,
    PRIMARY KEY (tenant_id, phone, own_phone)) ${clustered}`,
  // Texts go out as mails do. They have no account and no thread, which are empty then; mail holds what is sent.
  `ALTER TABLE sends ADD COLUMN channel ${text} NOT NULL DEFAULT 'email'`
]

/** Numbers of tenants, whom they have blocked, and who does not want to hear from them. FROZEN. */
export const sms: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
