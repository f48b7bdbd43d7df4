/**
 * Jobs: durable work outside the unit of work. The content of each kind of job belongs to its noun (`domain/crm`,
 * `domain/email`, …), its execution to `workflow/job`.
 * Tests: `packages/testkit/src/suite/store`, `packages/testkit/src/suite/mailbox`, `packages/testkit/src/suite/crm`.
 */
import { Schema } from "effect"
import { Time } from "../Field.ts"
import type { BillingJob } from "../billing/Account.ts"
import type { OpenLocationJob, CrmJob, FirstSyncJob } from "../crm/CrmJob.ts"
import type { CallJob } from "../call/Call.ts"
import type { ForwardJob } from "../rule/action/ForwardJob.ts"
import type { CrmRuleJob } from "../crm/CrmRuleJob.ts"
import type { MailJob } from "../email/MailJob.ts"
import type { MailboxJob } from "../mailbox/MailboxJob.ts"
import type { RuleJob } from "../rule/RuleJob.ts"
import type { LinkJob } from "../company/LinkJob.ts"
import type { ImportJob } from "../import/ContactImport.ts"
import type { UserJob } from "../user/UserJob.ts"
import type { TaskReminderJob } from "../task/TaskReminderJob.ts"
import type { WakeJob } from "../conversation/WakeJob.ts"
import type { TextJob } from "../conversation/TextJob.ts"

/**
 * Work outside the unit of work, for example a request to a provider or the handling of a provider event. A job is
 * stored until it is done.
 */
export type Job =
  | MailJob
  | MailboxJob
  | BillingJob
  | CrmJob
  | FirstSyncJob
  | OpenLocationJob
  | TextJob
  | CallJob
  | CrmRuleJob
  | ForwardJob
  | ImportJob
  | UserJob
  | TaskReminderJob
  | WakeJob
  | LinkJob
  | RuleJob

/** The state of a stored job. */
export class JobState extends Schema.Opaque<JobState>()(
  Schema.Struct({
    tenantId: Schema.String,
    /** Identifies the work. A job with an existing id is not stored again. */
    jobId: Schema.String,
    /**
     * The number of claims. It also identifies the current claim: after another worker has claimed the job, updates by
     * the previous worker have no effect.
     */
    attempts: Schema.Int,
    /** The time from which the job can be claimed. A claim sets it to the end of the lease. */
    dueAt: Time,
    createdAt: Time,
    /** The reason why the job waits; null if there is none. */
    reason: Schema.NullOr(Schema.String)
  })
) {}

/** A stored job and its state. */
export interface QueuedJob<E = Job> extends JobState {
  readonly job: E
}

/** The result of one attempt at a job. */
export type JobOutcome =
  /** The job is done or no longer needed. */
  | { readonly _tag: "Done" }
  /** The job continues at `dueAt` (epoch milliseconds) with the content `job`. */
  | { readonly _tag: "Later"; readonly dueAt: number; readonly job: Job; readonly reason: string | null }
  /**
   * The job is retried after the default delay. With `asAfter`, the delay is that of a job with this number of
   * attempts.
   */
  | { readonly _tag: "Again"; readonly reason: string; readonly asAfter?: number }

/** The outcome of a completed job. */
export const done: JobOutcome = { _tag: "Done" }

/** Creates the outcome of a failed attempt that is retried. */
export const again = (reason: string, asAfter?: number): JobOutcome =>
  asAfter === undefined ? { _tag: "Again", reason } : { _tag: "Again", reason, asAfter }

/** The lease of a job. It suffices for the download of a mail with its attachments. */
export const jobLeaseMillis = 120_000

/**
 * The maximum number of attempts when a provider rejects the request. When a provider does not answer, the number of
 * attempts is not limited.
 */
export const maxJobAttempts = 8
