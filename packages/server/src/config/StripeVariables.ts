import type { StripeConfig } from "@leadloom/connectors/stripe/StripeConfig"
import { Redacted } from "effect"
import type { VariableName } from "./VariableCatalog.ts"
import { isHttpUrl, type Variables } from "./Variables.ts"

/** How to reach the account at Stripe that tenants pay into. */
export interface StripeAccess extends StripeConfig {
  /** By what its webhook proves itself, several while one is being changed; none: its events are not taken. */
  readonly webhookSecrets: ReadonlyArray<Redacted.Redacted>
}

const namesOf = (text: string | null): ReadonlyArray<string> =>
  (text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")

/** https, or this machine: what goes there is the key to every payment. */
const isSafe = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || !isHttpUrl(text)) return false
  return url.protocol === "https:" || ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname)
}

/** Where a person is sent back to; a query and Stripe's own `{CHECKOUT_SESSION_ID}` may be in it. */
const pageOf = ({ text, wrong }: Variables, name: VariableName): string => {
  const page = text(name)
  if (page !== null && /^https?:$/u.test(URL.parse(page)?.protocol ?? "")) return page
  return wrong(name, "has to be the URL of a page of yours that people come back to from Stripe.", "")
}

const pricesOf = ({ text, wrong }: Variables, name: VariableName): ReadonlyArray<string> => {
  const prices = namesOf(text(name))
  const strange = prices.find((price) => !/^[\w-]+$/u.test(price))
  return strange === undefined ? prices : wrong(name, `has to be ids of prices (price_…), not "${strange}".`, [])
}

const apiUrlOf = ({ text, wrong }: Variables): string => {
  const url = (text("LEADLOOM_STRIPE_API_URL") ?? "https://api.stripe.com").replace(/(?<!\/)\/+$/u, "")
  return isSafe(url)
    ? url
    : wrong("LEADLOOM_STRIPE_API_URL", `has to be like https://api.stripe.com, not "${url}".`, "")
}

/** Stripe; null where no key is named. */
export const readStripe = (variables: Variables): StripeAccess | null => {
  const { secret, text, wrong } = variables
  const secretKey = secret("LEADLOOM_STRIPE_SECRET_KEY")
  const webhookSecrets = namesOf(secret("LEADLOOM_STRIPE_WEBHOOK_SECRET"))
  if (secretKey === null) return null
  if (!/^[\x21-\x7e]+$/u.test(secretKey)) {
    return wrong("LEADLOOM_STRIPE_SECRET_KEY", "has characters that cannot travel in a header.", null)
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
