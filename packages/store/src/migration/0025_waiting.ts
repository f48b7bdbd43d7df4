import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The value of a time that is never reached. */
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
 * Marks the tenants with events that an active subscription has not processed, and indexes the subscriptions with a
 * scheduled time. A query for work then does not scan all other rows. FROZEN.
 */
export const waiting: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const int = sql.onDialectOrElse({ pg: () => "bigint", orElse: () => "INTEGER" })
  yield* Effect.forEach(statements(int), (statement) => sql.unsafe(statement), { discard: true })
})
