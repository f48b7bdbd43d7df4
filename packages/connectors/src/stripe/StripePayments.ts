// The `Payments` port for Stripe: checkouts, subscriptions and events. Plans and grace periods are in
// `core/domain/billing`. Tests: `packages/connectors/test/stripe`.
import type { PaidSubscription, Purchase } from "@leadloom/core/internal/domain/billing/Payment"
import { type ProviderFailure, refused } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { IdempotencyConflict, IdempotencyInProgress } from "@leadloom/core/internal/domain/sending/Reservation"
import { type PaymentCustomer, Payments, type PaymentsFailure } from "@leadloom/core/internal/port/provider/Payments"
import { Effect, Layer, Schema } from "effect"
import { HttpClient } from "effect/http"
import { layerFetch } from "../provider/Fetch.ts"
import { listOf, maybe } from "../provider/Lenient.ts"
import { present } from "../provider/Present.ts"
import type { Provider, ProviderRequest } from "../provider/Provider.ts"
import { decode, request, send } from "../provider/ProviderClient.ts"
import { type StripeConfig, stripeProvider } from "./StripeConfig.ts"
import { type FormValue, formOf } from "./StripeForm.ts"
import { CheckoutSession, checkoutOf, Invoice, Subscription, subscriptionOf } from "./StripeObjects.ts"
import { log } from "../provider/LogEvents.ts"

/** The schema of a list. A response must name its type, because any other 200 comes from a proxy. */
const list = <S extends Schema.Constraint>(item: S) =>
  Schema.Struct({ object: Schema.Literal("list"), data: Schema.Array(Schema.NullOr(item)) })
const Customer = Schema.Struct({
  object: Schema.Literal("customer"),
  id: Schema.String,
  deleted: maybe(Schema.Boolean)
})
const Portal = Schema.Struct({ object: Schema.Literal("billing_portal.session"), url: Schema.String })
const Subscriptions = list(Subscription)
const Invoices = Schema.Struct({ object: Schema.Literal("list"), data: listOf(Invoice) })

/** The maximum number of subscriptions read, newest first. Real customers have far fewer. */
const maxSubscriptions = 100
/** The maximum number of open invoices read per subscription, newest first: eight years of unpaid months. */
const maxInvoices = 100

