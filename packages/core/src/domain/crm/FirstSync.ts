import { Schema } from "effect"
import type { CrmInstall } from "./Location.ts"
import { Time, unchecked } from "../Field.ts"

/**
 * The synchronisation of all contacts of a location with those of its tenant. It runs once after an installation, and
 * on request.
 */
export class FirstSync extends Schema.Opaque<FirstSync>()(
  Schema.Struct({
    tenantId: Schema.String,
    locationId: Schema.String,
    /**
     * `stopped`: the synchronisation cannot continue, and `reason` states why. A restart begins with the first contact.
     */
    state: Schema.Literals(["running", "done", "stopped"]).annotate({
      description:
        "`stopped`: the synchronisation cannot continue, and `reason` states why. A restart begins with the first contact"
    }),
    /**
     * The current step. `theirs`: the contacts of the CRM are read. `ours`: the contacts of the tenant are read.
     * `rest`: all contacts are read, and the remaining synchronisation jobs are running.
     */
    step: Schema.Literals(["theirs", "ours", "rest"]),
    /** The position within the step. Null at the start of the step. */
    cursor: Schema.NullOr(Schema.String),
    /** Null if it is not known. */
    total: Schema.NullOr(Schema.Int).annotate({ description: "The number of contacts according to the CRM" }),
    counts: unchecked<FirstSyncCounts>(),
    reason: Schema.NullOr(Schema.String).annotate({ description: "Why the first sync stopped" }),
    /** Increases with every change. A writer must name the version that it has read. */
    version: Schema.Int,
    startedAt: Time.annotate({ description: "The time at which the synchronisation started (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last progress (ISO 8601 in UTC)" }),
    finishedAt: Schema.NullOr(Time).annotate({
      description: "The time at which the synchronisation ended (ISO 8601 in UTC); null: it is running"
    })
  })
) {}

/** The counts of read contacts and of their results. */
export interface FirstSyncCounts {
  /** The number of CRM contacts that were read, and the number of the tenant's contacts that were read. */
  readonly theirs: number
  readonly ours: number
  /**
   * The number of CRM contacts for which a local contact was created, and the number of those that matched a local
   * contact by address or number.
   */
  readonly created: number
  readonly found: number
  /** The tenant's contacts that are queued for synchronisation, because the CRM does not have their current values. */
  readonly sent: number
  /** The number of skipped contacts: without address and number, archived locally, or deleted in the CRM. */
  readonly left: number
}

export const noCounts: FirstSyncCounts = { theirs: 0, ours: 0, created: 0, found: 0, sent: 0, left: 0 }

/** The number of contacts per unit of work. */
export const pageSize = 50

/** The limit of queued synchronisation jobs. While more are queued, no further contacts are read. */
export const maxWaiting = 10

/** The delay before the queue is checked again, in milliseconds. */
export const recheckMillis = 5_000

/**
 * The number of daily requests to the CRM that a first sync leaves to other work: a tenth of HighLevel's limit (200,000
 * per location).
 */
export const minReservedRequests = 20_000

/** The delay before a first sync checks again whether more than the reserved requests remain, in milliseconds. */
export const tomorrowMillis = 60 * 60_000

/**
 * The maximum duration of the step `rest`, in milliseconds. The first sync then ends even if jobs are waiting, because
 * the CRM may reject a single contact for a whole day.
 */
export const restMillis = 60 * 60_000

/**
 * Creates a first sync that starts now and replaces the previous one. `version` is the version of the replaced record.
 */
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

/** Adds the counts of a page. */
export const counted = (before: FirstSyncCounts, more: Partial<FirstSyncCounts>): FirstSyncCounts => ({
  theirs: before.theirs + (more.theirs ?? 0),
  ours: before.ours + (more.ours ?? 0),
  created: before.created + (more.created ?? 0),
  found: before.found + (more.found ?? 0),
  sent: before.sent + (more.sent ?? 0),
  left: before.left + (more.left ?? 0)
})
