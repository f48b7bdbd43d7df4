import type { CheckoutState } from "./Payment.ts"

/** A refund of a payment for credits. Amounts are in the smallest unit of the currency. */
export interface PaidBack {
  readonly chargeId: string
  /** The credits of the whole payment. */
  readonly credits: number
  readonly amount: number
  /** The total refunded including this refund, and the total before it. */
  readonly refunded: number
  readonly refundedBefore: number
}

/**
 * The content of a provider event. The current state is read from the provider. Only data that cannot be read later is
 * taken from the event.
 */
export type BillingFact =
  /** The account has changed. Its current state is read from the provider. */
  | { readonly _tag: "Look" }
  | { readonly _tag: "CheckoutEnded"; readonly checkout: CheckoutState }
  /** The format of the event is not fully understood. The checkout is read from the provider. */
  | { readonly _tag: "CheckoutToRead"; readonly checkoutId: string }
  | { readonly _tag: "PaidBack"; readonly payment: PaidBack }
  | { readonly _tag: "Ignored" }

/** A verified event of the payment provider. */
export interface BillingEvent {
  readonly providerEventId: string
  /** The provider's name for the event type, for the log. */
  readonly type: string
  /**
   * The tenant id in the provider's metadata; null if there is none. Only a holder of the provider's secret key can
   * write it.
   */
  readonly tenantId: string | null
  /**
   * The tenant id in the link to a checkout; null if there is none. A browser can change it, so it is not sufficient
   * proof.
   */
  readonly claimedTenantId: string | null
  readonly customerId: string | null
  readonly fact: BillingFact
}

/** Returns the tenant of a provider event. `stored` lists the tenants whose accounts have the customer of the event. */
export const ownerOf = (
  { claimedTenantId, tenantId }: Pick<BillingEvent, "claimedTenantId" | "tenantId">,
  stored: ReadonlyArray<string>
): { readonly tenantId: string | null; readonly contradictory: boolean } => {
  const names = new Set([tenantId, claimedTenantId, ...stored].filter((name) => name !== null))
  if (names.size > 1) return { tenantId: null, contradictory: true }
  return { tenantId: stored[0] ?? tenantId, contradictory: false }
}

/**
 * Returns the credits of the first `money` units of a payment, rounded down. With this rounding, the credits of
 * successive refunds add up to the credits of the whole payment.
 */
const creditsOf = ({ amount, credits }: PaidBack, money: number): number =>
  amount <= 0 ? 0 : Math.floor((credits * Math.min(money, amount)) / amount)

/** Returns the credits of this refund, at least 0. */
export const creditsPaidBack = (payment: PaidBack): number =>
  Math.max(0, creditsOf(payment, payment.refunded) - creditsOf(payment, payment.refundedBefore))
