import {
  type CheckoutState,
  type PaidSubscription,
  type SubscriptionStatus,
  subscriptionStatuses
} from "@leadloom/core/internal/domain/billing/Payment"
import { Schema } from "effect"
import { listOf, maybe } from "../provider/Lenient.ts"
import { present } from "../provider/Present.ts"
import { planOfPrice, type StripeConfig } from "./StripeConfig.ts"

/** A reference: an id, or the object when the request expands it. */
const Reference = Schema.Union([Schema.String, Schema.Struct({ id: Schema.String })])

/** Returns the id of a reference; null when it is missing. */
export const idOf = (reference: typeof Reference.Type | null | undefined): string | null =>
  typeof reference === "string" ? reference : (reference?.id ?? null)

/** The metadata that this server attaches to Stripe objects. */
export const Metadata = Schema.Struct({ tenant_id: maybe(Schema.String), credits: maybe(Schema.String) })

const Item = Schema.Struct({
  id: Schema.String,
  price: maybe(Schema.Struct({ id: Schema.String })),
  current_period_start: maybe(Schema.Finite),
  current_period_end: maybe(Schema.Finite)
})

/**
 * A subscription. Since 2025, its items contain the period. Older versions of the API have the period in the
 * subscription itself, so both are read.
 */
export const Subscription = Schema.Struct({
  object: Schema.Literal("subscription"),
  id: Schema.String,
  status: Schema.String,
  created: Schema.Finite,
  trial_end: maybe(Schema.Finite),
  cancel_at_period_end: maybe(Schema.Boolean),
  cancel_at: maybe(Schema.Finite),
  current_period_start: maybe(Schema.Finite),
  current_period_end: maybe(Schema.Finite),
  items: maybe(Schema.Struct({ data: listOf(Item) })),
  latest_invoice: maybe(Schema.Union([Schema.Struct({ created: Schema.Finite }), Schema.String]))
})

export const Invoice = Schema.Struct({ created: Schema.Finite })

const millisOf = (seconds: number | null | undefined): number | null =>
  seconds === null || seconds === undefined ? null : seconds * 1_000

/** Returns the status of a subscription. An unknown status counts as unpaid (`incomplete`). */
const statusOf = (word: string): SubscriptionStatus =>
  subscriptionStatuses.find((known) => known === word) ?? "incomplete"

/** Converts a subscription of Stripe. */
export const subscriptionOf = (config: StripeConfig, json: typeof Subscription.Type): PaidSubscription => {
  const items = present(json.items?.data)
  const planOf = ({ price }: typeof Item.Type) =>
    price === null || price === undefined ? null : planOfPrice(config, price.id)
  const item = items.find((each) => planOf(each) !== null) ?? items[0]
  const invoice = json.latest_invoice
  return {
    subscriptionId: json.id,
    status: statusOf(json.status),
    plan: item === undefined ? null : planOf(item),
    itemId: item?.id ?? null,
    createdAt: json.created * 1_000,
    trialEndsAt: millisOf(json.trial_end),
    periodStartsAt: millisOf(item?.current_period_start ?? json.current_period_start),
    periodEndsAt: millisOf(item?.current_period_end ?? json.current_period_end),
    cancelAtPeriodEnd: json.cancel_at_period_end === true || typeof json.cancel_at === "number",
    invoicedAt: typeof invoice === "object" && invoice !== null ? invoice.created * 1_000 : null
  }
}

/** The schema of a checkout session. */
export const CheckoutSession = Schema.Struct({
  object: Schema.Literal("checkout.session"),
  id: Schema.String,
  url: maybe(Schema.String),
  expires_at: maybe(Schema.Finite),
  mode: maybe(Schema.String),
  status: maybe(Schema.String),
  payment_status: maybe(Schema.String),
  customer: maybe(Reference),
  client_reference_id: maybe(Schema.String),
  metadata: maybe(Metadata)
})

/** Returns the credits in the metadata of a payment; null when the payment is not for credits. */
export const creditsOf = (metadata: typeof Metadata.Type | null | undefined): number | null => {
  const text = metadata?.credits ?? ""
  return /^[1-9]\d{0,8}$/u.test(text) ? Number(text) : null
}

/**
 * Converts a checkout session. A delayed payment (`unpaid` at the end of the checkout) is reported by a further event.
 */
export const checkoutOf = (json: typeof CheckoutSession.Type): CheckoutState => {
  const { client_reference_id, customer, metadata, mode, payment_status } = json
  const paid = payment_status === "paid" || payment_status === "no_payment_required"
  return {
    checkoutId: json.id,
    tenantIds: [metadata?.tenant_id, client_reference_id].filter((id) => typeof id === "string"),
    customerId: idOf(customer),
    paidCredits: mode === "payment" && paid ? creditsOf(metadata) : null
  }
}

/** A refunded charge, possibly for credits. */
export const Charge = Schema.Struct({
  id: Schema.String,
  amount: maybe(Schema.Finite),
  amount_refunded: maybe(Schema.Finite),
  metadata: maybe(Metadata)
})

/** The common fields of the objects in events. */
export const AnyObject = Schema.Struct({
  id: maybe(Schema.String),
  object: maybe(Schema.String),
  customer: maybe(Reference),
  client_reference_id: maybe(Schema.String),
  metadata: maybe(Metadata)
})
