import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The columns for the names of users. The names of existing rows stay unknown. */
const nameColumns = [
  ["audit_entries", "user_name"],
  ["activities", "user_name"],
  ["thread_corrections", "user_name"],
  ["thread_corrections", "undone_by_user_name"],
  ["config_changes", "changed_by_user_name"]
] as const

/**
 * Remembers that a person removed a contact from its company, and queues the link of the contacts that existed before
 * their company. Adds the names of users at the time of their actions. See docs/decisions/0116-company-links-and-names-of-users.md. FROZEN.
 */
export const linksAndNames: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { int, json, text } = sql.onDialectOrElse({
    pg: () => ({ int: "bigint", json: "json", text: 'text COLLATE "C"' }),
    orElse: () => ({ int: "INTEGER", json: "TEXT", text: "TEXT" })
  })
  for (const [table, column] of nameColumns) yield* sql.unsafe(`ALTER TABLE ${table} ADD COLUMN ${column} ${text}`)
  yield* sql.unsafe(`ALTER TABLE contacts ADD COLUMN company_removed ${int} NOT NULL DEFAULT 0`)
  // A domain contains no character that JSON escapes.
  yield* sql.unsafe(
    `INSERT INTO jobs (tenant_id, job_id, attempts, due_at, created_at, reason, job)
      SELECT tenant_id, 'link_company:' || domain, 0, updated_at, updated_at, NULL,
          CAST('{"kind":"link_company","domain":"' || domain || '","after":""}' AS ${json})
        FROM companies WHERE domain IS NOT NULL`
  )
})
