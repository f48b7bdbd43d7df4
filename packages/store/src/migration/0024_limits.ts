import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * What request limiters remember, in place of their fixed windows: the times at which requests of a key were allowed, and
 * how many had been allowed up to each. Their first entry is the last one that is over, so that the difference of two
 * totals is what is used. Arrays are not packed (EXTERNAL): that costs more than the few kilobytes that it saves. As
 * before it is unlogged, and of Postgres alone; see docs/decisions/0050-limiters.md.
 */
const statements: ReadonlyArray<string> = [
  `DROP TABLE rate_windows`,
  `CREATE UNLOGGED TABLE rate_logs (
    tenant_id text COLLATE "C" NOT NULL, rate_key text COLLATE "C" NOT NULL, times bigint[] NOT NULL,
    totals bigint[] NOT NULL, ends_at bigint NOT NULL, granted bigint NOT NULL, PRIMARY KEY (tenant_id, rate_key))
    WITH (fillfactor = 50)`,
  `ALTER TABLE rate_logs ALTER COLUMN times SET STORAGE EXTERNAL, ALTER COLUMN totals SET STORAGE EXTERNAL`
]

/** Windows of the request limiters that slide. FROZEN. */
export const limits: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const needed = sql.onDialectOrElse({ pg: () => statements, orElse: () => [] })
  yield* Effect.forEach(needed, (statement) => sql.unsafe(statement), { discard: true })
})
