import { Effect } from "effect"
import { noteChange } from "../access/Audited.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { subscriptionTold } from "./CreateSubscription.ts"
import { SubscriptionNotFound } from "../../domain/webhook/Subscription.ts"

/** Removes a subscription and what is known of its deliveries. What is on its way arrives all the same. */
export const deleteSubscription = Effect.fn("deleteSubscription")(function* (tenantId: string, webhookId: string) {
  const subscriptions = yield* Subscriptions
  const unit = Effect.gen(function* () {
    const before = yield* subscriptions.get(tenantId, webhookId)
    if (!(yield* subscriptions.remove(tenantId, webhookId))) return yield* new SubscriptionNotFound({ webhookId })
    yield* noteChange({ before: subscriptionTold(before), after: null })
  })
  yield* (yield* Transactions).atomically(tenantId, unit)
})
