import { Context, Effect, Layer } from "effect"
import { never, type Subscription, SubscriptionNotFound } from "../../domain/webhook/Subscription.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"

/** Who takes subscriptions to serve them, and how many. */
export interface Claim {
  readonly limit: number
  /** How many of them may be ailing. */
  readonly ailing: number
  readonly now: number
  /** What tells this holder from others. */
  readonly lease: string
  readonly leaseUntil: number
}

/** Receivers of outbound events, and how far each has come. */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /** Every subscription of a tenant, oldest first. */
    readonly list: (tenantId: string) => Effect.Effect<ReadonlyArray<Subscription>, StoreUnavailable>
    readonly get: (
      tenantId: string,
      webhookId: string
    ) => Effect.Effect<Subscription, SubscriptionNotFound | StoreUnavailable>
    readonly insert: (subscription: Subscription) => Effect.Effect<void, StoreUnavailable>
    /** Writes everything but who holds it. In the unit of work that read it. */
    readonly update: (subscription: Subscription) => Effect.Effect<void, StoreUnavailable>
    /** Removes it with its deliveries. False: there was none. */
    readonly remove: (tenantId: string, webhookId: string) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Takes subscriptions that have something to send and that nobody holds, those first that nobody has held for the
     * longest: they may send now, and an event is behind their position or an open delivery is due, or they are paused
     * and it is time to look whether the receiver is back.
     */
    readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<Subscription>, StoreUnavailable>
    /** Holds on until `leaseUntil`, and gives what the subscription is now; null: somebody else has it, or it is gone. */
    readonly renew: (
      held: Pick<Subscription, "tenantId" | "webhookId">,
      lease: string,
      leaseUntil: number
    ) => Effect.Effect<Subscription | null, StoreUnavailable>
  }
>()("core/port/repository/Subscriptions") {
  static readonly layerMemory: Layer.Layer<Subscriptions> = Layer.effect(
    Subscriptions,
    Effect.map(MemoryState, (state) => {
      const { leases, subscriptions } = state
      const key = ({ tenantId, webhookId }: Pick<Subscription, "tenantId" | "webhookId">) => keyOf(tenantId, webhookId)
      const heldUntil = (one: Subscription): number => leases.get(key(one))?.until ?? 0
      const hasWork = (one: Subscription, now: number): boolean =>
        heldUntil(one) <= now &&
        one.nextAt <= now &&
        one.nextAt < never &&
        (one.status === "paused" || one.retryAt <= now || one.position < (state.events.get(one.tenantId)?.length ?? 0))
      return Subscriptions.of({
        list: (tenantId) =>
          Effect.sync(() =>
            ofTenant(subscriptions, tenantId).toSorted(
              by(
                ({ createdAt }) => createdAt,
                ({ webhookId }) => webhookId
              )
            )
          ),
        get: (tenantId, webhookId) =>
          Effect.suspend(() => {
            const found = subscriptions.get(keyOf(tenantId, webhookId))
            return found === undefined ? Effect.fail(new SubscriptionNotFound({ webhookId })) : Effect.succeed(found)
          }),
        insert: (subscription) => addNew(subscriptions, key(subscription), subscription),
        update: (subscription) => Effect.sync(() => void subscriptions.set(key(subscription), subscription)),
        remove: (tenantId, webhookId) =>
          Effect.sync(() => {
            const prefix = keyOf(tenantId, webhookId).slice(0, -1)
            for (const rows of [state.deliveries, state.deliveryLog]) {
              for (const one of rows.keys()) if (one.startsWith(`${prefix},`)) rows.delete(one)
            }
            leases.delete(keyOf(tenantId, webhookId))
            return subscriptions.delete(keyOf(tenantId, webhookId))
          }),
        claim: ({ ailing, lease, leaseUntil, limit, now }) =>
          Effect.sync(() => {
            let left = ailing
            const due = [...subscriptions.values()]
              .filter((one) => hasWork(one, now))
              .toSorted(
                by(
                  heldUntil,
                  ({ tenantId }) => tenantId,
                  ({ webhookId }) => webhookId
                )
              )
              .filter((one) => !one.ailing || left-- > 0)
              .slice(0, limit)
            for (const one of due) leases.set(key(one), { lease, until: leaseUntil })
            return due
          }),
        renew: (held, lease, leaseUntil) =>
          Effect.sync(() => {
            if (leases.get(key(held))?.lease !== lease) return null
            leases.set(key(held), { lease, until: leaseUntil })
            return subscriptions.get(key(held)) ?? null
          })
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
