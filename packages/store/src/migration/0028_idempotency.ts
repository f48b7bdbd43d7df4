import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", clustered: "" }

const statements = ({ clustered, int, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE idempotency_records (
    tenant_id ${text} NOT NULL, credential ${text} NOT NULL, route ${text} NOT NULL, idempotency_key ${text} NOT NULL,
    fingerprint ${text} NOT NULL, state ${text} NOT NULL, answer ${text}, lease_until ${int} NOT NULL,
    created_at ${int} NOT NULL, PRIMARY KEY (tenant_id, credential, route, idempotency_key)) ${clustered}`,
  `CREATE INDEX idempotency_records_created ON idempotency_records (tenant_id, created_at)`,
  `CREATE INDEX idempotency_records_state ON idempotency_records (tenant_id, state)`
]

/** Adds the records of requests with an idempotency key. FROZEN. */
export const idempotency: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
