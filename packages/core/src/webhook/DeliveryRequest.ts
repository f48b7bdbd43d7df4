import type { SequencedEvent } from "../port/Events.ts"
import { type MakeMac, plainMac } from "../port/Hmac.ts"
import { deliveryIdOf } from "./Delivery.ts"
import { makeSigner, type Signer } from "./Signing.ts"
import { secretsOf, type Subscription } from "./Subscription.ts"

/** What a subscription is to be told: an event, its place, and the body that it travels as. */
export interface Parcel extends SequencedEvent {
  readonly body: string
  /** The same as UTF-8, which is what is signed. */
  readonly bytes: Uint8Array
}

/** Signers kept: more than a server has subscriptions in hand. */
const signersKept = 512

const signersBy = new WeakMap<MakeMac, Map<string, Signer>>()

/** The signer of a secret, made once. */
const signerOf = (makeMac: MakeMac, secret: string): Signer => {
  const signers = signersBy.get(makeMac) ?? new Map<string, Signer>()
  const known = signers.get(secret)
  if (known !== undefined) return known
  const [oldest] = signers.keys()
  if (signers.size >= signersKept && oldest !== undefined) signers.delete(oldest)
  const signer = makeSigner(secret, makeMac)
  signers.set(secret, signer)
  signersBy.set(makeMac, signers)
  return signer
}

/**
 * The headers of one attempt: those of the specification ("Outbound event types"), those of Standard Webhooks beside them,
 * and the event's number. Timestamp and signatures are of this attempt (`now`, epoch milliseconds); the ids are those of
 * every attempt. After a rotation both secrets sign for a while.
 */
export const deliveryHeaders = (
  subscription: Subscription,
  { bytes, event, sequence }: Parcel,
  now: number,
  makeMac: MakeMac = plainMac
): Readonly<Record<string, string>> => {
  const timestamp = Math.floor(now / 1_000)
  const [secret, former] = secretsOf(subscription, now)
  const standard = (former === undefined ? [secret] : [secret, former])
    .map((key) => signerOf(makeMac, key).standard(event.eventId, timestamp, bytes))
    .filter((signature) => signature !== null)
  return {
    "content-type": "application/json",
    "user-agent": "Leadloom-Webhooks/1",
    "x-webhook-event": event.type,
    "x-webhook-delivery": deliveryIdOf(subscription.webhookId, event.eventId, sequence),
    "x-webhook-timestamp": String(timestamp),
    "x-webhook-sequence": String(sequence),
    "x-webhook-signature": signerOf(makeMac, secret).delivery(timestamp, bytes),
    ...(former === undefined ? {} : { "x-webhook-signature-previous": signerOf(makeMac, former).delivery(timestamp, bytes) }),
    "webhook-id": event.eventId,
    "webhook-timestamp": String(timestamp),
    ...(standard.length === 0 ? {} : { "webhook-signature": standard.join(" ") })
  }
}
