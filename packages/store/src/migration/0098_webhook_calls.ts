import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE webhook_calls (
    tenant_id ${text} NOT NULL, call_id ${text} NOT NULL, request ${json} NOT NULL, tries ${int} NOT NULL,
    attempts ${int} NOT NULL, due_at ${int} NOT NULL, created_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, call_id)) ${clustered}`,
  `CREATE INDEX webhook_calls_due ON webhook_calls (tenant_id, due_at, call_id) WHERE attempts >= 0`
]

/** Adds the calls of webhooks by rules. See docs/decisions/0152-rules-call-webhooks.md. FROZEN. */
export const webhookCalls: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
