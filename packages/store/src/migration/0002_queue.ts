import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Puts the due signals of each tenant next to each other in the index. Workers serve the tenants in turn, so the
 * backlog of one tenant does not delay the others. See docs/decisions/0013-queue-and-wake-up.md.
 */
const queue: ReadonlyArray<string> = [
  `DROP INDEX signals_due`,
  `CREATE INDEX signals_due ON signals (tenant_id, due_at, signal_id) WHERE state = 'queued'`
]

/**
 * The counters of the request limiters, shared by all servers on one Postgres. A server on SQLite runs alone and counts
 * in memory. Counters without a tenant, such as that of the operator, have an empty `tenant_id`. The table is
 * unlogged: writes do not wait for the disk, and a crash of the database resets all windows. The rows change often, but
 * their indexed columns do not. `fillfactor` leaves space in each page, so Postgres updates a row without a change to
 * the index. See docs/decisions/0014-request-limits.md.
 */
const limits: ReadonlyArray<string> = [
  `CREATE UNLOGGED TABLE rate_windows (
    tenant_id text COLLATE "C" NOT NULL, rate_key text COLLATE "C" NOT NULL, started_at bigint NOT NULL,
    ends_at bigint NOT NULL, used bigint NOT NULL, granted bigint NOT NULL, PRIMARY KEY (tenant_id, rate_key))
    WITH (fillfactor = 50)`
]

/** Orders the queue of signals by tenant, and adds shared request counters. FROZEN: changes need a new migration. */
export const queueByTenant: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const statements = sql.onDialectOrElse({ pg: () => [...queue, ...limits], orElse: () => queue })
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
