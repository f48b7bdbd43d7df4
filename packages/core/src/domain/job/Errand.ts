import type { BillingErrand } from "../billing/Account.ts"
import type { AdoptErrand, CrmErrand, FirstSyncErrand } from "../crm/CrmErrand.ts"
import type { CallErrand } from "../call/Call.ts"
import type { CrmRuleErrand } from "../crm/CrmRuleErrand.ts"
import type { MailErrand } from "../email/MailErrand.ts"
import type { TextErrand } from "../conversation/TextErrand.ts"

/** Something to be done outside, or because of what was told from outside, kept until it is done. */
export type Errand =
  | MailErrand
  | BillingErrand
  | CrmErrand
  | FirstSyncErrand
  | AdoptErrand
  | TextErrand
  | CallErrand
  | CrmRuleErrand

/** An errand and where it stands. */
export interface QueuedErrand<E = Errand> {
  readonly tenantId: string
  /** What it is about: the same errand is kept once. */
  readonly errandId: string
  /** How often somebody has taken it; also the fence between one who hung and one who took over. */
  readonly attempts: number
  /** When it may be taken next. Who holds it holds it until then. */
  readonly dueAt: number
  readonly createdAt: number
  /** Why it waits. */
  readonly reason: string | null
  readonly errand: E
}

/** What becomes of an errand after an attempt. */
export type ErrandOutcome =
  /** It is done, or nobody needs it any more. */
  | { readonly _tag: "Done" }
  /** It goes on at `dueAt` (epoch milliseconds), as `errand` says then. */
  | { readonly _tag: "Later"; readonly dueAt: number; readonly errand: Errand; readonly reason: string | null }
  /** It is tried again after the usual wait, or the wait after `asAfter` attempts. */
  | { readonly _tag: "Again"; readonly reason: string; readonly asAfter?: number }

/** Nothing is left to be done. */
export const done: ErrandOutcome = { _tag: "Done" }

/** It did not work, and is tried again. */
export const again = (reason: string, asAfter?: number): ErrandOutcome =>
  asAfter === undefined ? { _tag: "Again", reason } : { _tag: "Again", reason, asAfter }

/** How long a server may hold an errand before others see it. A mail and its attachments are fetched in that time. */
export const errandLeaseMillis = 120_000

/** Attempts at what a provider refuses before it is given up. What it does not answer is tried as long as it takes. */
export const errandAttempts = 8
