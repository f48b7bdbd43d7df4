import type { SubscriptionId } from "../../domain/Id.ts"
import type { SequencedEvent } from "../../port/repository/webhook/Events.ts"
import { deliveryIdOf } from "../../domain/webhook/Delivery.ts"
import type { Signer } from "./SignWebhook.ts"

/** An event with its sequence number and its encoded body. The body is signed and sent. */
export interface EncodedEvent extends SequencedEvent {
  readonly body: Uint8Array
}

/** A request to sign: its ids, and the type of its content. */
export interface SignedRequest {
  /** The id by which receivers recognise a repeated request. */
  readonly id: string
  readonly deliveryId: string
  readonly type: string
  readonly body: Uint8Array
}

/** Returns the headers of one request that do not depend on a sequence of events. `now` is in epoch milliseconds. */
export const signedHeaders = (
  signers: readonly [Signer, ...ReadonlyArray<Signer>],
  { body, deliveryId, id, type }: SignedRequest,
  now: number
): Readonly<Record<string, string>> => {
  const timestamp = Math.floor(now / 1_000)
  const [signer, former] = signers
  const standard = signers.map((one) => one.standard(id, timestamp, body)).filter((signature) => signature !== null)
  return {
    "content-type": "application/json",
    "user-agent": "Leadloom-Webhooks/1",
    "x-webhook-event": type,
    "x-webhook-delivery": deliveryId,
    "x-webhook-timestamp": String(timestamp),
    "x-webhook-signature": signer.delivery(timestamp, body),
    ...(former === undefined ? {} : { "x-webhook-signature-previous": former.delivery(timestamp, body) }),
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    ...(standard.length === 0 ? {} : { "webhook-signature": standard.join(" ") })
  }
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
  const deliveryId = deliveryIdOf(webhookId, event.eventId, sequence)
  const headers = signedHeaders(signers, { id: event.eventId, deliveryId, type: event.type, body }, now)
  return { ...headers, "x-webhook-sequence": String(sequence) }
}
