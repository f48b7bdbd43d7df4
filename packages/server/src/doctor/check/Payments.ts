import { paidPlans } from "@leadloom/core/internal/domain/billing/Payment"
import {
  probeStripe,
  type Seen,
  type StripeAccountSeen,
  type StripeEndpoint
} from "@leadloom/connectors/internal/stripe/ProbeStripe"
import { stripeVersion } from "@leadloom/connectors/internal/stripe/StripeConfig"
import { wantedEvents } from "@leadloom/connectors/internal/stripe/StripeEvent"
import { Effect, Redacted } from "effect"
import { stripePath } from "../../http/webhook/StripeWebhook.ts"
import type { StripeAccess } from "../../config/StripeVariables.ts"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"

const guide = "docs/how-to/take-payments.md"

/** A configured price. */
interface Sold {
  readonly variable: string
  readonly id: string
  readonly recurring: boolean
  /**
   * True for the first price of a list, which new customers pay. The other prices remain valid for existing customers.
   */
  readonly isSold: boolean
}

const soldOf = ({ creditPrice, prices }: StripeAccess): ReadonlyArray<Sold> => [
  ...paidPlans.flatMap((plan) =>
    prices[plan].map((id, index) => ({
      variable: `LEADLOOM_STRIPE_PRICE_${plan.toUpperCase()}`,
      id,
      recurring: true,
      isSold: index === 0
    }))
  ),
  ...(creditPrice === null
    ? []
    : [{ variable: "LEADLOOM_STRIPE_PRICE_CREDITS", id: creditPrice, recurring: false, isSold: true }])
]

const judgePrice = (
  { id, isSold, recurring, variable }: Sold,
  { prices }: StripeAccountSeen
): ReadonlyArray<Finding> => {
  const seen = prices.get(id)
  if (seen === undefined || seen._tag === "Hidden") return []
  if (seen._tag !== "There") {
    const next = `Set ${variable} to the id of a price of this account, in the mode (test or live) of the key.`
    return [problem(`${variable} contains ${id}, which does not exist: ${seen.reason}`, next)]
  }
  if (seen.value.recurring !== recurring) {
    const [is, wanted] = recurring ? ["one-time", "recurring"] : ["recurring", "one-time"]
    return [problem(`${variable} contains ${id}, which is a ${is} price.`, `Create a ${wanted} price and set its id.`)]
  }
  if (seen.value.active || !isSold) return []
  return [problem(`${variable} contains ${id}, which is archived and cannot be bought.`, "Set a price that is active.")]
}

const judgePrices = (stripe: StripeAccess, seen: StripeAccountSeen): ReadonlyArray<Finding> => {
  const sold = soldOf(stripe)
  if (sold.length === 0) {
    const next = `Set LEADLOOM_STRIPE_PRICE_STARTER, …_GROWTH, …_SCALE or …_CREDITS: ${guide}`
    return [warning("No price is set for any plan or for credits.", next)]
  }
  if (seen.key._tag === "Hidden") {
    const next = "Allow the restricted key to read prices, or check in Stripe's dashboard that the prices exist."
    return [warning(`The key is not allowed to read prices: ${seen.key.reason}`, next)]
  }
  const wrong = sold.flatMap((each) => judgePrice(each, seen))
  return wrong.length > 0 ? wrong : [healthy(`All configured prices exist: ${sold.map(({ id }) => id).join(", ")}.`)]
}

const isOurs = (publicUrl: string | null) => (endpoint: StripeEndpoint) =>
  publicUrl === null ? endpoint.url.endsWith(stripePath) : endpoint.url === `${publicUrl}${stripePath}`

const judgeEndpoint = ({ enabled, events, url, version }: StripeEndpoint): ReadonlyArray<Finding> => {
  if (!enabled)
    return [problem(`The webhook endpoint ${url} is disabled at Stripe.`, "Enable it in Stripe's dashboard.")]
  const missing = events.includes("*") ? [] : wantedEvents.filter((event) => !events.includes(event))
  return [
    missing.length === 0
      ? healthy(`Stripe sends all required events to ${url}.`)
      : warning(`Stripe does not send ${missing.join(", ")} to ${url}.`, `Add these events to the endpoint: ${guide}`),
    ...(version === stripeVersion
      ? []
      : [
          warning(
            `Stripe sends events to ${url} in API version ${version ?? "of the account"}, not ${stripeVersion}.`,
            "Replace the endpoint by one with this version. The server does not recognise refunds of credits in events of other versions."
          )
        ])
  ]
}