/** Returns the checkout form of a purchase; null when it is not for sale. */
const fieldsOf = (
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

const notSold = refused("payments", "this is not for sale: its price is not configured")

/** Returns a write request, which Stripe carries out once per key. */
const write = (
  path: ReadonlyArray<string>,
  what: string,
  fields: { readonly [name: string]: FormValue },
  key: string
): ProviderRequest => ({
  method: "POST",
  path,
  what,
  form: formOf(fields),
  headers: { "idempotency-key": key },
  effect: "idempotent"
})

const read = (
  path: ReadonlyArray<string>,
  what: string,
  fields: { readonly [name: string]: FormValue } = {}
): ProviderRequest => ({ method: "GET", path, what, query: Object.fromEntries(formOf(fields)) })

/** Maps Stripe's two errors about an idempotency key to `IdempotencyConflict` and `IdempotencyInProgress`. */
const aboutKeys = <A>(sent: Effect.Effect<A, ProviderFailure>): Effect.Effect<A, PaymentsFailure> =>
  Effect.mapError(sent, (failure) => {
    const { reason } = failure
    if (reason._tag === "Refused" && reason.code === "idempotency_error") return new IdempotencyConflict()
    const isInUse = reason._tag === "Unavailable" && reason.code === "idempotency_key_in_use"
    return isInUse ? new IdempotencyInProgress() : failure
  })

const checkouts = (provider: Provider, config: StripeConfig) => ({
  start: Effect.fnUntraced(function* ({ customerId, tenantId }: PaymentCustomer, purchase: Purchase, key: string) {
    const form = fieldsOf(config, tenantId, purchase)
    if (form === null) return yield* notSold
    const fields = {
      ...form,
      customer: customerId,
      client_reference_id: tenantId,
      success_url: config.successUrl,
      cancel_url: config.cancelUrl
    }
    const call = write(["checkout", "sessions"], "customer", fields, key)
    const response = yield* aboutKeys(send(provider, call))
    const { expires_at, id, url } = yield* decode(provider, call, CheckoutSession, response)
    if (typeof url !== "string") return yield* refused("payments", `the checkout ${id} has expired`)
    const replayed = response.headers["idempotent-replayed"] === "true"
    return { checkoutId: id, url, expiresAt: (expires_at ?? 0) * 1_000, replayed }
  }),
  read: (checkoutId: string) =>
    Effect.map(request(provider, read(["checkout", "sessions", checkoutId], "checkout"), CheckoutSession), checkoutOf)
})

const customers = (provider: Provider, config: StripeConfig) => ({
  create: ({ name, tenantId }: { readonly name: string; readonly tenantId: string }, key: string) => {
    const fields = { name: name.slice(0, 256), metadata: { tenant_id: tenantId } }
    const created = request(provider, write(["customers"], "customer", fields, key), Customer)
    return Effect.map(aboutKeys(created), ({ id }) => id)
  },
  has: (customerId: string) =>
    request(provider, read(["customers", customerId], "customer"), Customer).pipe(
      Effect.map(({ deleted }) => deleted !== true),
      Effect.catchReason("ProviderFailure", "Gone", () => Effect.succeed(false))
    ),
  portal: (customerId: string, key: string) => {
    const fields = { customer: customerId, return_url: config.returnUrl }
    const opened = request(provider, write(["billing_portal", "sessions"], "customer", fields, key), Portal)
    return Effect.map(aboutKeys(opened), ({ url }) => url)
  }
})

/**
 * Adds the start of the unpaid period to a subscription. Each period creates a new invoice, even if the previous
 * invoice is unpaid, so the oldest open invoice counts. A restricted key may lack the permission to read invoices; then
 * the latest invoice counts.
 */
const sinceUnpaid = Effect.fnUntraced(function* (provider: Provider, subscription: PaidSubscription) {
  if (subscription.status !== "past_due") return subscription
  const fields = { subscription: subscription.subscriptionId, status: "open", limit: maxInvoices }
  const open = yield* request(provider, read(["invoices"], "subscription", fields), Invoices).pipe(
    Effect.map(({ data }) => present(data).map(({ created }) => created * 1_000)),
    Effect.catchReason("ProviderFailure", "Refused", ({ detail }) =>
      Effect.as(log("billing.invoices_unreadable", { reason: detail }), [])
    )
  )
  return open.length === 0 ? subscription : { ...subscription, invoicedAt: Math.min(...open) }
})

const subscriptions = (provider: Provider, config: StripeConfig) =>
  ({
    all: Effect.fnUntraced(function* (customerId: string) {
      const fields = {
        customer: customerId,
        status: "all",
        limit: maxSubscriptions,
        expand: ["data.latest_invoice"]
      }
      const { data } = yield* request(provider, read(["subscriptions"], "customer", fields), Subscriptions)
      return yield* Effect.forEach(present(data), (each) => sinceUnpaid(provider, subscriptionOf(config, each)))
    }),
    change: Effect.fnUntraced(function* ({ plan, subscription }, key) {
      const [price] = config.prices[plan]
      const { itemId, plan: former, status, subscriptionId } = subscription
      if (price === undefined || itemId === null) return yield* notSold
      const fields = {
        // A tenant that pays an older price of the same plan keeps this price.
        items: plan === former ? undefined : [{ id: itemId, price }],
        trial_end: status === "trialing" ? "now" : undefined,
        cancel_at_period_end: false,
        proration_behavior: "create_prorations",
        // With this option, a declined card changes nothing.
        payment_behavior: "error_if_incomplete"
      }
      const call = write(["subscriptions", subscriptionId], "subscription", fields, key)
      yield* aboutKeys(request(provider, call, Subscription))
    }),
    cancel: (subscriptionId) =>
      // The request has no effect on a cancelled subscription, so it may be repeated.
      send(provider, {
        method: "DELETE",
        path: ["subscriptions", subscriptionId],
        what: "subscription",
        effect: "read"
      }).pipe(
        Effect.asVoid,
        Effect.catchReason("ProviderFailure", "Gone", () => Effect.void)
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
      const provider = stripeProvider(config, http)
      const checkout = checkouts(provider, config)
      const customer = customers(provider, config)
      const subscription = subscriptions(provider, config)
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
