import type { SequencedEvent } from "../port/Events.ts"
import { deliveryIdOf } from "./Delivery.ts"
import { signDelivery, signStandardWebhook } from "./Signing.ts"
import { secretsOf, type Subscription } from "./Subscription.ts"

/** What a subscription is to be told: an event, its place, and the body that it travels as. */
export interface Parcel extends SequencedEvent {
  readonly body: string
}

/**
 * The headers of one attempt: those of the specification ("Outbound event types"), those of Standard Webhooks beside them,
 * and the event's number. Timestamp and signatures are of this attempt (`now`, epoch milliseconds); the ids are those of
 * every attempt. After a rotation both secrets sign for a while.
 */
export const deliveryHeaders = (
  subscription: Subscription,
  { body, event, sequence }: Parcel,
  now: number
): Readonly<Record<string, string>> => {
  const timestamp = Math.floor(now / 1_000)
  const [secret, former] = secretsOf(subscription, now)
  const standard = (former === undefined ? [secret] : [secret, former])
    .map((key) => signStandardWebhook(key, event.eventId, timestamp, body))
    .filter((signature) => signature !== null)
  return {
    "content-type": "application/json",
    "user-agent": "Leadloom-Webhooks/1",
    "x-webhook-event": event.type,
    "x-webhook-delivery": deliveryIdOf(subscription.webhookId, event, sequence),
    "x-webhook-timestamp": String(timestamp),
    "x-webhook-sequence": String(sequence),
    "x-webhook-signature": signDelivery(secret, timestamp, body),
    ...(former === undefined ? {} : { "x-webhook-signature-previous": signDelivery(former, timestamp, body) }),
    "webhook-id": event.eventId,
    "webhook-timestamp": String(timestamp),
    ...(standard.length === 0 ? {} : { "webhook-signature": standard.join(" ") })
  }
}
