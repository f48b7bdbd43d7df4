import type { BillingJob } from "../billing/Account.ts"
import type { OpenLocationJob, CrmJob, FirstSyncJob } from "../crm/CrmJob.ts"
import type { CallJob } from "../call/Call.ts"
import type { CrmRuleJob } from "../crm/CrmRuleJob.ts"
import type { MailJob } from "../email/MailJob.ts"
import type { TextJob } from "../conversation/TextJob.ts"

/** Something to be done outside, or because of what was told from outside, kept until it is done. */
export type Job = MailJob | BillingJob | CrmJob | FirstSyncJob | OpenLocationJob | TextJob | CallJob | CrmRuleJob

/** An job and where it stands. */
export interface QueuedJob<E = Job> {
  readonly tenantId: string
  /** What it is about: the same job is kept once. */
  readonly jobId: string
  /** How often somebody has taken it; also the fence between one who hung and one who took over. */
  readonly attempts: number
  /** When it may be taken next. Who holds it holds it until then. */
  readonly dueAt: number
  readonly createdAt: number
  /** Why it waits. */
  readonly reason: string | null
  readonly job: E
}

/** What becomes of an job after an attempt. */
export type JobOutcome =
  /** It is done, or nobody needs it any more. */
  | { readonly _tag: "Done" }
  /** It goes on at `dueAt` (epoch milliseconds), as `job` says then. */
  | { readonly _tag: "Later"; readonly dueAt: number; readonly job: Job; readonly reason: string | null }
  /** It is tried again after the usual wait, or the wait after `asAfter` attempts. */
  | { readonly _tag: "Again"; readonly reason: string; readonly asAfter?: number }

/** Nothing is left to be done. */
export const done: JobOutcome = { _tag: "Done" }

/** It did not work, and is tried again. */
export const again = (reason: string, asAfter?: number): JobOutcome =>
  asAfter === undefined ? { _tag: "Again", reason } : { _tag: "Again", reason, asAfter }

/** How long a server may hold an job before others see it. A mail and its attachments are fetched in that time. */
export const jobLeaseMillis = 120_000

/** Attempts at what a provider refuses before it is given up. What it does not answer is tried as long as it takes. */
export const maxJobAttempts = 8
