import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", clustered: "" }

const statements = ({ clustered, int, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE notices (
    tenant_id ${text} NOT NULL, provider ${text} NOT NULL, notice_id ${text} NOT NULL, received_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, provider, notice_id)) ${clustered}`,
  `CREATE INDEX notices_received ON notices (tenant_id, received_at)`
]

/** Adds the ids of the received provider events, to recognise duplicates. FROZEN. */
export const notices: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
