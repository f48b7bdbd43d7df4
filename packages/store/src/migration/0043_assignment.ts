import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** A list reads one index range for each state and tier in its filter. The tier of a lead without a tier is `''`. */
const lists: ReadonlyArray<string> = ["assignee_id", "team_id"].flatMap((holder) =>
  ["created_at", "last_message_at"].map(
    (time) => `CREATE INDEX leads_${holder}_${time} ON leads
      (tenant_id, ${holder}, state, coalesce(tier, ''), ${time}, lead_id)
      WHERE merged_into IS NULL AND ${holder} IS NOT NULL`
  )
)

/** The counters of reports, and the index by which their worker follows runs. */
const reports = (text: string, int: string, clustered: string): ReadonlyArray<string> => [
  `CREATE TABLE report_counts (
    tenant_id ${text} NOT NULL, metric ${text} NOT NULL, day ${text} NOT NULL, channel ${text} NOT NULL,
    user_id ${text} NOT NULL, source ${text} NOT NULL, detail ${text} NOT NULL, "count" ${int} NOT NULL,
    seconds ${int} NOT NULL, PRIMARY KEY (tenant_id, metric, day, channel, user_id, source, detail)) ${clustered}`,
  `CREATE TABLE report_positions (
    tenant_id ${text} NOT NULL, stream ${text} NOT NULL, position ${text} NOT NULL,
    PRIMARY KEY (tenant_id, stream)) ${clustered}`,
  "CREATE INDEX runs_in_order ON runs (tenant_id, run_id)"
]

/**
 * Adds the users and teams of leads, the users who wrote messages and made changes, the locale of tenants, and the
 * counters of reports. FROZEN. */
export const assignment: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { clustered, int, text } = sql.onDialectOrElse({
    pg: () => ({ text: 'text COLLATE "C"', int: "bigint", clustered: "" }),
    orElse: () => ({ text: "TEXT", int: "INTEGER", clustered: "STRICT, WITHOUT ROWID" })
  })
  const columns = [
    ["leads", "assignee_id"],
    ["leads", "team_id"],
    ["messages", "user_id"],
    ["activities", "user_id"],
    ["audit_entries", "user_id"],
    ["tenants", "locale"]
  ]
  yield* Effect.forEach(columns, ([table, column]) => sql.unsafe(`ALTER TABLE ${table} ADD COLUMN ${column} ${text}`), {
    discard: true
  })
  yield* Effect.forEach([...lists, ...reports(text, int, clustered)], (statement) => sql.unsafe(statement), {
    discard: true
  })
})
