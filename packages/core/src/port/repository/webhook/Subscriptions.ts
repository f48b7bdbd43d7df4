import type { Effect } from "effect"
import { Context } from "effect"
import type { SubscriptionNotFound, Subscription } from "../../../domain/webhook/Subscription.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The parameters of claiming subscriptions. */
export interface Claim {
  readonly limit: number
  /** The maximum number of ailing subscriptions among them. */
  readonly ailing: number
  readonly now: number
  /** An id that distinguishes this lease from others. */
  readonly lease: string
  readonly leaseUntil: number
}

/** Receivers of outbound events and their positions in the tenant's events. */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /** Lists the subscriptions of a tenant, oldest first. */
    readonly list: (tenantId: string) => Effect.Effect<ReadonlyArray<Subscription>, StoreUnavailable>
    readonly get: (
      tenantId: string,
      webhookId: string
    ) => Effect.Effect<Subscription, SubscriptionNotFound | StoreUnavailable>
    readonly insert: (subscription: Subscription) => Effect.Effect<void, StoreUnavailable>
    /** Replaces a subscription except its lease. Call it in the unit of work that read the subscription. */
    readonly update: (subscription: Subscription) => Effect.Effect<void, StoreUnavailable>
    /** Removes a subscription with its deliveries. Returns false when there was none. */
    readonly remove: (tenantId: string, webhookId: string) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Claims free subscriptions with due work, those with the oldest lease first. A subscription has due work when its
     * next attempt is due and one of these holds: it has events after its position, it has a due delivery, or it is
     * paused and its receiver can be probed again.
     */
    readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<Subscription>, StoreUnavailable>
    /**
     * Extends the lease to `leaseUntil` and returns the current subscription. Null when another worker holds it or it
     * was removed.
     */
    readonly renew: (
      held: Pick<Subscription, "tenantId" | "webhookId">,
      lease: string,
      leaseUntil: number
    ) => Effect.Effect<Subscription | null, StoreUnavailable>
  }
>()("core/port/repository/webhook/Subscriptions") {}
