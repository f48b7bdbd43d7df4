import type { PaidPlan } from "@leadloom/core/domain/billing/Payment"
import type { Plan } from "@leadloom/core/domain/billing/Plan"
import { paidPlans } from "@leadloom/core/domain/billing/Payment"
import type { Redacted } from "effect"

/**
 * The version of Stripe's API that is spoken and read here. Give the webhook endpoint the same one: the form of an event
 * is that of its endpoint.
 */
export const stripeVersion = "2026-10-28.endive"

/** How this server speaks to Stripe; what an operator finds in its dashboard. */
export interface StripeConfig {
  readonly apiUrl: string
  /** `sk_…` or `rk_…`. */
  readonly secretKey: Redacted.Redacted
  /** Recurring prices of each plan: the first is sold, the others are known. Empty: the plan is not sold. */
  readonly prices: Readonly<Record<PaidPlan, ReadonlyArray<string>>>
  /** The one-time price of one credit; null: credits are not sold. */
  readonly creditPrice: string | null
  /** Where a person comes back to from a checkout that was paid, one that was not, and from the portal. */
  readonly successUrl: string
  readonly cancelUrl: string
  readonly returnUrl: string
  /** Wait before a request is made again the first time, milliseconds; it doubles. Default 500. */
  readonly pauseMillis?: number
}

/** The plan that a price is of; null: none that is sold here. */
export const planOfPrice = ({ prices }: StripeConfig, price: string): Plan | null =>
  paidPlans.find((plan) => prices[plan].includes(price)) ?? null
