import type { Effect } from "effect"
import { Context } from "effect"
import type { SubscriptionId } from "../../../domain/Id.ts"
import type { DeliveryRow, DeliveryStatus, LogEntry } from "../../../domain/webhook/Delivery.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The scope of deliveries: one subscription. */
export interface DeliveryScope {
  readonly tenantId: string
  readonly webhookId: SubscriptionId
}

/** A page of deliveries whose sequence numbers are lower than `before`, highest number first. */
export interface DeliveryPage {
  /** Null selects all states. */
  readonly status: DeliveryStatus | null
  readonly before: number
  readonly limit: number
}

/**
 * The deliveries of outbound events. A delivery whose first attempt failed has a row of its own. Deliveries whose first
 * attempt succeeded are in a log, several in one row. `Subscriptions.remove` deletes both.
 */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    readonly find: (of: DeliveryScope, sequence: number) => Effect.Effect<DeliveryRow | null, StoreUnavailable>
    /** Inserts or replaces a row. */
    readonly put: (row: DeliveryRow) => Effect.Effect<void, StoreUnavailable>
    /** Logs successful first attempts in the order of their sequence numbers. */
    readonly log: (of: DeliveryScope, entries: ReadonlyArray<LogEntry>) => Effect.Effect<void, StoreUnavailable>
    /** Returns the pending row with the lowest sequence number that is due at or before a time, or null. */
    readonly due: (of: DeliveryScope, by: number) => Effect.Effect<DeliveryRow | null, StoreUnavailable>
    /** Returns the earliest due time of the pending rows, or `never`. */
    readonly nextDue: (of: DeliveryScope) => Effect.Effect<number, StoreUnavailable>
    /** Makes every pending row due, and resets its count of attempts. */
    readonly restart: (of: DeliveryScope, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Marks every pending row as failed. */
    readonly giveUp: (of: DeliveryScope, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Makes the failed rows from this sequence number on pending and due. Returns the number of these rows. */
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
