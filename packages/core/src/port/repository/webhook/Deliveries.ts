import type { Effect } from "effect"
import { Context } from "effect"
import type { SubscriptionId } from "../../../domain/Id.ts"
import type { DeliveryRow, DeliveryStatus, LogEntry } from "../../../domain/webhook/Delivery.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The deliveries of a subscription. */
export interface DeliveryScope {
  readonly tenantId: string
  readonly webhookId: SubscriptionId
}

/** A page of deliveries: those of numbers below `before`, the highest first. */
export interface DeliveryPage {
  /** Null: whatever has become of them. */
  readonly status: DeliveryStatus | null
  readonly before: number
  readonly limit: number
}

/**
 * What became of outbound events: a row for each that failed at first, and a log of those that did not, many to a row.
 * All of it goes with its subscription (`Subscriptions.remove`).
 */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    readonly find: (of: DeliveryScope, sequence: number) => Effect.Effect<DeliveryRow | null, StoreUnavailable>
    /** Writes a row, new or in place of the one that is there. */
    readonly put: (row: DeliveryRow) => Effect.Effect<void, StoreUnavailable>
    /** Notes first attempts that succeeded, in the order of their numbers. */
    readonly log: (of: DeliveryScope, entries: ReadonlyArray<LogEntry>) => Effect.Effect<void, StoreUnavailable>
    /** The pending row of the lowest number that is due by then, or null. */
    readonly due: (of: DeliveryScope, by: number) => Effect.Effect<DeliveryRow | null, StoreUnavailable>
    /** When the first pending row is due; `never` when none is. */
    readonly nextDue: (of: DeliveryScope) => Effect.Effect<number, StoreUnavailable>
    /** Makes every pending row due, its attempts not counted. */
    readonly restart: (of: DeliveryScope, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Ends every pending row as failed. */
    readonly giveUp: (of: DeliveryScope, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Makes failed rows of this number and higher ones pending and due; how many. */
    readonly recover: (of: DeliveryScope, from: number, now: number) => Effect.Effect<number, StoreUnavailable>
    readonly rows: (
      of: DeliveryScope,
      page: DeliveryPage
    ) => Effect.Effect<ReadonlyArray<DeliveryRow>, StoreUnavailable>
    readonly logged: (
      of: DeliveryScope,
      page: Omit<DeliveryPage, "status">
    ) => Effect.Effect<ReadonlyArray<LogEntry>, StoreUnavailable>
  }
>()("core/port/repository/webhook/Deliveries") {}
