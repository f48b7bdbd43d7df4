import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Adds the time after which messages of the contact stop an enrolment. Null, also in rows of older servers: the time of
 * the enrolment. FROZEN.
 */
export const repliesToEnrolments: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const int = sql.onDialectOrElse({ pg: () => "bigint", orElse: () => "INTEGER" })
  yield* sql.unsafe(`ALTER TABLE enrolments ADD COLUMN replies_after ${int}`)
})
