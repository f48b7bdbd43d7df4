import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Replaces the fixed windows of the request limiters with sliding ones. `times` holds the times of the allowed requests
 * of a key. `totals` holds the number of allowed requests up to each time. The first entry is the last expired one, so
 * the used amount is the difference of two totals. `EXTERNAL` turns off compression, because it costs more than the few
 * kilobytes that it saves. As before, the table is unlogged and exists only on Postgres. See
 * docs/decisions/0050-limiters.md.
 */
const statements: ReadonlyArray<string> = [
  `DROP TABLE rate_windows`,
  `CREATE UNLOGGED TABLE rate_logs (
    tenant_id text COLLATE "C" NOT NULL, rate_key text COLLATE "C" NOT NULL, times bigint[] NOT NULL,
    totals bigint[] NOT NULL, ends_at bigint NOT NULL, granted bigint NOT NULL, PRIMARY KEY (tenant_id, rate_key))
    WITH (fillfactor = 50)`,
  `ALTER TABLE rate_logs ALTER COLUMN times SET STORAGE EXTERNAL, ALTER COLUMN totals SET STORAGE EXTERNAL`
]

/** Adds the sliding windows of the request limiters. FROZEN. */
export const limits: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const needed = sql.onDialectOrElse({ pg: () => statements, orElse: () => [] })
  yield* Effect.forEach(needed, (statement) => sql.unsafe(statement), { discard: true })
})
