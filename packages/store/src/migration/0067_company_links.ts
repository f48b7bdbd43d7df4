import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Remembers that a person removed a contact from its company, and queues the link of the contacts that existed before
 * their company. See docs/decisions/0116-company-links-and-names-of-users.md. FROZEN.
 */
export const companyLinks: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { int, json } = sql.onDialectOrElse({
    pg: () => ({ int: "bigint", json: "json" }),
    orElse: () => ({ int: "INTEGER", json: "TEXT" })
  })
  yield* sql.unsafe(`ALTER TABLE contacts ADD COLUMN company_removed ${int} NOT NULL DEFAULT 0`)
  // A domain contains no character that JSON escapes.
  yield* sql.unsafe(
    `INSERT INTO jobs (tenant_id, job_id, attempts, due_at, created_at, reason, job)
      SELECT tenant_id, 'link_company:' || domain, 0, updated_at, updated_at, NULL,
          CAST('{"kind":"link_company","domain":"' || domain || '","after":""}' AS ${json})
        FROM companies WHERE domain IS NOT NULL`
  )
})
