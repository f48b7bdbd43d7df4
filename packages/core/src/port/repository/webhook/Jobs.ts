import type { Effect } from "effect"
import { Context } from "effect"
import type { Job, QueuedJob } from "../../../domain/job/Job.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** One attempt at a job. If a later attempt has claimed the job, calls with the earlier attempt change nothing. */
export type JobAttempt = Pick<QueuedJob, "tenantId" | "jobId" | "attempts">

/** Work outside the unit of work, for example requests to providers. Times are epoch milliseconds. */
export class Jobs extends Context.Service<
  Jobs,
  {
    /** Stores a job for the workers. An existing job with the same id does not change. */
    readonly put: (queued: Omit<QueuedJob, "attempts" | "reason">) => Effect.Effect<void, StoreUnavailable>
    /**
     * Stores a job like `put`, but repeats an existing job with the same id. A worker that currently processes this job
     * can then neither finish nor release it. The job becomes due when its lease ends or `hurry` is called.
     */
    readonly renew: (queued: Omit<QueuedJob, "attempts" | "reason">) => Effect.Effect<void, StoreUnavailable>
    /** Makes a job due immediately. */
    readonly hurry: (tenantId: string, jobId: string, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Claims jobs as `Signals.claim` claims signals. */
    readonly claim: (
      limit: number,
      now: number,
      leaseUntil: number
    ) => Effect.Effect<ReadonlyArray<QueuedJob>, StoreUnavailable>
    /**
     * Deletes a completed job. Returns false when another attempt has claimed the job, or when the job no longer
     * exists.
     */
    readonly finish: (held: JobAttempt) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Returns a job to the queue, due at `dueAt`, with its new content `job`. Returns false when another attempt has
     * claimed the job.
     */
    readonly release: (
      held: JobAttempt,
      dueAt: number,
      job: Job,
      reason: string | null
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Waits until jobs may be due, as in `Signals.wait`. */
    readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
    readonly backlog: Effect.Effect<number, StoreUnavailable>
    /**
     * Counts the jobs of a tenant whose ids start with the prefix `beginning`, which must not be empty. Claimed jobs
     * count too.
     */
    readonly waiting: (tenantId: string, beginning: string) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/webhook/Jobs") {}
