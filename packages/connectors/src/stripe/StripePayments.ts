// The `Payments` port for Stripe: checkouts, subscriptions and events. Plans and grace periods are in
// `core/domain/billing`. Tests: `packages/connectors/test/stripe`.
import { type PaidSubscription, type Purchase, PaymentsRefused } from "@leadloom/core/domain/billing/Payment"
import { type PaymentCustomer, Payments } from "@leadloom/core/port/provider/Payments"
import { Effect, Layer, Schema } from "effect"
import { HttpClient } from "effect/http"
import { layerFetch } from "../http/Fetch.ts"
import { listOf, maybe } from "../http/Lenient.ts"
import { present } from "../http/Present.ts"
import { sendRequest, decode } from "./SendStripeRequest.ts"
import type { StripeConfig } from "./StripeConfig.ts"
import type { FormValue } from "./StripeForm.ts"
import type { StripeCall } from "./StripeHttp.ts"
import { CheckoutSession, checkoutOf, Invoice, Subscription, subscriptionOf } from "./StripeObjects.ts"

const Customer = Schema.Struct({ id: Schema.String, deleted: maybe(Schema.Boolean) })
const Portal = Schema.Struct({ url: Schema.String })
const Subscriptions = Schema.Struct({ data: Schema.Array(Schema.NullOr(Subscription)) })

const Invoices = Schema.Struct({ data: listOf(Invoice) })

/** The maximum number of subscriptions read, newest first; far above real numbers. */
const maxSubscriptions = 100
/** The maximum number of open invoices read per subscription, newest first: eight years of unpaid months. */
const maxInvoices = 100

/** Returns the checkout form of a purchase; null when it is not for sale. */
const formOf = (
  config: StripeConfig,
  tenantId: string,
  purchase: Purchase
): { readonly [name: string]: FormValue } | null => {
  if (purchase._tag === "PlanPurchase") {
    const [price] = config.prices[purchase.plan]
    const metadata = { tenant_id: tenantId }
    if (price === undefined) return null
    return { mode: "subscription", line_items: [{ price, quantity: 1 }], metadata, subscription_data: { metadata } }
  }
  const { creditPrice: price } = config
  const metadata = { tenant_id: tenantId, credits: purchase.credits }
  if (price === null) return null
  // The charge inherits the metadata of its payment, so that a refund is recognised as a refund of credits.
  return {
    mode: "payment",
    line_items: [{ price, quantity: purchase.credits }],
    metadata,
    payment_intent_data: { metadata }
  }
}

const notSold = new PaymentsRefused({ reason: "this is not for sale: its price is not configured" })

const checkouts = (http: HttpClient.HttpClient, config: StripeConfig) => ({
  start: Effect.fnUntraced(function* ({ customerId, tenantId }: PaymentCustomer, purchase: Purchase, key: string) {
    const form = formOf(config, tenantId, purchase)
    if (form === null) return yield* notSold
    const fields = {
      ...form,
      customer: customerId,
      client_reference_id: tenantId,
      success_url: config.successUrl,
      cancel_url: config.cancelUrl
    }
    const answer = yield* sendRequest(
      http,
      config,
      { method: "POST", steps: ["checkout", "sessions"], fields, key },
      "customer"
    )
    const { expires_at, id, url } = yield* decode(CheckoutSession, "checkout.session", answer)
    if (typeof url !== "string") return yield* new PaymentsRefused({ reason: `the checkout ${id} has expired` })
    return { checkoutId: id, url, expiresAt: (expires_at ?? 0) * 1_000, replayed: answer.replayed }
  }),
  read: Effect.fnUntraced(function* (checkoutId: string) {
    const steps = ["checkout", "sessions", checkoutId]
    const answer = yield* sendRequest(http, config, { method: "GET", steps }, "checkout")
    return checkoutOf(yield* decode(CheckoutSession, "checkout.session", answer))
  })
})

const customers = (http: HttpClient.HttpClient, config: StripeConfig) => ({
  create: Effect.fnUntraced(function* (
    { name, tenantId }: { readonly name: string; readonly tenantId: string },
    key: string
  ) {
    const fields = { name: name.slice(0, 256), metadata: { tenant_id: tenantId } }
    const answer = yield* sendRequest(http, config, { method: "POST", steps: ["customers"], fields, key }, "customer")
    return (yield* decode(Customer, "customer", answer)).id
  }),
  has: (customerId: string) =>
    sendRequest(http, config, { method: "GET", steps: ["customers", customerId] }, "customer").pipe(
      Effect.flatMap((answer) => decode(Customer, "customer", answer)),
      Effect.map(({ deleted }) => deleted !== true),
      Effect.catchTag("PaymentsGone", () => Effect.succeed(false))
    ),
  portal: Effect.fnUntraced(function* (customerId: string, key: string) {
    const fields = { customer: customerId, return_url: config.returnUrl }
    const call: StripeCall = { method: "POST", steps: ["billing_portal", "sessions"], fields, key }
    return (yield* decode(Portal, "billing_portal.session", yield* sendRequest(http, config, call, "customer"))).url
  })
})

