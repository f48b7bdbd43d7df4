import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const statements = (json: string): ReadonlyArray<string> => [
  `ALTER TABLE runs ADD COLUMN inputs ${json}`,
  `ALTER TABLE runs ADD COLUMN recordings ${json}`,
  // Ids of signals are in the order of their messages: so are pages.
  `CREATE INDEX runs_contact ON runs (tenant_id, contact_id, signal_id)`,
  `CREATE INDEX runs_lead ON runs (tenant_id, lead_id, signal_id) WHERE lead_id IS NOT NULL`,
  // How often we wrote to a contact of late, and when a person last did. What contacts write is not in it.
  `CREATE INDEX messages_ours ON messages (tenant_id, contact_id, actor, "timestamp")
    WHERE actor IN ('assistant', 'agent')`
]

/** What runs were made from, so that they can be replayed, and what lists of them are read by. FROZEN. */
export const runs: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const json = sql.onDialectOrElse({ pg: () => "json", orElse: () => "TEXT" })
  yield* Effect.forEach(statements(json), (statement) => sql.unsafe(statement), { discard: true })
})