const judgeEndpoints = (
  seen: Seen<ReadonlyArray<StripeEndpoint>>,
  publicUrl: string | null
): ReadonlyArray<Finding> => {
  // The server does not need this permission of a restricted key, so its absence is not a problem.
  if (seen._tag === "Hidden")
    return [healthy("The key is not allowed to read webhook endpoints, so they were not checked.")]
  if (seen._tag !== "There")
    return [warning(`The webhook endpoints are not available: ${seen.reason}`, "Check them in Stripe's dashboard.")]
  const ours = seen.value.filter(isOurs(publicUrl))
  if (ours.length > 0) return ours.flatMap(judgeEndpoint)
  const where = publicUrl === null ? `a URL that ends with ${stripePath}` : `${publicUrl}${stripePath}`
  const next = `Create a webhook endpoint at Stripe, or forward events with the Stripe CLI: ${guide}`
  return [warning(`No webhook endpoint of the account points to ${where}.`, next)]
}

const judgePortal = (seen: Seen<boolean>): ReadonlyArray<Finding> =>
  seen._tag === "There" && !seen.value
    ? [
        warning(
          "The customer portal is not configured at Stripe, so customers cannot open it.",
          "Save its settings once in Stripe's dashboard (Settings, Billing, Customer portal), in the same mode (test or live) as LEADLOOM_STRIPE_SECRET_KEY."
        )
      ]
    : []

/** Judges the variables without a request to Stripe. */
const judgeVariables = ({ cancelUrl, returnUrl, secretKey, successUrl, webhookSecrets }: StripeAccess) => {
  const isLive = /^[a-z]+_live_/u.test(Redacted.value(secretKey))
  const plain = [successUrl, cancelUrl, returnUrl].filter((url) => isLive && url.startsWith("http:"))
  return [
    ...(webhookSecrets.length === 0
      ? [
          problem(
            "LEADLOOM_STRIPE_WEBHOOK_SECRET is not set: Stripe's webhooks are rejected, so payments have no effect.",
            `Create a webhook endpoint at Stripe and set its signing secret (whsec_…): ${guide}`
          )
        ]
      : []),
    ...(plain.length === 0
      ? []
      : [
          warning(
            `The key belongs to live mode, but people return from Stripe without TLS: ${plain.join(", ")}.`,
            "Set https URLs for these pages."
          )
        ])
  ]
}

const judgeAccount = (
  stripe: StripeAccess,
  seen: StripeAccountSeen,
  publicUrl: string | null
): ReadonlyArray<Finding> => {
  if (seen.key._tag !== "There" && seen.key._tag !== "Hidden") {
    const next = "Correct LEADLOOM_STRIPE_SECRET_KEY, or wait until Stripe answers."
    return [problem(`The request to ${stripe.apiUrl} failed: ${seen.key.reason}`, next)]
  }
  const mode = /^[a-z]+_(?<mode>live|test)_/u.exec(Redacted.value(stripe.secretKey))?.groups?.["mode"]
  return [
    healthy(
      `${stripe.apiUrl} answers and accepts the key${mode === undefined ? "" : `, which belongs to ${mode} mode`}.`
    ),
    ...judgePrices(stripe, seen),
    ...judgeEndpoints(seen.endpoints, publicUrl),
    ...judgePortal(seen.portal)
  ]
}

/** Checks the key, the prices, the webhook endpoints and the customer portal of the Stripe account. */
export const payments: Check = {
  name: "payments",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const stripe = config?.stripe ?? null
      if (stripe === null) return [healthy("LEADLOOM_STRIPE_SECRET_KEY is not set: payments are disabled.")]
      const seen = yield* probeStripe(stripe)
      const findings = [...judgeAccount(stripe, seen, config?.publicUrl ?? null), ...judgeVariables(stripe)]
      return findings.map((finding) => ({ ...finding, found: hide(finding.found) }))
    })
}
