import { paidPlans } from "@leadloom/core/domain/billing/Payment"
import {
  probeStripe,
  type Seen,
  type StripeAccountSeen,
  type StripeEndpoint
} from "@leadloom/connectors/stripe/ProbeStripe"
import { stripeVersion } from "@leadloom/connectors/stripe/StripeConfig"
import { wantedEvents } from "@leadloom/connectors/stripe/StripeEvent"
import { Effect, Redacted } from "effect"
import { stripePath } from "../../http/webhook/StripeWebhook.ts"
import type { StripeAccess } from "../../config/StripeVariables.ts"
import type { Check } from "../Check.ts"
import { healthy, type Finding, problem, warning } from "../Finding.ts"

const guide = "docs/how-to/take-payments.md"

/** A price that something is sold by, or once was. */
interface Sold {
  readonly variable: string
  readonly id: string
  readonly recurring: boolean
  /** The first of a list is what new customers pay. */
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
    return [problem(`${variable} names ${id}, which is not there: ${seen.reason}`, next)]
  }
  if (seen.value.recurring !== recurring) {
    const [is, wanted] = recurring ? ["paid once", "comes again"] : ["paid again and again", "is paid once"]
    return [problem(`${variable} names ${id}, which is ${is}.`, `Make a price that ${wanted}, and set its id.`)]
  }
  if (seen.value.active || !isSold) return []
  return [problem(`${variable} names ${id}, which is archived: nobody can buy it.`, "Set a price that is active.")]
}

const judgePrices = (stripe: StripeAccess, seen: StripeAccountSeen): ReadonlyArray<Finding> => {
  const sold = soldOf(stripe)
  if (sold.length === 0) {
    const next = `Set LEADLOOM_STRIPE_PRICE_STARTER, …_GROWTH, …_SCALE or …_CREDITS: ${guide}`
    return [warning("Nothing is sold: there is no price of any plan, nor of credits.", next)]
  }
  if (seen.key._tag === "Hidden") {
    const next = "Give the restricted key the right to read prices, or make sure yourself that they are there."
    return [warning(`The key may not look at prices: ${seen.key.reason}`, next)]
  }
  const wrong = sold.flatMap((each) => judgePrice(each, seen))
  return wrong.length > 0 ? wrong : [healthy(`Its prices are there: ${sold.map(({ id }) => id).join(", ")}.`)]
}

const isOurs = (publicUrl: string | null) => (endpoint: StripeEndpoint) =>
  publicUrl === null ? endpoint.url.endsWith(stripePath) : endpoint.url === `${publicUrl}${stripePath}`

const judgeEndpoint = ({ enabled, events, url, version }: StripeEndpoint): ReadonlyArray<Finding> => {
  if (!enabled) return [problem(`The webhook endpoint ${url} is disabled at Stripe.`, "Enable it there.")]
  const missing = events.includes("*") ? [] : wantedEvents.filter((event) => !events.includes(event))
  return [
    missing.length === 0
      ? healthy(`Stripe tells ${url} what happens.`)
      : warning(`Stripe does not tell ${url} of ${missing.join(", ")}.`, `Add these events to the endpoint: ${guide}`),
    ...(version === stripeVersion
      ? []
      : [
          warning(
            `Stripe tells ${url} in version ${version ?? "of the account"} of its API, not ${stripeVersion}.`,
            "Make an endpoint of this version in its place: of others, money paid back for credits is not understood."
          )
        ])
  ]
}

const judgeEndpoints = (
  seen: Seen<ReadonlyArray<StripeEndpoint>>,
  publicUrl: string | null
): ReadonlyArray<Finding> => {
  // A restricted key needs no right to look at them: nothing is wrong.
  if (seen._tag === "Hidden")
    return [healthy("The key may not look at webhook endpoints: who is told is not known here.")]
  if (seen._tag !== "There")
    return [warning(`Webhook endpoints cannot be looked at: ${seen.reason}`, "Look at them in Stripe's dashboard.")]
  const ours = seen.value.filter(isOurs(publicUrl))
  if (ours.length > 0) return ours.flatMap(judgeEndpoint)
  const where = publicUrl === null ? `an address that ends with ${stripePath}` : `${publicUrl}${stripePath}`
  const next = `Make a webhook endpoint at Stripe, or forward events with its command line: ${guide}`
  return [warning(`No webhook endpoint of the account calls ${where}.`, next)]
}

const judgePortal = (seen: Seen<boolean>): ReadonlyArray<Finding> =>
  seen._tag === "There" && !seen.value
    ? [
        warning(
          "The customer portal is not set up at Stripe: nobody can open it.",
          "Save its settings once, under Settings, Billing, Customer portal, in the mode of the key."
        )
      ]
    : []

/** What can be seen without asking anybody. */
const judgeVariables = ({ cancelUrl, returnUrl, secretKey, successUrl, webhookSecrets }: StripeAccess) => {
  const isLive = /^[a-z]+_live_/u.test(Redacted.value(secretKey))
  const plain = [successUrl, cancelUrl, returnUrl].filter((url) => isLive && url.startsWith("http:"))
  return [
    ...(webhookSecrets.length === 0
      ? [
          problem(
            "LEADLOOM_STRIPE_WEBHOOK_SECRET is not set: what Stripe tells is refused, and who pays gets nothing.",
            `Make a webhook endpoint at Stripe and set its signing secret (whsec_…): ${guide}`
          )
        ]
      : []),
    ...(plain.length === 0
      ? []
      : [
          warning(`People come back without TLS: ${plain.join(", ")}.`, "Let these pages be https where money is real.")
        ])
  ]
}

const judgeAccount = (
  stripe: StripeAccess,
  seen: StripeAccountSeen,
  publicUrl: string | null
): ReadonlyArray<Finding> => {
  if (seen.key._tag !== "There" && seen.key._tag !== "Hidden") {
    const next = "Correct LEADLOOM_STRIPE_SECRET_KEY, or wait until it answers."
    return [problem(`${stripe.apiUrl} does not take the key: ${seen.key.reason}`, next)]
  }
  const mode = /^[a-z]+_(?<mode>live|test)_/u.exec(Redacted.value(stripe.secretKey))?.groups?.["mode"]
  return [
    healthy(`${stripe.apiUrl} answers, and takes the key${mode === undefined ? "" : `, which is of ${mode} mode`}.`),
    ...judgePrices(stripe, seen),
    ...judgeEndpoints(seen.endpoints, publicUrl),
    ...judgePortal(seen.portal)
  ]
}

/** The account at Stripe takes the key, sells what is configured, and tells this server what happens. */
export const payments: Check = {
  name: "payments",
  run: ({ config, hide }) =>
    Effect.gen(function* () {
      const stripe = config?.stripe ?? null
      if (stripe === null) return [healthy("LEADLOOM_STRIPE_SECRET_KEY is not set: nothing is paid for.")]
      const seen = yield* probeStripe(stripe)
      const findings = [...judgeAccount(stripe, seen, config?.publicUrl ?? null), ...judgeVariables(stripe)]
      return findings.map((finding) => ({ ...finding, found: hide(finding.found) }))
    })
}
