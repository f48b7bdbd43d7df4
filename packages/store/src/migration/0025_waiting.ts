import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The time that does not come. */
const never = Number.MAX_SAFE_INTEGER

const statements = (int: string): ReadonlyArray<string> => [
  `ALTER TABLE event_sequences ADD COLUMN waiting ${int} NOT NULL DEFAULT 0`,
  `UPDATE event_sequences SET waiting = 1 WHERE EXISTS (SELECT 1 FROM webhook_subscriptions AS s
    WHERE s.tenant_id = event_sequences.tenant_id AND s.status = 'active'
      AND s."position" < event_sequences.last_sequence)`,
  "CREATE INDEX event_sequences_waiting ON event_sequences (tenant_id) WHERE waiting = 1",
  `CREATE INDEX webhook_subscriptions_waiting ON webhook_subscriptions (tenant_id, webhook_id)
    WHERE next_at < ${never} AND (retry_at < ${never} OR status = 'paused')`
]

/**
 * Which tenants have events that an active subscription has not come to, and which subscriptions wait for a time: so that
 * nobody who looks for work goes through all the others. FROZEN.
 */
export const waiting: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const int = sql.onDialectOrElse({ pg: () => "bigint", orElse: () => "INTEGER" })
  yield* Effect.forEach(statements(int), (statement) => sql.unsafe(statement), { discard: true })
})
