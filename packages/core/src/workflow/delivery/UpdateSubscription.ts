import { Clock, Effect } from "effect"
import { noteChange } from "../access/Audited.ts"
import { Deliveries } from "../../port/repository/webhook/Deliveries.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { checkRequest, subscriptionTold, type SubscriptionRequest } from "./CreateSubscription.ts"
import { DeliveryPolicy } from "../../domain/webhook/DeliveryPolicy.ts"
import { never, type Subscription, type SubscriptionStatus } from "../../domain/webhook/Subscription.ts"
import { resealSecrets } from "./SubscriptionSecret.ts"

/** What is to be different; what is left out stays as it is. */
export interface SubscriptionChange extends Partial<SubscriptionRequest> {
  readonly status?: SubscriptionStatus
}

/** Served again from here on: what is open at once, its attempts not counted. */
const activate = Effect.fnUntraced(function* (subscription: Subscription, now: number) {
  const { mode } = yield* DeliveryPolicy
  const deliveries = yield* Deliveries
  const keepsPlace = subscription.status === "paused" && mode !== "once"
  const position = keepsPlace ? subscription.position : (yield* (yield* Events).range(subscription.tenantId)).last
  yield* deliveries.restart(subscription, now)
  const retryAt = yield* deliveries.nextDue(subscription)
  const healthy = { consecutiveFailures: 0, ailing: false, nextAt: 0, retryAt, position }
  return { ...subscription, ...healthy, status: "active" as const, inactiveReason: null }
})

const withStatus = Effect.fnUntraced(function* (subscription: Subscription, status: SubscriptionStatus, now: number) {
  if (status === subscription.status && subscription.inactiveReason !== "failures") return subscription
  if (status === "active") return yield* activate(subscription, now)
  const deliveries = yield* Deliveries
  if (status === "disabled") yield* deliveries.giveUp(subscription, now)
  const retryAt = yield* deliveries.nextDue(subscription)
  return { ...subscription, status, inactiveReason: "person" as const, nextAt: never, retryAt }
})

/**
 * Changes a subscription. Set active, a paused one is sent what it missed, in order; a disabled one what happens from now
 * on.
 */
export const updateSubscription = Effect.fn("updateSubscription")(function* (
  tenantId: string,
  webhookId: string,
  { status, ...change }: SubscriptionChange
) {
  const now = yield* Clock.currentTimeMillis
  const subscriptions = yield* Subscriptions
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* subscriptions.get(tenantId, webhookId)
      const { description, eventTypes, maxInFlight, url } = before
      const parts = yield* checkRequest({ description, events: eventTypes, maxInFlight, url, ...change })
      const changed = { ...(yield* resealSecrets(before)), ...parts, updatedAt: now }
      const after = status === undefined ? changed : yield* withStatus(changed, status, now)
      yield* subscriptions.update(after)
      yield* noteChange({ before: subscriptionTold(before), after: subscriptionTold(after) })
      return after
    })
  )
})
