import { Clock, Effect } from "effect"
import { Ids } from "../../port/system/Ids.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { attemptDelivery } from "./AttemptDelivery.ts"
import { type EventType, eventTypes } from "../../domain/webhook/Event.ts"
import { exampleData } from "../../domain/webhook/ExampleData.ts"
import { encodeEvent } from "./EncodedEvents.ts"
import { SubscriptionInvalid } from "../../domain/webhook/Subscription.ts"
import { withSpan } from "../WithSpan.ts"

const isEventType = (name: string): name is EventType => eventTypes.some((type) => type === name)

/**
 * Sends one signed test event, whatever the status of the subscription, and returns the result. The attempt is neither
 * counted nor stored (specification, "States and transitions"). The sequence number of the event is 0.
 */
export const sendTestEvent = Effect.fnUntraced(function* (
  tenantId: string,
  webhookId: string,
  requested: string | null
) {
  const subscription = yield* (yield* Subscriptions).get(tenantId, webhookId)
  const type = requested ?? subscription.eventTypes[0] ?? "contact.created"
  if (!isEventType(type)) {
    const message = `Unknown event type. Use one of: ${eventTypes.join(", ")}.`
    return yield* new SubscriptionInvalid({ issues: [{ path: "event_type", message }] })
  }
  const event = {
    eventId: yield* (yield* Ids).next("evt"),
    type,
    tenantId,
    timestamp: yield* Clock.currentTimeMillis,
    data: exampleData[type]
  }
  return { event, attempt: yield* attemptDelivery(subscription, encodeEvent({ sequence: 0, event })) }
}, withSpan("sendTestEvent"))
