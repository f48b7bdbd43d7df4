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

/** Adds the users and teams of leads, the users who wrote messages and made changes, and the locale of tenants. FROZEN. */
export const assignment: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const text = sql.onDialectOrElse({ pg: () => 'text COLLATE "C"', orElse: () => "TEXT" })
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
  yield* Effect.forEach(lists, (statement) => sql.unsafe(statement), { discard: true })
})
