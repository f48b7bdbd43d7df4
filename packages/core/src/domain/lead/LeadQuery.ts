import type { Lead } from "./Lead.ts"
import type { LeadState } from "./LeadState.ts"
import type { StoredStage } from "./SalesPipeline.ts"
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

/** The order of a list of deals. Leads without a value, or without an expected date, are not in lists by this field. */
export type DealOrder = "createdAt" | "value" | "expectedCloseOn"

/**
 * The filter and order of a list of leads as deals. A null field does not filter. A list by creation has a tag or
 * stages, because an index exists for each of them.
 */
export interface DealQuery extends Omit<LeadQuery, "time"> {
  readonly order: DealOrder
  /** The stored forms of the stages (`storedFormsOf`). */
  readonly stages: ReadonlyArray<StoredStage> | null
  readonly tag: string | null
  /** Inclusive, in minor units. */
  readonly minValue: number | null
  readonly maxValue: number | null
  /** Inclusive dates (`YYYY-MM-DD`). */
  readonly closeFrom: string | null
  readonly closeUntil: string | null
}

/** The position of a lead in a list of deals. */
export interface DealKey {
  readonly at: number | string
  readonly leadId: string
}

/** A part of a list of deals. It can have fewer leads than requested although more follow. */
export interface DealPage {
  readonly leads: ReadonlyArray<Lead>
  /** The position after which the list continues. Null at the end of the list. */
  readonly next: DealKey | null
}
