import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", clustered: "" }

const statements = ({ clustered, int, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE crm_locations (
    tenant_id ${text} NOT NULL, location_id ${text} NOT NULL, sessions ${text} NOT NULL, created_at ${int} NOT NULL,
    updated_at ${int} NOT NULL, PRIMARY KEY (tenant_id, location_id)) ${clustered}`,
  // Finds the tenant of a call from the CRM by its location. A location belongs to only one tenant.
  `CREATE UNIQUE INDEX crm_locations_location ON crm_locations (location_id)`,
  // Calls of CRM workflows have no id. `call_key` is a hash of the content, and `first_at` the time of the first call.
  `CREATE TABLE crm_calls (
    tenant_id ${text} NOT NULL, call_key ${text} NOT NULL, first_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, call_key)) ${clustered}`,
  `CREATE INDEX crm_calls_first ON crm_calls (tenant_id, first_at)`
]

/** Adds the tenants of CRM locations, and the recent calls of CRM workflows. FROZEN. */
export const crmLocations: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
