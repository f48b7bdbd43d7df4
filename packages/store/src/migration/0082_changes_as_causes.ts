import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** SQLite cannot remove `NOT NULL` from a column, so a new column replaces it. */
const onSqlite: ReadonlyArray<string> = [
  "ALTER TABLE trigger_runs ADD COLUMN message TEXT",
  "UPDATE trigger_runs SET message = message_id",
  "ALTER TABLE trigger_runs DROP COLUMN message_id",
  "ALTER TABLE trigger_runs RENAME COLUMN message TO message_id",
  "ALTER TABLE trigger_runs ADD COLUMN task_id TEXT",
  "ALTER TABLE trigger_runs ADD COLUMN change TEXT"
]

const onPostgres: ReadonlyArray<string> = [
  "ALTER TABLE trigger_runs ALTER COLUMN message_id DROP NOT NULL",
  'ALTER TABLE trigger_runs ADD COLUMN task_id text COLLATE "C"',
  "ALTER TABLE trigger_runs ADD COLUMN change json"
]

/** Permits changes of records as causes of rules. FROZEN. */
export const changesAsCauses: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const statements = sql.onDialectOrElse({ pg: () => onPostgres, orElse: () => onSqlite })
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
