import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID", plain: "STRICT" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "", plain: "" }

const statements = ({ clustered, int, json, plain, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE webhook_subscriptions (
    tenant_id ${text} NOT NULL, webhook_id ${text} NOT NULL, url ${text} NOT NULL, description ${text},
    event_types ${json} NOT NULL, max_in_flight ${int} NOT NULL, status ${text} NOT NULL, inactive_reason ${text},
    secret ${text} NOT NULL, former_secret ${text}, former_secret_until ${int},
    consecutive_failures ${int} NOT NULL, ailing ${int} NOT NULL, "position" ${int} NOT NULL, retry_at ${int} NOT NULL,
    next_at ${int} NOT NULL, last_success_at ${int}, last_failure_at ${int}, created_at ${int} NOT NULL,
    updated_at ${int} NOT NULL, lease ${text}, lease_until ${int} NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, webhook_id)) ${clustered}`,
  // Deliveries whose first attempt failed. `webhook_log` records successful first attempts, many per row.
  `CREATE TABLE webhook_deliveries (
    tenant_id ${text} NOT NULL, webhook_id ${text} NOT NULL, sequence ${int} NOT NULL, status ${text} NOT NULL,
    due_at ${int} NOT NULL, tries ${int} NOT NULL, attempts ${json} NOT NULL, updated_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, webhook_id, sequence)) ${plain}`,
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (tenant_id, webhook_id, due_at) WHERE status = 'pending'`,
  `CREATE INDEX webhook_deliveries_status ON webhook_deliveries (tenant_id, webhook_id, status, sequence)`,
  `CREATE TABLE webhook_log (
    tenant_id ${text} NOT NULL, webhook_id ${text} NOT NULL, first_sequence ${int} NOT NULL, entries ${json} NOT NULL,
    PRIMARY KEY (tenant_id, webhook_id, first_sequence)) ${clustered}`
]

/** Adds webhook subscriptions with their positions, and the results of deliveries. FROZEN. */
export const webhooks: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
