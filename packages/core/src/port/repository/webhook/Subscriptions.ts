import type { Effect } from "effect"
import { Context } from "effect"
import type { SubscriptionNotFound, Subscription } from "../../../domain/webhook/Subscription.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The parameters of a claim of subscriptions. */
export interface Claim {
  readonly limit: number
  /** The maximum number of claimed subscriptions that are `ailing`. */
  readonly ailing: number
  readonly now: number
  /** The id of the lease. It distinguishes this lease from others. */
  readonly lease: string
  readonly leaseUntil: number
}

/** The subscriptions of tenants, with their positions in the sequence of events. */
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
    /** Replaces a subscription, but not its lease. Call it in the unit of work that has read the subscription. */
    readonly update: (subscription: Subscription) => Effect.Effect<void, StoreUnavailable>
    /** Removes a subscription and its deliveries. Returns false when the subscription did not exist. */
    readonly remove: (tenantId: string, webhookId: string) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Claims subscriptions that have due work and that no worker has claimed, those with the oldest lease first. A
     * subscription has due work if its next attempt is due and one of these conditions holds:
     * - It has events after its position.
     * - It has a due delivery.
     * - It is paused after failures, and a probe is due.
     */
    readonly claim: (claim: Claim) => Effect.Effect<ReadonlyArray<Subscription>, StoreUnavailable>
    /**
     * Extends the lease to `leaseUntil`, and returns the current subscription. Returns null when another worker has
     * claimed the subscription, or when it was removed.
     */
    readonly renew: (
      held: Pick<Subscription, "tenantId" | "webhookId">,
      lease: string,
      leaseUntil: number
    ) => Effect.Effect<Subscription | null, StoreUnavailable>
  }
>()("core/port/repository/webhook/Subscriptions") {}
