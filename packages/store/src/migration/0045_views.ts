import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

/** Adds the saved views of the inbox. FROZEN. */
export const views: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { clustered, int, json, text } = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* sql.unsafe(`CREATE TABLE views (
    tenant_id ${text} NOT NULL, view_id ${text} NOT NULL, name ${text} NOT NULL, filters ${json} NOT NULL,
    owner_id ${text}, shared ${int} NOT NULL, created_at ${int} NOT NULL, updated_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, view_id)) ${clustered}`)
  yield* sql.unsafe("CREATE INDEX views_shared ON views (tenant_id, view_id) WHERE shared = 1")
  yield* sql.unsafe("CREATE INDEX views_private ON views (tenant_id, owner_id, view_id) WHERE shared = 0")
})
