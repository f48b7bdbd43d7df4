import type { LeadState } from "./LeadState.ts"
import type { Tier } from "./Score.ts"

/** The time by which a list of leads is ordered. */
export type LeadTime = "createdAt" | "lastMessageAt"

/**
 * The filter and order of a list of leads. A null field does not filter. Merged leads are never listed. The range
 * applies to the time by which the list is ordered, because a range of the other time would require a scan of all leads
 * of the tenant.
 */
export interface LeadQuery {
  readonly state: LeadState | null
  /** `none` selects leads without a score. */
  readonly tier: Tier | "none" | null
  readonly contactId: string | null
  readonly assignee: string | null
  readonly assigneeId: string | null
  readonly teamId: string | null
  readonly time: LeadTime
  readonly newestFirst: boolean
  /** The inclusive start in epoch milliseconds. */
  readonly from: number | null
  /** The exclusive end in epoch milliseconds. */
  readonly until: number | null
}

/** The position of a lead in a list: the time by which the list is ordered, then the id. */
export interface LeadKey {
  readonly at: number
  readonly leadId: string
}
