import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE crm_installs (
    tenant_id ${text} NOT NULL, location_id ${text} NOT NULL, company_id ${text}, sync ${text} NOT NULL,
    status ${text} NOT NULL,
    sealed_access ${text} NOT NULL, sealed_refresh ${text} NOT NULL, expires_at ${int} NOT NULL, scopes ${json} NOT NULL,
    version ${int} NOT NULL, refreshing_until ${int}, reason ${text}, installed_at ${int} NOT NULL,
    updated_at ${int} NOT NULL, PRIMARY KEY (tenant_id, location_id)) ${clustered}`,
  `CREATE TABLE crm_links (
    tenant_id ${text} NOT NULL, location_id ${text} NOT NULL, crm_contact_id ${text} NOT NULL,
    contact_id ${text} NOT NULL, ours ${json} NOT NULL, theirs ${json} NOT NULL, sending ${json},
    version ${int} NOT NULL, gone_at ${int}, created_at ${int} NOT NULL, updated_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, location_id, crm_contact_id)) ${clustered}`,
  `CREATE INDEX crm_links_contact ON crm_links (tenant_id, contact_id)`
]

/** Adds installations in CRM locations, and links between CRM contacts and the contacts of a tenant. FROZEN. */
export const crm: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
