import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

/** A list reads one index range for each state and tier in its filter. The tier of a lead without a tier is `''`. */
const leads: ReadonlyArray<string> = ["created_at", "last_message_at"].flatMap((time) => [
  `CREATE INDEX leads_${time} ON leads (tenant_id, state, coalesce(tier, ''), ${time}, lead_id) WHERE merged_into IS NULL`,
  `CREATE INDEX leads_assignee_${time} ON leads (tenant_id, assignee, state, coalesce(tier, ''), ${time}, lead_id)
    WHERE merged_into IS NULL AND assignee IS NOT NULL`
])

const scores = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE lead_scores (
    tenant_id ${text} NOT NULL, lead_id ${text} NOT NULL, score_id ${text} NOT NULL, message_id ${text},
    signal_id ${text}, created_at ${int} NOT NULL, score ${int} NOT NULL, tier ${text} NOT NULL,
    factors ${json} NOT NULL, recommended_actions ${json} NOT NULL, classification ${json},
    PRIMARY KEY (tenant_id, lead_id, score_id)) ${clustered}`
]

const messages: ReadonlyArray<string> = [
  // Reads the messages of a lead in order of time. It replaces `messages_lead`, because it begins with the same
  // columns.
  `CREATE INDEX messages_lead_time ON messages (tenant_id, lead_id, "timestamp", message_id) WHERE lead_id IS NOT NULL`,
  `DROP INDEX messages_lead`
]

const tasks = ({ int, text }: typeof sqlite): ReadonlyArray<string> => [
  `ALTER TABLE tasks ADD COLUMN disposition ${text}`,
  `ALTER TABLE tasks ADD COLUMN snooze_until ${int}`,
  `ALTER TABLE tasks ADD COLUMN updated_at ${int} NOT NULL DEFAULT 0`,
  `UPDATE tasks SET updated_at = created_at`,
  // Tasks without a due date come after all others: 9007199254740991 is `Number.MAX_SAFE_INTEGER`.
  `CREATE INDEX tasks_queue ON tasks (tenant_id, status, type, coalesce(due_at, 9007199254740991), created_at, task_id)`,
  `CREATE INDEX tasks_lead ON tasks (tenant_id, lead_id) WHERE lead_id IS NOT NULL`,
  `CREATE INDEX tasks_snoozed ON tasks (tenant_id, snooze_until) WHERE status = 'snoozed'`
]

/** Adds the indexes of lead and task lists, the history of lead scores, and snoozed tasks. FROZEN. */
export const leadsAndTasks: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  const statements = [...leads, ...scores(words), ...messages, ...tasks(words)]
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})
