import type { PaidPlan } from "@leadloom/core/domain/billing/Payment"
import type { Plan } from "@leadloom/core/domain/billing/Plan"
import { paidPlans } from "@leadloom/core/domain/billing/Payment"
import type { Redacted } from "effect"

/**
 * The version of Stripe's API. The webhook endpoint must have the same version, because it determines the format of its
 * events.
 */
export const stripeVersion = "2026-10-28.endive"

/** The settings of the Stripe account, from its dashboard. */
export interface StripeConfig {
  readonly apiUrl: string
  /** `sk_…` or `rk_…`. */
  readonly secretKey: Redacted.Redacted
  /**
   * The recurring prices of each plan: the first one is sold, the others are recognised. Empty: the plan is not sold.
   */
  readonly prices: Readonly<Record<PaidPlan, ReadonlyArray<string>>>
  /** The one-time price of one credit; null when credits are not sold. */
  readonly creditPrice: string | null
  /** The pages to which a person returns after a paid checkout, after an unpaid one, and from the portal. */
  readonly successUrl: string
  readonly cancelUrl: string
  readonly returnUrl: string
  /** The wait before the first retry in milliseconds; it doubles. Default: 500. */
  readonly pauseMillis?: number
}

/** Returns the plan of a price; null for an unknown price. */
export const planOfPrice = ({ prices }: StripeConfig, price: string): Plan | null =>
  paidPlans.find((plan) => prices[plan].includes(price)) ?? null
