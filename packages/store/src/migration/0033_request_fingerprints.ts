import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Adds the fingerprint of the request that created a message with an `Idempotency-Key`. FROZEN. */
export const requestFingerprints: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const text = sql.onDialectOrElse({ pg: () => 'text COLLATE "C"', orElse: () => "TEXT" })
  yield* sql.unsafe(`ALTER TABLE dedup_keys ADD COLUMN fingerprint ${text}`)
})
