import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `ALTER TABLE identities ADD COLUMN label ${text}`,
  `ALTER TABLE identities ADD COLUMN verified_at ${int}`,
  `ALTER TABLE opt_outs ADD COLUMN evidence ${json}`,
  `ALTER TABLE contacts ADD COLUMN custom_fields ${json} NOT NULL DEFAULT '{}'`,
  `ALTER TABLE contacts ADD COLUMN company_id ${text}`,
  `CREATE TABLE custom_fields (
    tenant_id ${text} NOT NULL, field_id ${text} NOT NULL, entity ${text} NOT NULL, key ${text} NOT NULL,
    label ${text} NOT NULL, type ${text} NOT NULL, options ${json} NOT NULL, required ${int} NOT NULL,
    created_at ${int} NOT NULL, updated_at ${int} NOT NULL, PRIMARY KEY (tenant_id, field_id)) ${clustered}`,
  `CREATE UNIQUE INDEX custom_fields_key ON custom_fields (tenant_id, entity, key)`
]

/** Adds details of identities, evidence of consent, and custom fields. FROZEN. */
export const contactWorkspace: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
