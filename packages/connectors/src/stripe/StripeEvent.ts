import type { BillingFact, BillingEvent } from "@leadloom/core/domain/billing/BillingEvent"
import { Option, Redacted, Schema } from "effect"
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { maybe } from "../http/Lenient.ts"
import { stripeVersion } from "./StripeConfig.ts"
import { AnyObject, Charge, CheckoutSession, checkoutOf, creditsOf, idOf } from "./StripeObjects.ts"

/** The header that carries the signature of an event. */
export const signatureHeader = "stripe-signature"

/** How far the time of a signature may be from ours, seconds: as Stripe's own libraries have it. */
export const toleranceSeconds = 300

/** An event that is Stripe's, and what it says. */
export interface ProviderEventRead {
  readonly _tag: "ProviderEventRead"
  readonly providerEvent: BillingEvent
  /** The version that the event is written in where it is not ours (empty: it does not say); null: it is ours. */
  readonly foreignVersion: string | null
}

/**
 * `signature`: whoever sent it does not know the secret. `time`: it was signed too long ago, or on a clock that is wrong.
 * `malformed`: it is signed, and no event.
 */
export interface ProviderEventRejected {
  readonly _tag: "ProviderEventRejected"
  readonly why: "signature" | "time" | "malformed"
}

const Event = Schema.Struct({
  // Absent in those of some stand-ins.
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

/** Events after which a tenant may stand otherwise. */
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

/** Events that say themselves what was paid. */
const payments = ["checkout.session.completed", "checkout.session.async_payment_succeeded", "charge.refunded"] as const

/** The events that a webhook endpoint has to be told of; others may come and are ignored. */
export const wantedEvents: ReadonlyArray<string> = [...payments, ...changes]

const refusal = (why: ProviderEventRejected["why"]): ProviderEventRejected => ({ _tag: "ProviderEventRejected", why })

/** The time and every `v1` of a header; `v0` is for tests of Stripe's own and proves nothing. */
const partsOf = (header: string) => {
  const pairs = header.split(",").map((part) => part.trim().split("=", 2))
  const times = pairs.filter(([name]) => name === "t").map(([, value]) => value ?? "")
  const time = times.length === 1 && /^\d{1,12}$/u.test(times[0] ?? "") ? Number(times[0]) : null
  const signatures = pairs.filter(([name]) => name === "v1").map(([, value]) => value ?? "")
  return { time, signatures: signatures.filter((value) => /^[\da-f]{64}$/iu.test(value)) }
}

/** Whether any of the signatures is made with any of the secrets: two of each while a secret is being changed. */
const isSigned = (
  secrets: ReadonlyArray<Redacted.Redacted>,
  signed: Buffer,
  signatures: ReadonlyArray<string>
): boolean =>
  secrets
    .map(Redacted.value)
    // An empty secret is one that everybody knows.
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

/** What an event is about. One that is written in another version only says where to look. */
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

/** An event without an id of its own is known by its text. */
const idOfEvent = ({ id }: EventJson, body: Uint8Array): string =>
  id ?? `sha256:${createHash("sha256").update(body).digest("hex")}`

const providerEventOf = (event: EventJson, body: Uint8Array): ProviderEventRead => {
  const version = event.api_version ?? ""
  const isForeign = version !== stripeVersion
  const about = Option.getOrNull(Schema.decodeUnknownOption(AnyObject)(event.data.object))
  const id = idOfEvent(event, body)
  const providerEvent: BillingEvent = {
    // Sent again in our version, it is taken as it is meant.
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
 * Reads an event after it has proved whose it is: HMAC-SHA256 over the time, a dot and the bytes as they came, under the
 * secret as plain text (`Stripe-Signature: t=…,v1=…`). `now` is in epoch milliseconds.
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
