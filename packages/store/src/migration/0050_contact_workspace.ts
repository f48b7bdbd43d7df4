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
  `CREATE UNIQUE INDEX custom_fields_key ON custom_fields (tenant_id, entity, key)`,
  `CREATE TABLE companies (
    tenant_id ${text} NOT NULL, company_id ${text} NOT NULL, name ${text} NOT NULL, domain ${text}, notes ${text},
    custom_fields ${json} NOT NULL, created_at ${int} NOT NULL, updated_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, company_id)) ${clustered}`,
  `CREATE UNIQUE INDEX companies_domain ON companies (tenant_id, domain) WHERE domain IS NOT NULL`,
  `CREATE INDEX companies_name ON companies (tenant_id, lower(name), company_id)`,
  // Contacts without a name follow all others, because the character comes after all characters of names.
  `CREATE INDEX contacts_name ON contacts (tenant_id, coalesce(lower(name), '\u{10FFFD}'), contact_id)
    WHERE archived_at IS NULL`,
  `CREATE INDEX contacts_archived_name ON contacts (tenant_id, coalesce(lower(name), '\u{10FFFD}'), contact_id)
    WHERE archived_at IS NOT NULL AND merged_into IS NULL`,
  `CREATE TABLE segments (
    tenant_id ${text} NOT NULL, segment_id ${text} NOT NULL, name ${text} NOT NULL, filters ${json} NOT NULL,
    created_at ${int} NOT NULL, updated_at ${int} NOT NULL, PRIMARY KEY (tenant_id, segment_id)) ${clustered}`
]

/** Adds details of identities, evidence of consent, custom fields, companies, segments, and the order of contacts by name. FROZEN. */
export const contactWorkspace: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
