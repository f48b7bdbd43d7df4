import type { Effect } from "effect"
import { Context } from "effect"
import type { Job, QueuedJob } from "../../../domain/job/Job.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** An job and the attempt at it: what another has taken over meanwhile cannot be changed with an older attempt. */
export type JobAttempt = Pick<QueuedJob, "tenantId" | "jobId" | "attempts">

/** What is to be done at providers'. Times are epoch milliseconds. */
export class Jobs extends Context.Service<
  Jobs,
  {
    /** Keeps an job for the workers; one that is kept already under its id stays as it is. */
    readonly put: (queued: Omit<QueuedJob, "attempts" | "reason">) => Effect.Effect<void, StoreUnavailable>
    /**
     * As `put`; one that is kept already is to be done once more: who holds it can neither finish nor release it any more,
     * and it stays until its lease ends or somebody hurries it.
     */
    readonly renew: (queued: Omit<QueuedJob, "attempts" | "reason">) => Effect.Effect<void, StoreUnavailable>
    /** Makes an job due, whatever it waits for. */
    readonly hurry: (tenantId: string, jobId: string, now: number) => Effect.Effect<void, StoreUnavailable>
    /** As `Signals.claim`. */
    readonly claim: (
      limit: number,
      now: number,
      leaseUntil: number
    ) => Effect.Effect<ReadonlyArray<QueuedJob>, StoreUnavailable>
    /** It is done, and gone. False: another attempt has it, or it is gone already. */
    readonly finish: (held: JobAttempt) => Effect.Effect<boolean, StoreUnavailable>
    /** To be taken again from `dueAt` on, as `job` says then. False: another attempt has it. */
    readonly release: (
      held: JobAttempt,
      dueAt: number,
      job: Job,
      reason: string | null
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** As `Signals.wait`. */
    readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
    readonly backlog: Effect.Effect<number, StoreUnavailable>
    /** How many of a tenant are kept whose ids begin so, whether somebody holds them or not; `beginning` is no empty text. */
    readonly waiting: (tenantId: string, beginning: string) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/webhook/Jobs") {}
