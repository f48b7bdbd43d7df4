import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

interface JobRow {
  readonly tenant_id: string
  readonly job_id: string
  /** JSON. Some Postgres clients parse it. */
  readonly job: unknown
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Renames the field `deed` to `operation` in jobs that carry out an action of a rule in the CRM. FROZEN. */
export const crmOperations: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  // The ids of these jobs begin with `crm_action:`. In byte order, `;` follows `:`.
  const rows = yield* sql<JobRow>`SELECT tenant_id, job_id, job FROM jobs
    WHERE job_id >= 'crm_action:' AND job_id < 'crm_action;'`
  for (const { job, job_id: jobId, tenant_id: tenantId } of rows) {
    const stored: unknown = typeof job === "string" ? JSON.parse(job) : job
    if (!isRecord(stored) || !("deed" in stored)) continue
    const { deed: operation, ...rest } = stored
    const renamed = JSON.stringify({ ...rest, operation })
    yield* sql`UPDATE jobs SET job = ${renamed} WHERE tenant_id = ${tenantId} AND job_id = ${jobId}`
  }
})
