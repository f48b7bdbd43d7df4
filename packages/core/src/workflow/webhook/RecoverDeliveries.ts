import { Clock, Effect } from "effect"
import { Deliveries } from "../../port/repository/webhook/Deliveries.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { SubscriptionInvalid } from "../../domain/webhook/Subscription.ts"
import { applyDeliveryEvents } from "./RecordAttempts.ts"
import { withSpan } from "../WithSpan.ts"

/** The maximum age in days of deliveries that can be recovered, as at Svix. */
export const recoverDays = 14

/**
 * Returns the sequence number of the first event at or after a time. The result is approximate, because events are not
 * strictly ordered by time.
 */
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
 * Makes all failed deliveries of events since a time pending again, with all attempts of the schedule. Returns the
 * number of these deliveries. They are sent oldest first, as soon as the subscription is active.
 */
export const recoverDeliveries = Effect.fnUntraced(function* (tenantId: string, webhookId: string, since: number) {
  const now = yield* Clock.currentTimeMillis
  const subscriptions = yield* Subscriptions
  yield* subscriptions.get(tenantId, webhookId)
  if (since < now - recoverDays * 86_400_000) {
    const message = `Only deliveries of the last ${recoverDays} days can be recovered. Send a later time.`
    return yield* new SubscriptionInvalid({ issues: [{ path: "since", message }] })
  }
  const from = yield* firstSince(tenantId, since)
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const subscription = yield* subscriptions.get(tenantId, webhookId)
      const recovered = yield* deliveries.recover(subscription, from, now)
      yield* applyDeliveryEvents(subscription, [{ _tag: "Recovered" }])
      return recovered
    })
  )
}, withSpan("recoverDeliveries"))
