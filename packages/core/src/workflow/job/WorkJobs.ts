import { Cause, Clock, Effect } from "effect"
import { backoffMillis } from "../../domain/time/Retry.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import { pollLoop } from "../worker/PollLoop.ts"
import { type JobOutcome, jobLeaseMillis, type QueuedJob } from "../../domain/job/Job.ts"

/** Jobs taken at once, and done beside each other. */
const batch = 8

/** Does one job and says what becomes of it. */
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
    // Whatever broke, the lease ends and somebody looks at it again.
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.annotateLogs(Effect.logError("An job broke", cause), { attempts: queued.attempts })
    ),
    // The event-loop watchdog reads the tenant from here.
    Effect.annotateLogs({ tenant: queued.tenantId, job: queued.jobId })
  )

/** Takes what is due and does it; answers how many jobs that were. */
export const workDueJobs = Effect.fnUntraced(function* <R>(run: RunJob<R>) {
  const now = yield* Clock.currentTimeMillis
  const due = yield* (yield* Jobs).claim(batch, now, now + jobLeaseMillis)
  yield* Effect.forEach(due, (queued) => work(queued, run), { concurrency: batch, discard: true })
  return due.length
})

/** Does jobs for ever. Interrupting it is safe at any time: what was not finished comes back with its lease. */
export const workJobs = <R>(run: RunJob<R>) =>
  pollLoop(workDueJobs(run), (millis) => Effect.flatMap(Jobs, (jobs) => jobs.wait(millis)))
