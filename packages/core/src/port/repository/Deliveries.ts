import { Context, Effect, Layer } from "effect"
import type { SubscriptionId } from "../../domain/Id.ts"
import type { DeliveryRow, DeliveryStatus, LogEntry } from "../../domain/webhook/Delivery.ts"
import { never } from "../../domain/webhook/Subscription.ts"
import { by, keyOf, MemoryState } from "../../memory/MemoryState.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"

/** The deliveries of a subscription. */
export interface DeliveriesOf {
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
    readonly find: (of: DeliveriesOf, sequence: number) => Effect.Effect<DeliveryRow | null, StoreUnavailable>
    /** Writes a row, new or in place of the one that is there. */
    readonly put: (row: DeliveryRow) => Effect.Effect<void, StoreUnavailable>
    /** Notes first attempts that succeeded, in the order of their numbers. */
    readonly log: (of: DeliveriesOf, entries: ReadonlyArray<LogEntry>) => Effect.Effect<void, StoreUnavailable>
    /** The pending row of the lowest number that is due by then, or null. */
    readonly due: (of: DeliveriesOf, by: number) => Effect.Effect<DeliveryRow | null, StoreUnavailable>
    /** When the first pending row is due; `never` when none is. */
    readonly nextDue: (of: DeliveriesOf) => Effect.Effect<number, StoreUnavailable>
    /** Makes every pending row due, its attempts not counted. */
    readonly restart: (of: DeliveriesOf, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Ends every pending row as failed. */
    readonly giveUp: (of: DeliveriesOf, now: number) => Effect.Effect<void, StoreUnavailable>
    /** Makes failed rows of this number and higher ones pending and due; how many. */
    readonly recover: (of: DeliveriesOf, from: number, now: number) => Effect.Effect<number, StoreUnavailable>
    readonly rows: (of: DeliveriesOf, page: DeliveryPage) => Effect.Effect<ReadonlyArray<DeliveryRow>, StoreUnavailable>
    readonly logged: (
      of: DeliveriesOf,
      page: Omit<DeliveryPage, "status">
    ) => Effect.Effect<ReadonlyArray<LogEntry>, StoreUnavailable>
  }
>()("core/port/repository/Deliveries") {
  static readonly layerMemory: Layer.Layer<Deliveries> = Layer.effect(
    Deliveries,
    Effect.map(MemoryState, ({ deliveries, deliveryLog }) => {
      const key = ({ tenantId, webhookId }: DeliveriesOf, sequence: number) =>
        keyOf(tenantId, webhookId, String(sequence))
      const rowsOf = (of: DeliveriesOf, status: DeliveryStatus | null) =>
        [...deliveries.values()]
          .filter((row) => row.tenantId === of.tenantId && row.webhookId === of.webhookId)
          .filter((row) => status === null || row.status === status)
          .toSorted(by(({ sequence }) => sequence))
      const change = (rows: ReadonlyArray<DeliveryRow>, to: Partial<DeliveryRow>) =>
        Effect.sync(() => {
          for (const row of rows) deliveries.set(key(row, row.sequence), { ...row, ...to })
          return rows.length
        })
      const pending = (of: DeliveriesOf) => rowsOf(of, "pending")
      return Deliveries.of({
        find: (of, sequence) => Effect.sync(() => deliveries.get(key(of, sequence)) ?? null),
        put: (row) => Effect.sync(() => void deliveries.set(key(row, row.sequence), row)),
        log: (of, entries) =>
          Effect.sync(() => {
            for (const entry of entries) deliveryLog.set(key(of, entry.sequence), { ...of, entry })
          }),
        due: (of, time) => Effect.sync(() => pending(of).find(({ dueAt }) => dueAt <= time) ?? null),
        nextDue: (of) => Effect.sync(() => Math.min(never, ...pending(of).map(({ dueAt }) => dueAt))),
        restart: (of, now) => Effect.suspend(() => Effect.asVoid(change(pending(of), { dueAt: now, tries: 0 }))),
        giveUp: (of, now) =>
          Effect.suspend(() => Effect.asVoid(change(pending(of), { status: "failed", dueAt: never, updatedAt: now }))),
        recover: (of, from, now) =>
          Effect.suspend(() =>
            change(
              rowsOf(of, "failed").filter(({ sequence }) => sequence >= from),
              { status: "pending", dueAt: now, tries: 0, updatedAt: now }
            )
          ),
        rows: (of, { before, limit, status }) =>
          Effect.sync(() =>
            rowsOf(of, status)
              .filter(({ sequence }) => sequence < before)
              .toReversed()
              .slice(0, limit)
          ),
        logged: (of, { before, limit }) =>
          Effect.sync(() =>
            [...deliveryLog.values()]
              .filter((one) => one.tenantId === of.tenantId && one.webhookId === of.webhookId)
              .map(({ entry }) => entry)
              .filter(({ sequence }) => sequence < before)
              .toSorted(by(({ sequence }) => -sequence))
              .slice(0, limit)
          )
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
