import { Effect } from "effect"
import type { SequencedEvent } from "../../port/repository/webhook/Events.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { attemptDelivery } from "./AttemptDelivery.ts"
import type { Attempt } from "../../domain/webhook/Delivery.ts"
import { recordAttempts } from "./RecordAttempts.ts"
import { encodeEvent } from "./EncodedEvents.ts"
import { matches, type Subscription } from "../../domain/webhook/Subscription.ts"
import { withSpan } from "../WithSpan.ts"

/** The result of one attempt at one subscription. */
export interface Reported {
  readonly subscription: Subscription
  readonly attempt: Attempt
}

/**
 * Delivers one event to all matching active subscriptions of its tenant at once, with one attempt each (specification,
 * "Outbound event types"). A response with a status 2xx is a success and resets the count of failures. The tenth
 * consecutive failure pauses the subscription. The workers do not use this function. It is for integrations that
 * deliver events themselves, with `LEADLOOM_WEBHOOK_DELIVERY=off`.
 */
export const fanOut = Effect.fnUntraced(function* (sequenced: SequencedEvent) {
  const { event, sequence } = sequenced
  const subscriptions = yield* Subscriptions
  const { atomically } = yield* Transactions
  const all = yield* subscriptions.list(event.tenantId)
  const encoded = encodeEvent(sequenced)
  const report = Effect.fnUntraced(function* (subscription: Subscription) {
    const attempt = yield* attemptDelivery(subscription, encoded)
    yield* atomically(
      event.tenantId,
      Effect.gen(function* () {
        const before = yield* subscriptions.get(event.tenantId, subscription.webhookId)
        yield* recordAttempts(before, [{ sequence, attempt, row: null }], { byHand: false })
      }).pipe(Effect.catchTag("SubscriptionNotFound", () => Effect.void))
    )
    const reported: Reported = { subscription, attempt }
    return reported
  })
  const wanted = all.filter((one) => one.status === "active" && matches(one, event.type))
  return yield* Effect.forEach(wanted, report, { concurrency: "unbounded" })
}, withSpan("fanOut"))
