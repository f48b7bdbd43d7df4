import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const statements = (json: string): ReadonlyArray<string> => [
  `ALTER TABLE runs ADD COLUMN inputs ${json}`,
  `ALTER TABLE runs ADD COLUMN recordings ${json}`,
  // Signal ids sort in the order of their messages, so these indexes return the pages of the lists in that order.
  `CREATE INDEX runs_contact ON runs (tenant_id, contact_id, signal_id)`,
  `CREATE INDEX runs_lead ON runs (tenant_id, lead_id, signal_id) WHERE lead_id IS NOT NULL`,
  // Counts the recent messages to a contact, and finds the last one from a person. Messages of the contact are not
  // indexed.
  `CREATE INDEX messages_ours ON messages (tenant_id, contact_id, actor, "timestamp")
    WHERE actor IN ('assistant', 'agent')`
]

/** Adds the inputs and recordings of runs for replays, and the indexes of run lists. FROZEN. */
export const runs: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const json = sql.onDialectOrElse({ pg: () => "json", orElse: () => "TEXT" })
  yield* Effect.forEach(statements(json), (statement) => sql.unsafe(statement), { discard: true })
})
