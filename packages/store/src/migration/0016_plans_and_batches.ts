import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `ALTER TABLE tenants ADD COLUMN plan ${text} NOT NULL DEFAULT 'trial'`,
  // These caps override the caps of the plan. Null means the cap of the plan.
  `ALTER TABLE tenants ADD COLUMN cap_actions ${int}`,
  `ALTER TABLE tenants ADD COLUMN cap_ai_calls ${int}`,
  // `batch_id` sorts by time, so the primary key has the order of the list.
  `CREATE TABLE batches (
    tenant_id ${text} NOT NULL, batch_id ${text} NOT NULL, idempotency_key ${text}, fingerprint ${text} NOT NULL,
    total ${int} NOT NULL, created_at ${int} NOT NULL, PRIMARY KEY (tenant_id, batch_id)) ${clustered}`,
  `CREATE UNIQUE INDEX batches_key ON batches (tenant_id, idempotency_key) WHERE idempotency_key IS NOT NULL`,
  `CREATE TABLE batch_items (
    tenant_id ${text} NOT NULL, batch_id ${text} NOT NULL, item_index ${int} NOT NULL, status ${text} NOT NULL,
    signal_id ${text}, failure ${json}, PRIMARY KEY (tenant_id, batch_id, item_index)) ${clustered}`
]

/** Adds the plans of tenants, and batches of requests. FROZEN. */
export const plansAndBatches: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
