import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  // `audit_id` sorts by time, so the primary key has the order of the list.
  `CREATE TABLE audit_entries (
    tenant_id ${text} NOT NULL, audit_id ${text} NOT NULL, happened_at ${int} NOT NULL, actor ${text} NOT NULL,
    "action" ${text} NOT NULL, target ${json} NOT NULL, address ${text}, request_id ${text}, "change" ${json},
    PRIMARY KEY (tenant_id, audit_id)) ${clustered}`
]

/** Adds the audit trail. FROZEN. */
export const audit: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
