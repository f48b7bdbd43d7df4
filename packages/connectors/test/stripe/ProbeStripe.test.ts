import { startStripe } from "@leadloom/testkit/stripe/StripeStandIn"
import { Effect, Redacted } from "effect"
import { expect, it } from "vitest"
import { probeStripe } from "../../src/stripe/ProbeStripe.ts"
import { isDescribed, makeCheck, specificationNote } from "./StripeSpecification.ts"

it.skipIf(!isDescribed)(`every request matches Stripe's description${specificationNote}`, async () => {
  const stripe = await startStripe()
  stripe.world.prices.set("price_g", { active: true, type: "recurring" })
  const seen = await Effect.runPromise(
    probeStripe({
      apiUrl: stripe.url,
      secretKey: Redacted.make(stripe.secretKey),
      prices: { starter: [], growth: ["price_g"], scale: [] },
      creditPrice: "price_c",
      successUrl: "https://acme.example/paid",
      cancelUrl: "https://acme.example/plans",
      returnUrl: "https://acme.example/billing"
    })
  )
  expect([...seen.prices].map(([id, { _tag }]) => [id, _tag])).toEqual([
    ["price_g", "There"],
    ["price_c", "Missing"]
  ])
  const check = makeCheck()
  expect(stripe.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /v1/prices",
    "GET /v1/prices/price_g",
    "GET /v1/prices/price_c",
    "GET /v1/webhook_endpoints",
    "GET /v1/billing_portal/configurations"
  ])
  for (const request of stripe.requests) expect([request.path, check(request)]).toEqual([request.path, []])
  await stripe.close()
})
