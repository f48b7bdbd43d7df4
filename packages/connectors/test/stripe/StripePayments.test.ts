import type { CheckoutPage, PaidSubscription } from "@leadloom/core/internal/domain/billing/Payment"
import { Payments, type PaymentsFailure } from "@leadloom/core/internal/port/provider/Payments"
import { type StripeStandIn, startStripe } from "@leadloom/testkit/stripe/StripeStandIn"
import { kindOf } from "@leadloom/testkit/FailureKind"
import { Effect, Layer, Redacted, Result } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { StripeConfig } from "../../src/stripe/StripeConfig.ts"
import { formOf } from "../../src/stripe/StripeForm.ts"
import * as StripePayments from "../../src/stripe/StripePayments.ts"
import { fixture, isDescribed, makeCheck, specificationNote } from "./StripeSpecification.ts"

const plan = { _tag: "PlanPurchase", plan: "growth" } as const
const credits = { _tag: "CreditPurchase", credits: 500 } as const

const configOf = (apiUrl: string, secretKey: string): StripeConfig => ({
  apiUrl,
  secretKey: Redacted.make(secretKey),
  prices: { starter: ["price_s"], growth: ["price_g", "price_g_old"], scale: [] },
  creditPrice: "price_c",
  successUrl: "https://acme.example/paid?session={CHECKOUT_SESSION_ID}",
  cancelUrl: "https://acme.example/plans",
  returnUrl: "https://acme.example/billing",
  pauseMillis: 1
})

let stripe: StripeStandIn
let layer: Layer.Layer<Payments>

beforeEach(async () => {
  stripe = await startStripe()
  layer = StripePayments.layer(configOf(stripe.url, stripe.secretKey))
})
afterEach(() => stripe.close())

type Ask<A> = (payments: Payments["Service"]) => Effect.Effect<A, PaymentsFailure>

const run = <A>(sendRequest: Ask<A>): Promise<A> =>
  Effect.runPromise(Effect.provide(Effect.flatMap(Payments, sendRequest), layer))

/** Returns the failure of a request that must fail. */
const failing = async <A>(sendRequest: Ask<A>): Promise<PaymentsFailure> => {
  const outcome = await Effect.runPromise(Effect.provide(Effect.result(Effect.flatMap(Payments, sendRequest)), layer))
  if (Result.isSuccess(outcome)) throw new Error("it did not fail")
  return outcome.failure
}

const customer = (key = "key of the customer"): Promise<string> =>
  run(({ createCustomer }) => createCustomer({ tenantId: "acme", name: "Acme & Söhne" }, key))

const checkout = async (key: string): Promise<CheckoutPage> => {
  const customerId = await customer()
  return run(({ startCheckout }) => startCheckout({ tenantId: "acme", customerId }, plan, key))
}

const only = (all: ReadonlyArray<PaidSubscription>): PaidSubscription => {
  const [first] = all
  if (first === undefined || all.length > 1) throw new Error(`${all.length} subscriptions`)
  return first
}

/** Sends every kind of request to Stripe. */
const requestEverything = async (): Promise<void> => {
  const customerId = await customer()
  const payer = { tenantId: "acme", customerId }
  await run(({ hasCustomer }) => hasCustomer(customerId))
  const page = await run(({ startCheckout }) => startCheckout(payer, plan, "plan"))
  await run(({ startCheckout }) => startCheckout(payer, credits, "credits"))
  await run(({ readCheckout }) => readCheckout(page.checkoutId))
  await run(({ openPortal }) => openPortal(customerId, "portal"))
  stripe.world.subscribe(customerId, "price_g", { status: "trialing", trial_end: 1_900_000_000 })
  const subscription = only(await run(({ subscriptions }) => subscriptions(customerId)))
  await run(({ changeSubscription }) => changeSubscription({ subscription, plan: "starter" }, "change"))
  stripe.world.change(subscription.subscriptionId, { status: "past_due" })
  await run(({ subscriptions }) => subscriptions(customerId))
  await run(({ cancelSubscription }) => cancelSubscription(subscription.subscriptionId))
}

