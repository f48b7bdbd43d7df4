import { Clock, Effect } from "effect"
import { Deliveries } from "../../port/repository/webhook/Deliveries.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { SubscriptionInvalid } from "../../domain/webhook/Subscription.ts"

/** How far back deliveries can be recovered (Svix). */
export const recoverDays = 14

/** The number of the first event that happened at a time or later; they are numbered in the order of time, about. */
const firstSince = Effect.fnUntraced(function* (tenantId: string, since: number) {
  const events = yield* Events
  const range = yield* events.range(tenantId)
  let [low, high] = [range.first, range.last + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [found] = yield* events.pick(tenantId, [middle])
    if (found !== undefined && found.event.timestamp >= since) high = middle
    else low = middle + 1
  }
  return low
})

/**
 * Tries every failed delivery of events since a time again, with all its attempts, the oldest first; answers how many
 * those are. They go out when the subscription is active.
 */
export const recoverDeliveries = Effect.fn("recoverDeliveries")(function* (
  tenantId: string,
  webhookId: string,
  since: number
) {
  const now = yield* Clock.currentTimeMillis
  const subscriptions = yield* Subscriptions
  yield* subscriptions.get(tenantId, webhookId)
  if (since < now - recoverDays * 86_400_000) {
    const message = `Deliveries can be recovered for ${recoverDays} days. Name a later time.`
    return yield* new SubscriptionInvalid({ issues: [{ path: "since", message }] })
  }
  const from = yield* firstSince(tenantId, since)
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const subscription = yield* subscriptions.get(tenantId, webhookId)
      const recovered = yield* deliveries.recover(subscription, from, now)
      yield* subscriptions.update({ ...subscription, retryAt: yield* deliveries.nextDue(subscription) })
      return recovered
    })
  )
})
