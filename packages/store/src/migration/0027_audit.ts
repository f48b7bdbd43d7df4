import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** How each dialect spells what the tables are made of. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  // Ids are ordered by time: the key is the order of the list, too.
  `CREATE TABLE audit_entries (
    tenant_id ${text} NOT NULL, audit_id ${text} NOT NULL, happened_at ${int} NOT NULL, actor ${text} NOT NULL,
    "action" ${text} NOT NULL, target ${json} NOT NULL, address ${text}, request_id ${text}, "change" ${json},
    PRIMARY KEY (tenant_id, audit_id)) ${clustered}`
]

/** Who did what with privileges. FROZEN. */
export const audit: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})
