import type { Effect } from "effect"
import { Context } from "effect"
import type { SubscriptionNotFound, Subscription } from "../../../domain/webhook/Subscription.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

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
>()("core/port/repository/webhook/Subscriptions") {}
