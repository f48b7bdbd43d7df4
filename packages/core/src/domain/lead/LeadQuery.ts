import type { LeadState } from "./LeadState.ts"
import type { Tier } from "./Score.ts"

/** The time that orders a list of leads. */
export type LeadTime = "createdAt" | "lastMessageAt"

/**
 * The filter and order of a list of leads. Null fields match all. Merged leads are never listed. The range applies to
 * the time that orders the list: a range of the other time would need a scan of all leads of the tenant.
 */
export interface LeadQuery {
  readonly state: LeadState | null
  /** `none` selects leads without a score. */
  readonly tier: Tier | "none" | null
  readonly contactId: string | null
  readonly assignee: string | null
  readonly time: LeadTime
  readonly newestFirst: boolean
  /** The inclusive start in epoch milliseconds. */
  readonly from: number | null
  /** The exclusive end in epoch milliseconds. */
  readonly until: number | null
}

/** The position of a lead in a list: the time that orders the list, then the id. */
export interface LeadKey {
  readonly at: number
  readonly leadId: string
}
