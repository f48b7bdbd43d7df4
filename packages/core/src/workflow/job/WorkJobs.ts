/**
 * Claims queued jobs and runs each with the workflow of its kind. The work itself does not belong here; each area has
 * its own runner.
 *
 * Tests: `packages/testkit/src/suite/crm`, `packages/testkit/src/suite/mailbox`, `packages/testkit/src/suite/call`.
 */
import { Cause, Clock, Effect } from "effect"
import { backoffMillis } from "../../domain/time/Retry.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import { pollLoop } from "../worker/PollLoop.ts"
import { type JobOutcome, jobLeaseMillis, type QueuedJob } from "../../domain/job/Job.ts"

/** The number of jobs to claim at once and to run concurrently. */
const batch = 8

/** Runs one job and returns its outcome. */
export type RunJob<R> = (queued: QueuedJob) => Effect.Effect<JobOutcome, StoreUnavailable, R>

const settle = Effect.fnUntraced(function* (queued: QueuedJob, outcome: JobOutcome) {
  const jobs = yield* Jobs
  switch (outcome._tag) {
    case "Done":
      return yield* jobs.finish(queued)
    case "Later":
      return yield* jobs.release(queued, outcome.dueAt, outcome.job, outcome.reason)
    case "Again": {
      const dueAt = (yield* Clock.currentTimeMillis) + backoffMillis(outcome.asAfter ?? queued.attempts)
      return yield* jobs.release(queued, dueAt, queued.job, outcome.reason.slice(0, 500))
    }
  }
})

const work = <R>(queued: QueuedJob, run: RunJob<R>) =>
  run(queued).pipe(
    Effect.flatMap((outcome) => settle(queued, outcome)),
    Effect.asVoid,
    // After a defect, the lease expires and another worker claims the job.
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.annotateLogs(Effect.logError("a job failed with a defect", cause), { attempts: queued.attempts })
    ),
    // The event-loop watchdog reads the tenant from here.
    Effect.annotateLogs({ tenant: queued.tenantId, job: queued.jobId })
  )

/** Claims and runs due jobs. Returns their number. */
export const workDueJobs = Effect.fnUntraced(function* <R>(run: RunJob<R>) {
  const now = yield* Clock.currentTimeMillis
  const due = yield* (yield* Jobs).claim(batch, now, now + jobLeaseMillis)
  yield* Effect.forEach(due, (queued) => work(queued, run), { concurrency: batch, discard: true })
  return due.length
})

/**
 * Runs jobs in a poll loop. It may be interrupted at any time: unfinished jobs become due again when their lease
 * expires.
 */
export const workJobs = <R>(run: RunJob<R>) =>
  pollLoop(workDueJobs(run), (millis) => Effect.flatMap(Jobs, (jobs) => jobs.wait(millis)))
