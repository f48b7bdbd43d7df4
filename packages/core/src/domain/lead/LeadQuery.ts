import type { LeadState } from "./LeadState.ts"
import type { Tier } from "./Score.ts"

/** The time that a list of leads goes by. */
export type LeadTime = "createdAt" | "lastMessageAt"

/**
 * What a list of leads shows, and in which order; null: whatever it is. Merged leads are in none. A range is of the time
 * that the list is ordered by: one of another time would have to be looked for in the whole tenant.
 */
export interface LeadQuery {
  readonly state: LeadState | null
  /** `none`: not scored yet. */
  readonly tier: Tier | "none" | null
  readonly contactId: string | null
  readonly assignee: string | null
  readonly time: LeadTime
  readonly newestFirst: boolean
  /** At or after; epoch milliseconds. */
  readonly from: number | null
  /** Before, and not at; epoch milliseconds. */
  readonly until: number | null
}

/** Where a page of leads ends: the time it goes by, and among leads of the same time the id. */
export interface LeadKey {
  readonly at: number
  readonly leadId: string
}
