import { Effect } from "effect"
import { Subscriptions } from "../port/Subscriptions.ts"
import { Transactions } from "../port/Transactions.ts"
import { SubscriptionNotFound } from "./Subscription.ts"

/** Removes a subscription and what is known of its deliveries. What is on its way arrives all the same. */
export const deleteSubscription = Effect.fn("deleteSubscription")(function* (tenantId: string, webhookId: string) {
  const subscriptions = yield* Subscriptions
  const removed = yield* (yield* Transactions).atomically(tenantId, subscriptions.remove(tenantId, webhookId))
  if (!removed) return yield* new SubscriptionNotFound({ webhookId })
})
