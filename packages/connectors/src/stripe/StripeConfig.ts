import type { PaidPlan } from "@leadloom/core/internal/domain/billing/Payment"
import type { Plan } from "@leadloom/core/internal/domain/billing/Plan"
import { paidPlans } from "@leadloom/core/internal/domain/billing/Payment"
import { Option, type Redacted, Schema } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { maybe } from "../provider/Lenient.ts"
import { defaultVerdict, type Provider } from "../provider/Provider.ts"

/**
 * The version of Stripe's API. The webhook endpoint must have the same version, because it determines the format of its
 * events.
 */
export const stripeVersion = "2026-10-28.endive"

/** The settings of the Stripe account, from its dashboard. */
export interface StripeConfig {
  readonly apiUrl: string
  /** A secret key (`sk_…`) or a restricted key (`rk_…`). */
  readonly secretKey: Redacted.Redacted
  /**
   * The recurring prices of each plan. The first price is sold, and the others are recognised. Without prices, the plan
   * is not sold.
   */
  readonly prices: Readonly<Record<PaidPlan, ReadonlyArray<string>>>
  /** The one-time price of one credit; null when credits are not sold. */
  readonly creditPrice: string | null
  /** The pages to which a person returns: after a paid checkout, after an unpaid one, and from the portal. */
  readonly successUrl: string
  readonly cancelUrl: string
  readonly returnUrl: string
  /** The wait before the first retry in milliseconds, which doubles with each retry. Default: 500. */
  readonly pauseMillis?: number
}

/** Returns the plan of a price; null for an unknown price. */
export const planOfPrice = ({ prices }: StripeConfig, price: string): Plan | null =>
  paidPlans.find((plan) => prices[plan].includes(price)) ?? null

/** Reads an error of Stripe. The result is `None` when another server sent the response. */
export const readProblem = Schema.decodeUnknownOption(
  Schema.Struct({
    error: Schema.Struct({ type: maybe(Schema.String), code: maybe(Schema.String), message: maybe(Schema.String) })
  })
)

/**
 * Returns the description of Stripe for the provider client. Every write has an idempotency key, so a repetition is as
 * safe as that of a read. Stripe recommends to repeat requests after a lost response and after 5xx. The total timeout
 * is short, because people wait for most requests.
 */
export const stripeProvider = (
  { apiUrl, pauseMillis = 500, secretKey }: StripeConfig,
  http: HttpClient.HttpClient
): Provider => ({
  service: "payments",
  name: "Stripe",
  http,
  baseUrl: `${apiUrl}/v1`,
  authorize: (request) =>
    request.pipe(
      HttpClientRequest.bearerToken(secretKey),
      HttpClientRequest.setHeader("stripe-version", stripeVersion)
    ),
  secrets: [secretKey],
  timeoutMillis: 12_000,
  // The limit is enough for a page of 100 subscriptions with their invoices.
  maxBytes: 8 * 1_048_576,
  problemOf: (json, { status }) => {
    const error = Option.getOrUndefined(readProblem(json))?.error
    const named = error?.code ?? error?.type ?? null
    const words = [named, error?.message].filter((part) => typeof part === "string").join(": ")
    return { code: named, text: `${status} ${words}` }
  },
  verdictOf: (status, { code }) => {
    if (status === 404 || code === "resource_missing") return "Gone"
    // 409 reports a conflict with a concurrent request, or a lock.
    if (status === 409) return "Unavailable"
    return status === 401 || status === 403 ? "Refused" : status === 503 ? "OutcomeUnknown" : defaultVerdict(status)
  },
  retries: { attempts: 3, pauseMillis, maxPauseMillis: 5_000, wholeMillis: 12_000 }
})
