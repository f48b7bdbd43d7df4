import type { CheckoutState } from "./Payment.ts"

/** A refund of a payment for credits. Amounts are in the smallest unit of the currency. */
export interface PaidBack {
  readonly chargeId: string
  /** The credits that the whole payment bought. */
  readonly credits: number
  readonly amount: number
  /** The refunded amount including this refund, and the refunded amount before it. */
  readonly refunded: number
  readonly refundedBefore: number
}

/**
 * The content of a provider event. A workflow reads the current state from the provider, so the event contributes only
 * data that cannot be read later.
 */
export type BillingFact =
  /** The account has changed. Its current state is read from the provider. */
  | { readonly _tag: "Look" }
  | { readonly _tag: "CheckoutEnded"; readonly checkout: CheckoutState }
  /**
   * A checkout has ended, but the event has the format of another API version. The checkout is read from the provider
   * instead.
   */
  | { readonly _tag: "CheckoutToRead"; readonly checkoutId: string }
  | { readonly _tag: "PaidBack"; readonly payment: PaidBack }
  | { readonly _tag: "Ignored" }

/** A verified event of the payment provider. */
export interface BillingEvent {
  readonly providerEventId: string
  /** The provider's name for the event type, for the log. */
  readonly type: string
  /**
   * The tenant id in the provider's metadata. Null if there is none. It is trustworthy, because only a holder of the
   * provider's secret key can write it.
   */
  readonly tenantId: string | null
  /**
   * The tenant id in the link to a checkout. Null if there is none. It is not sufficient proof, because a browser can
   * change it.
   */
  readonly claimedTenantId: string | null
  readonly customerId: string | null
  readonly fact: BillingFact
}

/**
 * Returns the tenant of a provider event. `stored` lists the tenants whose accounts have the customer of the event.
 * `contradictory` is true if the sources name different tenants.
 */
export const ownerOf = (
  { claimedTenantId, tenantId }: Pick<BillingEvent, "claimedTenantId" | "tenantId">,
  stored: ReadonlyArray<string>
): { readonly tenantId: string | null; readonly contradictory: boolean } => {
  const names = new Set([tenantId, claimedTenantId, ...stored].filter((name) => name !== null))
  if (names.size > 1) return { tenantId: null, contradictory: true }
  return { tenantId: stored[0] ?? tenantId, contradictory: false }
}

/**
 * Returns the credits of the first `money` units of a payment, rounded down. Because both bounds of a refund are
 * rounded in this way, the credits of successive refunds add up to the credits of the whole payment.
 */
const creditsOf = ({ amount, credits }: PaidBack, money: number): number =>
  amount <= 0 ? 0 : Math.floor((credits * Math.min(money, amount)) / amount)

/** Returns the credits of this refund, at least 0. */
export const creditsPaidBack = (payment: PaidBack): number =>
  Math.max(0, creditsOf(payment, payment.refunded) - creditsOf(payment, payment.refundedBefore))
