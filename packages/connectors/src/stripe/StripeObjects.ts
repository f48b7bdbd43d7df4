import {
  type CheckoutState,
  type PaidSubscription,
  type SubscriptionStatus,
  subscriptionStatuses
} from "@leadloom/core/domain/billing/Payment"
import { Schema } from "effect"
import { listOf, maybe } from "../http/Lenient.ts"
import { present } from "../http/Present.ts"
import { planOfPrice, type StripeConfig } from "./StripeConfig.ts"

/** Something that is told by its id, or whole where it was asked for. */
const Reference = Schema.Union([Schema.String, Schema.Struct({ id: Schema.String })])

/** The id of what is referred to; null where there is nothing. */
export const idOf = (reference: typeof Reference.Type | null | undefined): string | null =>
  typeof reference === "string" ? reference : (reference?.id ?? null)

/** Free words of ours that Stripe keeps with a thing. */
export const Metadata = Schema.Struct({ tenant_id: maybe(Schema.String), credits: maybe(Schema.String) })

const Item = Schema.Struct({
  id: Schema.String,
  price: maybe(Schema.Struct({ id: Schema.String })),
  current_period_start: maybe(Schema.Finite),
  current_period_end: maybe(Schema.Finite)
})

/** A subscription. Its period moved to its items in 2025; the older place is read, too. */
export const Subscription = Schema.Struct({
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

/** An invoice. */
export const Invoice = Schema.Struct({ created: Schema.Finite })

const millisOf = (seconds: number | null | undefined): number | null =>
  seconds === null || seconds === undefined ? null : seconds * 1_000

/** A word that is not known yet says nothing about what is paid: as a first payment that has not been made. */
const statusOf = (word: string): SubscriptionStatus =>
  subscriptionStatuses.find((known) => known === word) ?? "incomplete"

/** A subscription in our words. */
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

/** A checkout. */
export const CheckoutSession = Schema.Struct({
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

/** Credits that were written down with a payment; null: it was not about credits. */
export const creditsOf = (metadata: typeof Metadata.Type | null | undefined): number | null => {
  const text = metadata?.credits ?? ""
  return /^[1-9]\d{0,8}$/u.test(text) ? Number(text) : null
}

/** What a checkout has come to. Payments that take days (`unpaid` when the page is done) are told again when they are made. */
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

/** A payment for credits, of which something was paid back. */
export const Charge = Schema.Struct({
  id: Schema.String,
  amount: maybe(Schema.Finite),
  amount_refunded: maybe(Schema.Finite),
  metadata: maybe(Metadata)
})

/** What events of any kind have. */
export const AnyObject = Schema.Struct({
  id: maybe(Schema.String),
  object: maybe(Schema.String),
  customer: maybe(Reference),
  client_reference_id: maybe(Schema.String),
  metadata: maybe(Metadata)
})
