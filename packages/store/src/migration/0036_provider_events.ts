import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const table: ReadonlyArray<string> = [
  `ALTER TABLE notices RENAME TO provider_events`,
  `ALTER TABLE provider_events RENAME COLUMN notice_id TO event_id`
]

const sqliteIndexes: ReadonlyArray<string> = [
  `DROP INDEX notices_received`,
  `CREATE INDEX provider_events_received ON provider_events (tenant_id, received_at)`
]

const postgresIndexes: ReadonlyArray<string> = [
  `ALTER INDEX notices_received RENAME TO provider_events_received`,
  `ALTER INDEX notices_pkey RENAME TO provider_events_pkey`
]

/** Renames the table `notices` to `provider_events`. FROZEN. */
export const providerEvents: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const indexes = sql.onDialectOrElse({ pg: () => postgresIndexes, orElse: () => sqliteIndexes })
  yield* Effect.forEach([...table, ...indexes], (statement) => sql.unsafe(statement), { discard: true })
})