describe("requests to Stripe", () => {
  it.skipIf(!isDescribed)(`match Stripe's description${specificationNote}`, async () => {
    await requestEverything()
    const check = makeCheck()
    const paths = stripe.requests.map(({ method, path }) => `${method} ${path.replace(/_\d{6}/gu, "_…")}`)
    expect(paths).toEqual([
      "POST /v1/customers",
      "GET /v1/customers/cus_…",
      "POST /v1/checkout/sessions",
      "POST /v1/checkout/sessions",
      "GET /v1/checkout/sessions/cs_…",
      "POST /v1/billing_portal/sessions",
      "GET /v1/subscriptions",
      "POST /v1/subscriptions/sub_…",
      "GET /v1/subscriptions",
      "GET /v1/invoices",
      "DELETE /v1/subscriptions/sub_…"
    ])
    for (const request of stripe.requests) expect([request.path, check(request)]).toEqual([request.path, []])
    const [, , first] = stripe.requests
    if (first === undefined) throw new Error("nothing was asked")
    for (const wrong of ["mode=never", "unheard_of=1", "line_items[0][quantity]=many"]) {
      expect(check({ ...first, fields: `${first.fields}&${wrong}` })).not.toEqual([])
    }
  })

  it("contain the API version, the secret key and, for writes, an idempotency key", async () => {
    await requestEverything()
    for (const { headers, method } of stripe.requests) {
      expect(headers["stripe-version"]).toBe("2026-10-28.endive")
      expect(headers.authorization).toBe(`Bearer ${stripe.secretKey}`)
      expect(typeof headers["idempotency-key"]).toBe(method === "POST" ? "string" : "undefined")
    }
  })

  it("are forms with bracket notation", () => {
    expect(decodeURIComponent(formOf({ a: [{ b: 1, c: undefined }], d: { e: "x&y" }, f: false }).toString())).toBe(
      "a[0][b]=1&d[e]=x&y&f=false"
    )
    expect(formOf({ name: "Söhne & Co +1" }).toString()).toBe("name=S%C3%B6hne+%26+Co+%2B1")
  })
})

describe("a checkout", () => {
  it("has a page, and the same one for the same key", async () => {
    const page = await checkout("one")
    expect(page).toMatchObject({ url: `${stripe.url}/pay/${page.checkoutId}`, replayed: false })
    expect(await checkout("one")).toEqual({ ...page, replayed: true })
    expect((await checkout("two")).checkoutId).not.toBe(page.checkoutId)
  })

  it("reports its payment", async () => {
    const customerId = await customer()
    const page = await run(({ startCheckout }) => startCheckout({ tenantId: "acme", customerId }, credits, "k"))
    const read = () => run(({ readCheckout }) => readCheckout(page.checkoutId))
    expect(await read()).toMatchObject({ tenantIds: ["acme", "acme"], customerId, paidCredits: null })
    stripe.world.pay(page.checkoutId)
    expect(await read()).toMatchObject({ paidCredits: 500 })
  })

  it("is refused without a configured price", async () => {
    const buy = failing(({ startCheckout }) =>
      startCheckout({ tenantId: "acme", customerId: "cus_1" }, { _tag: "PlanPurchase", plan: "scale" }, "k")
    )
    expect(kindOf(await buy)).toBe("Refused")
    expect(stripe.requests).toEqual([])
  })
})

describe("a subscription", () => {
  it("is unpaid since its oldest open invoice when it is past due, or since the latest if invoices are not readable", async () => {
    const customerId = await customer()
    const { id } = stripe.world.subscribe(customerId, "price_g")
    stripe.world.change(id, { status: "past_due", invoicedAt: 1_800_000_000, unpaidAt: [1_790_000_000, 1_780_000_000] })
    const invoicedAt = async () => only(await run(({ subscriptions }) => subscriptions(customerId))).invoicedAt
    expect(await invoicedAt()).toBe(1_780_000_000_000)
    stripe.fault({ what: 403, path: "/v1/invoices" })
    expect(await invoicedAt()).toBe(1_800_000_000_000)
    stripe.fault(...[1, 2, 3].map(() => ({ what: 500, path: "/v1/invoices" })))
    expect(kindOf(await failing(({ subscriptions }) => subscriptions(customerId)))).toBe("Unavailable")
  })

  it("is changed through its item, and its trial ends", async () => {
    const customerId = await customer()
    stripe.world.subscribe(customerId, "price_g_old", { status: "trialing", trial_end: 1_900_000_000 })
    const read = () => run(({ subscriptions }) => subscriptions(customerId))
    const before = only(await read())
    expect(before).toMatchObject({ status: "trialing", plan: "growth", trialEndsAt: 1_900_000_000_000 })
    await run(({ changeSubscription }) => changeSubscription({ subscription: before, plan: "growth" }, "a"))
    expect(only(await read())).toMatchObject({ status: "active", plan: "growth" })
    expect(stripe.requests.at(-2)?.fields).not.toContain("items")
    await run(({ changeSubscription }) => changeSubscription({ subscription: before, plan: "starter" }, "b"))
    expect(only(await read())).toMatchObject({ plan: "starter" })
    await run(({ cancelSubscription }) => cancelSubscription(before.subscriptionId))
    await run(({ cancelSubscription }) => cancelSubscription(before.subscriptionId))
    expect(only(await read()).status).toBe("canceled")
  })
})

