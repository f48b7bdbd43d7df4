import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Adds the order of the enrolments in a sequence by time, for simulations of a period. FROZEN. */
export const enrolmentTimes: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe("CREATE INDEX enrolments_created ON enrolments (tenant_id, sequence_id, created_at, enrolment_id)")
})
