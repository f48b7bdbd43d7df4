import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", clustered: "" }

/** Tasks without a due date come after all others: 9007199254740991 is `Number.MAX_SAFE_INTEGER`. */
const order = "status, type, priority, coalesce(due_at, 9007199254740991), created_at, task_id"

const tasks = ({ int, text }: typeof sqlite): ReadonlyArray<string> => [
  `ALTER TABLE tasks ADD COLUMN description ${text}`,
  `ALTER TABLE tasks ADD COLUMN assignee_id ${text}`,
  `ALTER TABLE tasks ADD COLUMN team_id ${text}`,
  `ALTER TABLE tasks ADD COLUMN remind_at ${int}`,
  `ALTER TABLE tasks ADD COLUMN recurrence ${text}`,
  `ALTER TABLE tasks ADD COLUMN recurrence_minute ${int}`,
  `ALTER TABLE tasks ADD COLUMN next_task_id ${text}`,
  `CREATE INDEX tasks_assignee ON tasks (tenant_id, assignee_id, ${order}) WHERE assignee_id IS NOT NULL`,
  `CREATE INDEX tasks_team ON tasks (tenant_id, team_id, ${order}) WHERE team_id IS NOT NULL`
]

const comments = ({ clustered, int, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE task_comments (
    tenant_id ${text} NOT NULL, task_id ${text} NOT NULL, comment_id ${text} NOT NULL, author_id ${text},
    author ${text} NOT NULL, body ${text} NOT NULL, created_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, task_id, comment_id)) ${clustered}`
]

/** Adds the fields of tasks that people create, and comments on tasks. FROZEN. */
export const tasksOfPeople: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  const statements = [...tasks(words), ...comments(words)]
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
