import type { SubscriptionId } from "../../domain/Id.ts"
import type { SequencedEvent } from "../../port/repository/webhook/Events.ts"
import { deliveryIdOf } from "../../domain/webhook/Delivery.ts"
import type { Signer } from "./SignWebhook.ts"

/** An event with its sequence number and its encoded body. The body is signed and sent. */
export interface EncodedEvent extends SequencedEvent {
  readonly body: Uint8Array
}

/**
 * Returns the headers of one attempt: those of the specification ("Outbound event types"), those of Standard Webhooks,
 * and the event's sequence number. Each attempt has its own timestamp and signatures (`now` in epoch milliseconds), but
 * all attempts have the same ids. After a rotation, the headers contain signatures with both secrets for some time, the
 * new one first.
 */
export const deliveryHeaders = (
  webhookId: SubscriptionId,
  signers: readonly [Signer, ...ReadonlyArray<Signer>],
  { body, event, sequence }: EncodedEvent,
  now: number
): Readonly<Record<string, string>> => {
  const timestamp = Math.floor(now / 1_000)
  const [signer, former] = signers
  const standard = signers
    .map((one) => one.standard(event.eventId, timestamp, body))
    .filter((signature) => signature !== null)
  return {
    "content-type": "application/json",
    "user-agent": "Leadloom-Webhooks/1",
    "x-webhook-event": event.type,
    "x-webhook-delivery": deliveryIdOf(webhookId, event.eventId, sequence),
    "x-webhook-timestamp": String(timestamp),
    "x-webhook-sequence": String(sequence),
    "x-webhook-signature": signer.delivery(timestamp, body),
    ...(former === undefined ? {} : { "x-webhook-signature-previous": former.delivery(timestamp, body) }),
    "webhook-id": event.eventId,
    "webhook-timestamp": String(timestamp),
    ...(standard.length === 0 ? {} : { "webhook-signature": standard.join(" ") })
  }
}
