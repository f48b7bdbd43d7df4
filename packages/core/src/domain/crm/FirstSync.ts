import type { CrmInstall } from "./Location.ts"

/** The contacts of a location and ours brought together as a whole, once after an install and whenever somebody asks. */
export interface FirstSync {
  readonly tenantId: string
  readonly locationId: string
  /** `stopped`: it cannot go on, and begins anew when it is started again; `reason` says why. */
  readonly state: "running" | "done" | "stopped"
  /**
   * Whose contacts are gone through, the CRM's and then ours; `rest`: all of them were, and what was asked for is still
   * being done.
   */
  readonly step: "theirs" | "ours" | "rest"
  /** Where the step goes on, in its own words; null: at its beginning. */
  readonly cursor: string | null
  /** How many contacts the CRM says it has; null: it was not asked, or did not say. */
  readonly total: number | null
  readonly counts: FirstSyncCounts
  readonly reason: string | null
  /** Counts up with every change: who changes it says which one he has read. */
  readonly version: number
  readonly startedAt: number
  readonly updatedAt: number
  readonly finishedAt: number | null
}

/** What has been gone through, and what became of it. */
export interface FirstSyncCounts {
  /** Contacts of the CRM, and of ours, that have been looked at. */
  readonly theirs: number
  readonly ours: number
  /** Of the CRM's: made here; recognised here by address or number. */
  readonly created: number
  readonly found: number
  /** Of ours that the CRM has not heard of, or not lately: to be found or made there, or told. */
  readonly sent: number
  /** Left alone: neither address nor number, archived here, or deleted in the CRM. */
  readonly left: number
}

/** Nothing has been gone through. */
export const noCounts: FirstSyncCounts = { theirs: 0, ours: 0, created: 0, found: 0, sent: 0, left: 0 }

/** Contacts looked at in one unit of work. */
export const pageSize = 50

/** While more contacts than these wait to be brought together with the location, no further ones are looked at. */
export const maxWaiting = 10

/** How long to leave the ones that wait alone, milliseconds. */
export const recheckMillis = 5_000

/** Requests of a day that are left to everything else: a tenth of what HighLevel allows (200,000 for each location). */
export const minReservedRequests = 20_000

/** How long it waits when there are no more than those, milliseconds. */
export const tomorrowMillis = 60 * 60_000

/** What is asked for when all were gone through is waited for no longer than that, milliseconds: the CRM may refuse one all day. */
export const restMillis = 60 * 60_000

/** A first sync of an install that begins now, in the place of the one before (`version` is that one's). */
export const begun = ({ locationId, sync, tenantId }: CrmInstall, version: number, now: number): FirstSync => ({
  tenantId,
  locationId,
  state: "running",
  step: sync === "both" ? "theirs" : "ours",
  cursor: null,
  total: null,
  counts: noCounts,
  reason: null,
  version,
  startedAt: now,
  updatedAt: now,
  finishedAt: null
})

/** What looking at a page has come to, added to what was counted before. */
export const counted = (before: FirstSyncCounts, more: Partial<FirstSyncCounts>): FirstSyncCounts => ({
  theirs: before.theirs + (more.theirs ?? 0),
  ours: before.ours + (more.ours ?? 0),
  created: before.created + (more.created ?? 0),
  found: before.found + (more.found ?? 0),
  sent: before.sent + (more.sent ?? 0),
  left: before.left + (more.left ?? 0)
})
