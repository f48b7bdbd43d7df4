import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statement = ({ clustered, int, json, text }: typeof sqlite): string =>
  `CREATE TABLE tracking_consents (
    tenant_id ${text} NOT NULL, email ${text} NOT NULL, opted_out ${int} NOT NULL, source ${text} NOT NULL,
    changed_at ${int} NOT NULL, evidence ${json}, history ${json} NOT NULL,
    PRIMARY KEY (tenant_id, email)) ${clustered}`

/** Adds the consents of contacts to the recording of opened links. FROZEN. */
export const trackingConsents: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe(statement(sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })))
})
