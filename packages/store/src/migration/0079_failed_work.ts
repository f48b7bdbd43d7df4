import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Adds the indexes with which failed work of all tenants is counted. FROZEN. */
export const failedWork: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe("CREATE INDEX signals_failed ON signals (ended_at) WHERE state = 'failed'")
  yield* sql.unsafe("CREATE INDEX sends_failed ON sends (ended_at) WHERE state = 'failed'")
  yield* sql.unsafe("CREATE INDEX jobs_failed ON jobs (tenant_id) WHERE attempts > 0 AND reason IS NOT NULL")
  yield* sql.unsafe("CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (updated_at) WHERE status = 'failed'")
})
