import type { StripeConfig } from "@leadloom/connectors/internal/stripe/StripeConfig"
import { Redacted } from "effect"
import type { VariableName } from "./VariableCatalog.ts"
import { isHttpUrl, type Variables } from "./Variables.ts"

/** The access to the Stripe account that receives the payments of tenants. */
export interface StripeAccess extends StripeConfig {
  /**
   * The secrets that verify Stripe's webhooks, several during a rotation. If the list is empty, webhooks are rejected.
   */
  readonly webhookSecrets: ReadonlyArray<Redacted.Redacted>
}

const namesOf = (text: string | null): ReadonlyArray<string> =>
  (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

/** Returns whether a URL uses https, or refers to this machine with http. Requests to it contain the secret key. */
const isSafe = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || !isHttpUrl(text)) return false
  return url.protocol === "https:" || ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname)
}

/**
 * Reads the URL of the page to which Stripe sends a person back. The URL may have a query and contain Stripe's
 * `{CHECKOUT_SESSION_ID}`.
 */
const pageOf = ({ text, wrong }: Variables, name: VariableName): string => {
  const page = text(name)
  if (page !== null && /^https?:$/u.test(URL.parse(page)?.protocol ?? "")) return page
  return wrong(name, "must be the URL of your page to which Stripe sends people back.", "")
}

const pricesOf = ({ text, wrong }: Variables, name: VariableName): ReadonlyArray<string> => {
  const prices = namesOf(text(name))
  const strange = prices.find((price) => !/^[\w-]+$/u.test(price))
  return strange === undefined ? prices : wrong(name, `must list price ids (price_…), not "${strange}".`, [])
}

const apiUrlOf = ({ text, wrong }: Variables): string => {
  const url = (text("LEADLOOM_STRIPE_API_URL") ?? "https://api.stripe.com").replace(/(?<!\/)\/+$/u, "")
  return isSafe(url)
    ? url
    : wrong("LEADLOOM_STRIPE_API_URL", `must have the form https://api.stripe.com, not "${url}".`, "")
}

/** Reads the Stripe account; null if no key is configured. */
export const readStripe = (variables: Variables): StripeAccess | null => {
  const { secret, text, wrong } = variables
  const secretKey = secret("LEADLOOM_STRIPE_SECRET_KEY")
  const webhookSecrets = namesOf(secret("LEADLOOM_STRIPE_WEBHOOK_SECRET"))
  if (secretKey === null) return null
  if (!/^[\x21-\x7e]+$/u.test(secretKey)) {
    return wrong("LEADLOOM_STRIPE_SECRET_KEY", "contains characters that are invalid in a header.", null)
  }
  return {
    apiUrl: apiUrlOf(variables),
    secretKey: Redacted.make(secretKey),
    webhookSecrets: webhookSecrets.map((each) => Redacted.make(each)),
    prices: {
      starter: pricesOf(variables, "LEADLOOM_STRIPE_PRICE_STARTER"),
      growth: pricesOf(variables, "LEADLOOM_STRIPE_PRICE_GROWTH"),
      scale: pricesOf(variables, "LEADLOOM_STRIPE_PRICE_SCALE")
    },
    creditPrice: text("LEADLOOM_STRIPE_PRICE_CREDITS"),
    successUrl: pageOf(variables, "LEADLOOM_STRIPE_SUCCESS_URL"),
    cancelUrl: pageOf(variables, "LEADLOOM_STRIPE_CANCEL_URL"),
    returnUrl: pageOf(variables, "LEADLOOM_STRIPE_RETURN_URL")
  }
}
