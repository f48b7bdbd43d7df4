import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Adds the origins in the current configurations, by which a lookup finds a tenant. Configurations of earlier versions
 * contain none. FROZEN.
 */
export const sessionOrigins: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { ending, text } = sql.onDialectOrElse({
    pg: () => ({ text: 'text COLLATE "C"', ending: "" }),
    orElse: () => ({ text: "TEXT", ending: "STRICT, WITHOUT ROWID" })
  })
  yield* sql.unsafe(`CREATE TABLE session_origins (
    tenant_id ${text} NOT NULL, origin ${text} NOT NULL, PRIMARY KEY (tenant_id, origin)) ${ending}`)
  yield* sql.unsafe("CREATE INDEX session_origins_origin ON session_origins (origin)")
})
