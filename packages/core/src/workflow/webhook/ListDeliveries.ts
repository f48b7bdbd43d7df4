import { Effect } from "effect"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { Deliveries } from "../../port/repository/webhook/Deliveries.ts"
import { Events, type SequencedEvent } from "../../port/repository/webhook/Events.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import {
  deliveryIdOf,
  type DeliveryRow,
  type DeliveryStatus,
  type ListedDelivery,
  type LogEntry
} from "../../domain/webhook/Delivery.ts"
import { untried } from "../../domain/webhook/DeliveryState.ts"
import { never, type Subscription } from "../../domain/webhook/Subscription.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns a delivery as the list shows it. */
export const toListedDelivery = (
  { event, sequence }: SequencedEvent,
  { attempts, dueAt, status, webhookId }: DeliveryRow
): ListedDelivery => ({
  deliveryId: deliveryIdOf(webhookId, event.eventId, sequence),
  sequence,
  eventId: event.eventId,
  eventType: event.type,
  status,
  nextAttemptAt: status === "pending" && dueAt > 0 && dueAt < never ? dueAt : null,
  attempts
})

const rowOfEntry = (subscription: Subscription, { at, millis, sequence, status }: LogEntry): DeliveryRow => ({
  ...untried(subscription, sequence),
  status: "delivered",
  attempts: [{ at, millis, status, error: null, response: null }]
})

/**
 * Merges rows and log entries into one list. If a delivery has both, the row is used, because it contains more details.
 */
const merged = Effect.fnUntraced(function* (
  subscription: Subscription,
  status: DeliveryStatus | null,
  before: number,
  limit: number
) {
  const deliveries = yield* Deliveries
  const rows = yield* deliveries.rows(subscription, { status, before, limit })
  const logged =
    status === null || status === "delivered" ? yield* deliveries.logged(subscription, { before, limit }) : []
  const bySequence = new Map(logged.map((entry) => [entry.sequence, rowOfEntry(subscription, entry)]))
  for (const row of rows) bySequence.set(row.sequence, row)
  const found = [...bySequence.values()].toSorted((one, other) => other.sequence - one.sequence).slice(0, limit)
  const events = yield* (yield* Events).pick(
    subscription.tenantId,
    found.map(({ sequence }) => sequence)
  )
  const known = new Map(events.map((event) => [event.sequence, event]))
  return found.flatMap((row) => {
    const event = known.get(row.sequence)
    return event === undefined ? [] : [toListedDelivery(event, row)]
  })
})

const readKey = ([sequence]: CursorKey): number | null => (typeof sequence === "number" ? sequence : null)

/** Returns a page of a subscription's deliveries with their attempts, newest events first. */
export const listDeliveries = Effect.fnUntraced(function* (
  tenantId: string,
  webhookId: string,
  status: DeliveryStatus | null,
  page: PageRequest
) {
  const subscription = yield* (yield* Subscriptions).get(tenantId, webhookId)
  return yield* readPage(
    {
      scope: { tenantId, list: "webhook_deliveries", filters: { webhookId, status } },
      fetch: (limit, after: number | null) => merged(subscription, status, after ?? never, limit),
      keyOf: ({ sequence }) => [sequence],
      readKey
    },
    page
  )
}, withSpan("listDeliveries"))
