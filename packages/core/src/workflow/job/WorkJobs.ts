/**
 * The queue of jobs. The work itself does not belong here: `RunJob` calls the workflow for each kind of job. Tests:
 * `packages/testkit/src/suite/crm`, `packages/testkit/src/suite/mailbox`, `packages/testkit/src/suite/call`.
 */
import { Clock, Effect } from "effect"
import { type JobOutcome, jobLeaseMillis, type QueuedJob } from "../../domain/job/Job.ts"
import { backoffMillis } from "../../domain/time/Retry.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import { defaults, type Queue, workOnce } from "../worker/Worker.ts"

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

/** Creates the queue of jobs. `run` runs one job. */
export const jobQueue = <R>(run: RunJob<R>): Queue<QueuedJob, Jobs | R> => ({
  ...defaults,
  name: "jobs",
  // Two workers, so that a slow provider delays other jobs less.
  workers: 2,
  failure: "a job failed with a defect",
  about: ({ attempts, jobId, tenantId }) => ({ tenant: tenantId, job: jobId, attempts }),
  open: Effect.map(Jobs, ({ claim, wait }) => ({
    claim: (limit, now) => claim(limit, now, now + jobLeaseMillis),
    run: (queued) =>
      Effect.as(
        Effect.flatMap(run(queued), (outcome) => settle(queued, outcome)),
        null
      ),
    wait
  }))
})

/** Claims and runs due jobs once. Returns the number of these jobs. */
export const workDueJobs = <R>(run: RunJob<R>) => workOnce(jobQueue(run))
