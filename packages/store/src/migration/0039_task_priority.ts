import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Adds the priority of tasks, `normal` for existing ones, and the index of lists of one priority. 9007199254740991 is
 * `Number.MAX_SAFE_INTEGER`: tasks without a due date come after all others. FROZEN.
 */
export const taskPriority: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const text = sql.onDialectOrElse({ pg: () => 'text COLLATE "C"', orElse: () => "TEXT" })
  yield* sql.unsafe(`ALTER TABLE tasks ADD COLUMN priority ${text} NOT NULL DEFAULT 'normal'`)
  yield* sql.unsafe(`CREATE INDEX tasks_priority ON tasks
    (tenant_id, status, type, priority, coalesce(due_at, 9007199254740991), created_at, task_id)`)
})
