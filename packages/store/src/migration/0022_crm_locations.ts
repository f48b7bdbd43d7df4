import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** How each dialect spells what the tables are made of. */
const sqlite = { text: "TEXT", int: "INTEGER", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", clustered: "" }

const statements = ({ clustered, int, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE crm_locations (
    tenant_id ${text} NOT NULL, location_id ${text} NOT NULL, sessions ${text} NOT NULL, created_at ${int} NOT NULL,
    updated_at ${int} NOT NULL, PRIMARY KEY (tenant_id, location_id)) ${clustered}`,
  // As keys: what the CRM calls names a location, and the tenant is what is asked. A location has one.
  `CREATE UNIQUE INDEX crm_locations_location ON crm_locations (location_id)`,
  // Calls of workflows have no id: this is what they say, hashed, and when it was said first.
  `CREATE TABLE crm_calls (
    tenant_id ${text} NOT NULL, call_key ${text} NOT NULL, first_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, call_key)) ${clustered}`,
  `CREATE INDEX crm_calls_first ON crm_calls (tenant_id, first_at)`
]

/** Which locations of the CRM stand for which tenants, and what was called from there lately. FROZEN. */
export const crmLocations: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
