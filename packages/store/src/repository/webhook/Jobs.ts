import { unchecked } from "@leadloom/core/internal/domain/Field"
import { type Job, JobState, type QueuedJob } from "@leadloom/core/internal/domain/job/Job"
import { Jobs, type JobAttempt } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { Effect, Layer, Schema } from "effect"
import { Database } from "../../Database.ts"
import { makeClaim, type WorkTable } from "../../queue/Claim.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"
import { makeWakeUps } from "../../queue/WakeUps.ts"

class JobRow extends Schema.Opaque<JobRow>()(Schema.Struct({ ...JobState.fields, job: unchecked<Job>() })) {}

const jobs = table(JobRow, { name: "jobs", key: ["tenantId", "jobId"] })

/** The work table of jobs. Finished jobs are deleted, so every row is open. */
export const work: WorkTable = {
  name: "jobs",
  id: "job_id",
  open: "attempts >= 0",
  index: "jobs_due",
  changes: "attempts = attempts + 1",
  columns: jobs.columns
}

/** Returns the first text that sorts after all texts with a prefix, in byte order. */
const behind = (beginning: string): string => {
  const last = beginning.codePointAt(beginning.length - 1) ?? 0
  return `${beginning.slice(0, -1)}${String.fromCodePoint(last + 1)}`
}

/** Stores jobs in SQL. */
export const layer: Layer.Layer<Jobs, never, Database> = Layer.effect(
  Jobs,
  Effect.map(Database, (database) => {
    const { command, query } = database
    const held = "tenant_id = ? AND job_id = ? AND attempts = ?"
    const keyOf = ({ attempts, jobId, tenantId }: JobAttempt) => [tenantId, jobId, attempts] as const
    const put = command(`${jobs.insert} ON CONFLICT (tenant_id, job_id) DO NOTHING`)
    const renew = command(`${jobs.insert} ON CONFLICT (tenant_id, job_id) DO UPDATE SET attempts = jobs.attempts + 1`)
    const hurry = command("UPDATE jobs SET due_at = ? WHERE tenant_id = ? AND job_id = ?")
    const claim = makeClaim<JobRow>(database, work, ({ jobId }) => jobId)
    const finish = query(`DELETE FROM jobs WHERE ${held} RETURNING job_id`)
    const release = query(`UPDATE jobs SET due_at = ?, job = ?, reason = ? WHERE ${held} RETURNING job_id`)
    const backlog = query<{ readonly waiting: number }>("SELECT count(*) AS waiting FROM jobs")
    const waiting = query<{ readonly waiting: number }>(
      "SELECT count(*) AS waiting FROM jobs WHERE tenant_id = ? AND job_id >= ? AND job_id < ?"
    )
    const { wait, wakeAll, wakeOwn } = makeWakeUps(database, "jobs")
    type New = Omit<QueuedJob, "attempts" | "reason">
    const keep = (statement: typeof put, queued: New) => {
      const row = { ...queued, attempts: 0, reason: null }
      return Effect.andThen(statement(...jobs.values(row)), queued.dueAt > queued.createdAt ? wakeOwn : wakeAll)
    }
    return Jobs.of({
      put: (queued) => keep(put, queued),
      renew: (queued) => keep(renew, queued),
      hurry: (tenantId, jobId, now) => Effect.andThen(hurry(now, tenantId, jobId), wakeAll),
      claim: (limit, now, leaseUntil) =>
        Effect.map(claim(limit, now, leaseUntil), (rows) => rows.map((row) => jobs.fromRow(row))),
      finish: (attempt) => Effect.map(finish(...keyOf(attempt)), (rows) => rows.length > 0),
      release: (attempt, dueAt, job, reason) =>
        Effect.map(
          Effect.tap(release(dueAt, JSON.stringify(job), reason, ...keyOf(attempt)), wakeOwn),
          (rows) => rows.length > 0
        ),
      wait,
      backlog: Effect.map(backlog(), (rows) => first(rows)?.waiting ?? 0),
      waiting: (tenantId, beginning) =>
        Effect.map(waiting(tenantId, beginning, behind(beginning)), (rows) => first(rows)?.waiting ?? 0)
    })
  })
)
