import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statement = ({ clustered, int, json, text }: typeof sqlite): string =>
  `CREATE TABLE crm_first_syncs (
    tenant_id ${text} NOT NULL, location_id ${text} NOT NULL, state ${text} NOT NULL, step ${text} NOT NULL,
    cursor ${text}, total ${int}, counts ${json} NOT NULL, reason ${text}, version ${int} NOT NULL,
    started_at ${int} NOT NULL, updated_at ${int} NOT NULL, finished_at ${int},
    PRIMARY KEY (tenant_id, location_id)) ${clustered}`

/** Adds the progress of the first sync of each CRM location. FROZEN. */
export const firstSyncs: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* sql.unsafe(statement(words))
})
