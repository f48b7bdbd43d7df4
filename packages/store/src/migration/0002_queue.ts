import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * What is due of each tenant lies together, so that workers go from tenant to tenant and nobody's backlog is in the way
 * of the others; see docs/decisions/0013-queue-and-wake-up.md.
 */
const queue: ReadonlyArray<string> = [
  `DROP INDEX signals_due`,
  `CREATE INDEX signals_due ON signals (tenant_id, due_at, signal_id) WHERE state = 'queued'`
]

/**
 * Counters of the request limiters, which servers on one Postgres share; a server on SQLite is alone and keeps its own in
 * memory. What belongs to no tenant (the operator, an address) has the empty tenant_id. Unlogged: nothing waits for the
 * disk, and a crash of the database gives every window anew, once. Rows change all the time and no index looks at what
 * changes: with room in their page they change in place. See docs/decisions/0014-request-limits.md.
 */
const limits: ReadonlyArray<string> = [
  `CREATE UNLOGGED TABLE rate_windows (
    tenant_id text COLLATE "C" NOT NULL, rate_key text COLLATE "C" NOT NULL, started_at bigint NOT NULL,
    ends_at bigint NOT NULL, used bigint NOT NULL, granted bigint NOT NULL, PRIMARY KEY (tenant_id, rate_key))
    WITH (fillfactor = 50)`
]

/** A queue that the tenant leads, and counters for many servers. FROZEN: changes go into a further migration. */
export const queueByTenant: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const statements = sql.onDialectOrElse({ pg: () => [...queue, ...limits], orElse: () => queue })
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