describe("a failure", () => {
  const create: Ask<string> = ({ createCustomer }) => createCustomer({ tenantId: "acme", name: "Acme" }, "k")
  const soon = { "retry-after": "0" }

  it("is retried with the same key and processed once", async () => {
    stripe.fault({ what: "lose" }, { what: 500, headers: soon })
    await run(create)
    expect(stripe.world.customers.size).toBe(1)
    expect(new Set(stripe.requests.map(({ headers }) => headers["idempotency-key"]))).toEqual(new Set(["k"]))
    expect(stripe.requests.length).toBe(3)
  })

  it.each([
    ["a lost answer, three times", [{ what: "lose" }, { what: "lose" }, { what: "lose" }], "OutcomeUnknown", 3],
    ["a server that is ill", [500, 502, 503].map((what) => ({ what, headers: soon })), "OutcomeUnknown", 3],
    ["too many requests", [429, 429, 429].map((what) => ({ what, headers: soon })), "Unavailable", 3],
    [
      "an answer lost before too many",
      [{ what: "lose" }, { what: 429, headers: soon }, { what: 429 }],
      "OutcomeUnknown",
      3
    ],
    ["a card that is declined", [{ what: 402, json: { error: { type: "card_error" } } }], "Refused", 1],
    ["a wish not to be asked again", [{ what: 429, headers: { "stripe-should-retry": "false" } }], "Unavailable", 1],
    [
      "a first request that is still being done",
      [409, 409, 409].map((what) => ({ what, headers: soon, json: { error: { code: "idempotency_key_in_use" } } })),
      "IdempotencyInProgress",
      3
    ],
    ["an answer that is something else", [{ what: 200, json: { message: "not found" } }], "OutcomeUnknown", 1]
  ] as const)("is reported with its actual outcome: %s", async (_, faults, tag, requests) => {
    stripe.fault(...faults)
    expect(kindOf(await failing(create))).toBe(tag)
    expect(stripe.requests.length).toBe(requests)
  })

  it("counts as unsent when the server is down", async () => {
    const { url } = stripe
    await stripe.close()
    layer = StripePayments.layer(configOf(url, stripe.secretKey))
    expect(kindOf(await failing(create))).toBe("Unavailable")
    stripe = await startStripe()
  })

  it("never contains the key or a part of it", async () => {
    const long = "x".repeat(400 - "authentication_error: ".length - 10)
    stripe.fault({ what: 401, json: { error: { type: "authentication_error", message: long + stripe.secretKey } } })
    expect(JSON.stringify(await failing(create))).not.toContain(stripe.secretKey.slice(0, 8))
    const json = { error: { type: "authentication_error", message: `Invalid key: ${stripe.secretKey}` } }
    stripe.fault({ what: 401, json })
    const failure = await failing(create)
    expect(failure).toMatchObject({
      reason: { _tag: "Refused", detail: "401 authentication_error: Invalid key: [secret]" }
    })
  })

  it("is reported when a key was used for another request", async () => {
    await run(create)
    const other = failing(({ createCustomer }) => createCustomer({ tenantId: "acme", name: "Another" }, "k"))
    expect(kindOf(await other)).toBe("IdempotencyConflict")
  })

  it("is reported for a deleted or unknown customer", async () => {
    const customerId = await customer()
    expect(await run(({ hasCustomer }) => hasCustomer(customerId))).toBe(true)
    stripe.world.customers.set(customerId, { deleted: true, metadata: {} })
    expect(await run(({ hasCustomer }) => hasCustomer(customerId))).toBe(false)
    expect(await run(({ hasCustomer }) => hasCustomer("cus_never"))).toBe(false)
    expect(await run(({ hasCustomer }) => hasCustomer(".."))).toBe(false)
    expect(kindOf(await failing(({ openPortal }) => openPortal(customerId, "k")))).toBe("Gone")
  })
})

describe.skipIf(!isDescribed)(`Stripe's own examples${specificationNote}`, () => {
  const answering = (json: object): Layer.Layer<Payments> =>
    StripePayments.layerNoDeps(configOf("https://api.stripe.com", "sk_test_1")).pipe(
      Layer.provide(
        Layer.succeed(
          HttpClient.HttpClient,
          HttpClient.make((request) => Effect.succeed(HttpClientResponse.fromWeb(request, Response.json(json))))
        )
      )
    )

  it("are decoded", async () => {
    const [customerJson, session, portal] = ["customer", "checkout.session", "billing_portal.session"].map(fixture)
    layer = answering(customerJson ?? {})
    expect(await run(({ createCustomer }) => createCustomer({ tenantId: "a", name: "A" }, "k"))).toBe(
      customerJson?.["id"]
    )
    layer = answering(session ?? {})
    const page = await run(({ startCheckout }) => startCheckout({ tenantId: "a", customerId: "c" }, plan, "k"))
    expect(page).toMatchObject({ checkoutId: session?.["id"], url: session?.["url"], expiresAt: 1_234_567_890_000 })
    layer = answering(portal ?? {})
    expect(await run(({ openPortal }) => openPortal("c", "k"))).toBe(portal?.["url"])
    layer = answering({ object: "list", data: [fixture("subscription")] })
    expect(only(await run(({ subscriptions }) => subscriptions("c")))).toEqual({
      subscriptionId: "sub_1Pgc6rB7WZ01zgkWNy0Cn5nw",
      status: "active",
      plan: null,
      itemId: "si_QXhVnC2h0Jczwc",
      createdAt: 1_234_567_890_000,
      trialEndsAt: expect.toBeOneOf([null, expect.any(Number)]),
      periodStartsAt: 1_896_570_518_000,
      periodEndsAt: 976_287_773_000,
      cancelAtPeriodEnd: true,
      invoicedAt: null
    })
  })
})