/**
 * Adds the start of the unpaid period to a subscription. Each period creates a new invoice, even if the previous one is
 * unpaid, so the oldest open invoice counts. A restricted key may lack the permission to read invoices; then the latest
 * one is used.
 */
const sinceUnpaid = Effect.fnUntraced(function* (
  http: HttpClient.HttpClient,
  config: StripeConfig,
  subscription: PaidSubscription
) {
  if (subscription.status !== "past_due") return subscription
  const fields = { subscription: subscription.subscriptionId, status: "open", limit: maxInvoices }
  const requested = sendRequest(http, config, { method: "GET", steps: ["invoices"], fields }, "subscription")
  const open = yield* requested.pipe(
    Effect.flatMap((answer) => decode(Invoices, "list", answer)),
    Effect.map(({ data }) => present(data).map(({ created }) => created * 1_000)),
    Effect.catchTag("PaymentsRefused", ({ reason }) =>
      Effect.as(
        Effect.logWarning("failed to read invoices; the grace period of a failed payment may start again", reason),
        []
      )
    )
  )
  return open.length === 0 ? subscription : { ...subscription, invoicedAt: Math.min(...open) }
})

const subscriptions = (http: HttpClient.HttpClient, config: StripeConfig) =>
  ({
    all: Effect.fnUntraced(function* (customerId: string) {
      const fields = {
        customer: customerId,
        status: "all",
        limit: maxSubscriptions,
        expand: ["data.latest_invoice"]
      }
      const answer = yield* sendRequest(http, config, { method: "GET", steps: ["subscriptions"], fields }, "customer")
      const { data } = yield* decode(Subscriptions, "list", answer)
      return yield* Effect.forEach(present(data), (each) => sinceUnpaid(http, config, subscriptionOf(config, each)))
    }),
    change: Effect.fnUntraced(function* ({ plan, subscription }, key) {
      const [price] = config.prices[plan]
      const { itemId, plan: former, status, subscriptionId } = subscription
      if (price === undefined || itemId === null) return yield* notSold
      const fields = {
        // A tenant with an older price of the same plan keeps it.
        items: plan === former ? undefined : [{ id: itemId, price }],
        trial_end: status === "trialing" ? "now" : undefined,
        cancel_at_period_end: false,
        proration_behavior: "create_prorations",
        // A declined card changes nothing.
        payment_behavior: "error_if_incomplete"
      }
      const call: StripeCall = { method: "POST", steps: ["subscriptions", subscriptionId], fields, key }
      yield* decode(Subscription, "subscription", yield* sendRequest(http, config, call, "subscription"))
    }),
    cancel: (subscriptionId) =>
      sendRequest(http, config, { method: "DELETE", steps: ["subscriptions", subscriptionId] }, "subscription").pipe(
        Effect.asVoid,
        Effect.catchTag("PaymentsGone", () => Effect.void)
      )
  }) satisfies {
    readonly all: Payments["Service"]["subscriptions"]
    readonly change: Payments["Service"]["changeSubscription"]
    readonly cancel: Payments["Service"]["cancelSubscription"]
  }

/** Provides payments through Stripe, over the given `HttpClient`. */
export const layerNoDeps = (config: StripeConfig): Layer.Layer<Payments, never, HttpClient.HttpClient> =>
  Layer.effect(
    Payments,
    Effect.map(HttpClient.HttpClient, (http) => {
      const checkout = checkouts(http, config)
      const customer = customers(http, config)
      const subscription = subscriptions(http, config)
      return Payments.of({
        configured: true,
        createCustomer: customer.create,
        hasCustomer: customer.has,
        startCheckout: checkout.start,
        readCheckout: checkout.read,
        openPortal: customer.portal,
        subscriptions: subscription.all,
        changeSubscription: subscription.change,
        cancelSubscription: subscription.cancel
      })
    })
  )

/** Provides payments through Stripe. */
export const layer = (config: StripeConfig): Layer.Layer<Payments> => Layer.provide(layerNoDeps(config), layerFetch)
