import type { BillingFact, BillingEvent } from "@leadloom/core/internal/domain/billing/BillingEvent"
import { Option, Redacted, Schema } from "effect"
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { maybe } from "../provider/Lenient.ts"
import { stripeVersion } from "./StripeConfig.ts"
import { AnyObject, Charge, CheckoutSession, checkoutOf, creditsOf, idOf } from "./StripeObjects.ts"

/** The header with the signature of an event. */
export const signatureHeader = "stripe-signature"

/**
 * The maximum difference between the time of a signature and the current time, in seconds; the default of Stripe's
 * libraries.
 */
export const toleranceSeconds = 300

/** An authentic event of Stripe. */
export interface ProviderEventRead {
  readonly _tag: "ProviderEventRead"
  readonly providerEvent: BillingEvent
  /**
   * The API version of the event if it differs from ours; empty when the event names none. Null when the version equals
   * ours.
   */
  readonly foreignVersion: string | null
}

/**
 * The reason for the rejection of an event.
 * - `signature`: the signature is missing or invalid.
 * - `time`: the time of the signature is too far from now.
 * - `malformed`: the signature is valid, but the body is not an event.
 */
export interface ProviderEventRejected {
  readonly _tag: "ProviderEventRejected"
  readonly why: "signature" | "time" | "malformed"
}

const Event = Schema.Struct({
  // The field is optional, because the events of some test servers lack it.
  object: Schema.optionalKey(Schema.Literal("event")),
  type: Schema.String,
  id: maybe(Schema.String),
  api_version: maybe(Schema.String),
  data: Schema.Struct({
    object: Schema.Unknown,
    previous_attributes: maybe(Schema.Struct({ amount_refunded: maybe(Schema.Finite) }))
  })
})

type EventJson = typeof Event.Type

/** Events that may change the billing status of a tenant. */
const changes: ReadonlySet<string> = new Set([
  "customer.subscription.created",
  "customer.subscription.updated",
  "customer.subscription.deleted",
  "customer.subscription.paused",
  "customer.subscription.resumed",
  "customer.subscription.trial_will_end",
  "customer.deleted",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.payment_action_required",
  "invoice.marked_uncollectible",
  "invoice.voided"
])

/** Events that contain the payment itself. */
const payments = ["checkout.session.completed", "checkout.session.async_payment_succeeded", "charge.refunded"] as const

/** The events that a webhook endpoint must subscribe to. Other events are ignored. */
export const wantedEvents: ReadonlyArray<string> = [...payments, ...changes]

const refusal = (why: ProviderEventRejected["why"]): ProviderEventRejected => ({ _tag: "ProviderEventRejected", why })

/** Returns the time and all `v1` signatures of a header. `v0` signatures are for Stripe's tests and prove nothing. */
const partsOf = (header: string) => {
  const pairs = header.split(",").map((part) => part.trim().split("=", 2))
  const times = pairs.filter(([name]) => name === "t").map(([, value]) => value ?? "")
  const time = times.length === 1 && /^\d{1,12}$/u.test(times[0] ?? "") ? Number(times[0]) : null
  const signatures = pairs.filter(([name]) => name === "v1").map(([, value]) => value ?? "")
  return { time, signatures: signatures.filter((value) => /^[\da-f]{64}$/iu.test(value)) }
}

/** Returns whether any signature matches any secret. During a rotation, there are two signatures and two secrets. */
const isSigned = (
  secrets: ReadonlyArray<Redacted.Redacted>,
  signed: Buffer,
  signatures: ReadonlyArray<string>
): boolean =>
  secrets
    .map(Redacted.value)
    // An empty secret is ignored, because anyone could sign with it.
    .filter((secret) => secret !== "")
    .map((secret) => createHmac("sha256", secret).update(signed).digest())
    .some((ours) => signatures.some((theirs) => timingSafeEqual(ours, Buffer.from(theirs, "hex"))))

const parse = (body: Uint8Array): Option.Option<EventJson> => {
  try {
    return Schema.decodeUnknownOption(Event)(JSON.parse(new TextDecoder().decode(body)))
  } catch {
    return Option.none()
  }
}

const paidBackOf = ({ data }: EventJson): BillingFact => {
  const charge = Option.getOrNull(Schema.decodeUnknownOption(Charge)(data.object))
  const credits = creditsOf(charge?.metadata)
  if (charge === null || credits === null) return { _tag: "Ignored" }
  const refundedBefore = data.previous_attributes?.amount_refunded ?? 0
  const { amount, amount_refunded: refunded, id: chargeId } = charge
  return {
    _tag: "PaidBack",
    payment: { chargeId, credits, amount: amount ?? 0, refunded: refunded ?? 0, refundedBefore }
  }
}

/** Returns the content of an event. An event in another API version only triggers a lookup. */
const factOf = (event: EventJson, isForeign: boolean): BillingFact => {
  const { data, type } = event
  if (type === "checkout.session.completed" || type === "checkout.session.async_payment_succeeded") {
    const session = Option.getOrNull(Schema.decodeUnknownOption(CheckoutSession)(data.object))
    if (session === null) return { _tag: "Ignored" }
    return isForeign
      ? { _tag: "CheckoutToRead", checkoutId: session.id }
      : { _tag: "CheckoutEnded", checkout: checkoutOf(session) }
  }
  if (type === "charge.refunded") return isForeign ? { _tag: "Look" } : paidBackOf(event)
  return changes.has(type) ? { _tag: "Look" } : { _tag: "Ignored" }
}

/** Returns the id of an event. If it has none, returns the hash of its body. */
const idOfEvent = ({ id }: EventJson, body: Uint8Array): string =>
  id ?? `sha256:${createHash("sha256").update(body).digest("hex")}`

const providerEventOf = (event: EventJson, body: Uint8Array): ProviderEventRead => {
  const version = event.api_version ?? ""
  const isForeign = version !== stripeVersion
  const about = Option.getOrNull(Schema.decodeUnknownOption(AnyObject)(event.data.object))
  const id = idOfEvent(event, body)
  const providerEvent: BillingEvent = {
    // The suffix prevents that a later delivery of the same event in our API version counts as a duplicate.
    providerEventId: isForeign ? `${id}@${version}` : id,
    type: event.type,
    tenantId: about?.metadata?.tenant_id ?? null,
    claimedTenantId: about?.client_reference_id ?? null,
    customerId: about?.object === "customer" ? (about.id ?? null) : idOf(about?.customer),
    fact: factOf(event, isForeign)
  }
  return { _tag: "ProviderEventRead", providerEvent, foreignVersion: isForeign ? version : null }
}

/**
 * Verifies and reads an event: HMAC-SHA256 over the time, a dot and the unchanged body, keyed with the secret as plain
 * text (`Stripe-Signature: t=…,v1=…`). `now` is in epoch milliseconds.
 */
export const readProviderEvent = (
  secrets: ReadonlyArray<Redacted.Redacted>,
  body: Uint8Array,
  header: string | undefined,
  now: number
): ProviderEventRead | ProviderEventRejected => {
  const { signatures, time } = partsOf(header ?? "")
  if (time === null) return refusal("signature")
  if (!isSigned(secrets, Buffer.concat([Buffer.from(`${time}.`), body]), signatures)) return refusal("signature")
  if (Math.abs(Math.floor(now / 1_000) - time) > toleranceSeconds) return refusal("time")
  return Option.match(parse(body), {
    onNone: () => refusal("malformed"),
    onSome: (event) => providerEventOf(event, body)
  })
}
