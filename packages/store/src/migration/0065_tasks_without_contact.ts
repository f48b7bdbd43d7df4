import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** SQLite cannot remove `NOT NULL` from a column, so a new column replaces it. */
const onSqlite: ReadonlyArray<string> = [
  `DROP INDEX tasks_contact`,
  `ALTER TABLE tasks ADD COLUMN contact TEXT`,
  `UPDATE tasks SET contact = contact_id`,
  `ALTER TABLE tasks DROP COLUMN contact_id`,
  `ALTER TABLE tasks RENAME COLUMN contact TO contact_id`,
  `CREATE INDEX tasks_contact ON tasks (tenant_id, contact_id, created_at, task_id)`
]

/** Permits tasks without a contact. See docs/decisions/0113-tasks-without-a-contact.md. FROZEN. */
export const tasksWithoutContact: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const statements = sql.onDialectOrElse({
    pg: () => [`ALTER TABLE tasks ALTER COLUMN contact_id DROP NOT NULL`],
    orElse: () => onSqlite
  })
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
