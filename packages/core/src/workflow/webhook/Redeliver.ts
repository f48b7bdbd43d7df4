import { Effect } from "effect"
import { Deliveries } from "../../port/repository/webhook/Deliveries.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { attemptDelivery } from "./AttemptDelivery.ts"
import { deliveryIdOf, DeliveryNotFound, type DeliveryRow, sequenceOfDelivery } from "../../domain/webhook/Delivery.ts"
import { toListedDelivery } from "./ListDeliveries.ts"
import { recordAttempts } from "./RecordAttempts.ts"
import { untried } from "../../domain/webhook/DeliveryState.ts"
import { encodeEvent } from "./EncodedEvents.ts"
import { never, type Subscription } from "../../domain/webhook/Subscription.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns the row of a delivery. If it has only a log entry, builds a row from it. */
const rowOf = Effect.fnUntraced(function* (subscription: Subscription, sequence: number) {
  const deliveries = yield* Deliveries
  const row = yield* deliveries.find(subscription, sequence)
  if (row !== null) return row
  const [entry] = yield* deliveries.logged(subscription, { before: sequence + 1, limit: 1 })
  if (entry?.sequence !== sequence) return null
  const { at, millis, status } = entry
  const first = { at, millis, status, error: null, response: null }
  const made: DeliveryRow = {
    ...untried(subscription, sequence),
    status: "delivered",
    dueAt: never,
    attempts: [first],
    updatedAt: at + millis
  }
  return made
})

/**
 * Delivers an event again immediately, with the same ids, and returns the result. The attempt counts for the health of
 * the subscription, but not for the retry schedule of the delivery.
 */
export const redeliver = Effect.fnUntraced(function* (tenantId: string, webhookId: string, deliveryId: string) {
  const subscriptions = yield* Subscriptions
  const subscription = yield* subscriptions.get(tenantId, webhookId)
  const sequence = sequenceOfDelivery(deliveryId)
  const [found] = sequence === null ? [] : yield* (yield* Events).pick(tenantId, [sequence])
  if (found === undefined || deliveryIdOf(subscription.webhookId, found.event.eventId, found.sequence) !== deliveryId) {
    return yield* new DeliveryNotFound({ deliveryId })
  }
  const row = yield* rowOf(subscription, found.sequence)
  if (row === null) return yield* new DeliveryNotFound({ deliveryId })
  const attempt = yield* attemptDelivery(subscription, encodeEvent(found))
  const after = yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* subscriptions.get(tenantId, webhookId)
      yield* recordAttempts(before, [{ sequence: found.sequence, attempt, row }], { byHand: true })
      return yield* (yield* Deliveries).find(before, found.sequence)
    })
  )
  return toListedDelivery(found, after ?? row)
}, withSpan("redeliver"))
