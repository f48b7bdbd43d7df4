import type { CheckoutState } from "./Payment.ts"

/** Part of a payment for credits was paid back. Amounts are in the smallest unit of the currency, of the whole payment. */
export interface PaidBack {
  readonly chargeId: string
  /** Credits that the whole payment was for. */
  readonly credits: number
  readonly amount: number
  /** How much of it has been paid back with this, and before it. */
  readonly refunded: number
  readonly refundedBefore: number
}

/** What a provider event is about. Only what can be no other way later is taken from the provider event itself. */
export type BillingFact =
  /** Something has changed: what it is now is looked up. */
  | { readonly _tag: "Look" }
  | { readonly _tag: "CheckoutEnded"; readonly checkout: CheckoutState }
  /** It was told in a form that is not understood for sure: the checkout is looked up. */
  | { readonly _tag: "CheckoutToRead"; readonly checkoutId: string }
  | { readonly _tag: "PaidBack"; readonly payment: PaidBack }
  | { readonly _tag: "Ignored" }

/** What a provider of payments tells, after it has been verified. */
export interface BillingEvent {
  readonly providerEventId: string
  /** The provider's word for what happened, for the log. */
  readonly type: string
  /** The tenant that was written down at the provider by somebody who holds its key; null: none was. */
  readonly tenantId: string | null
  /** The tenant that a browser may have named on its way; null: none. Never enough by itself. */
  readonly claimedTenantId: string | null
  readonly customerId: string | null
  readonly fact: BillingFact
}

/** Whose provider event it is. `stored` are the tenants whose account has the provider event's customer. */
export const ownerOf = (
  { claimedTenantId, tenantId }: Pick<BillingEvent, "claimedTenantId" | "tenantId">,
  stored: ReadonlyArray<string>
): { readonly tenantId: string | null; readonly contradictory: boolean } => {
  const names = new Set([tenantId, claimedTenantId, ...stored].filter((name) => name !== null))
  if (names.size > 1) return { tenantId: null, contradictory: true }
  return { tenantId: stored[0] ?? tenantId, contradictory: false }
}

/** Credits that go with a part of the money. Rounded so that parts add up to the whole, whatever they are. */
const creditsOf = ({ amount, credits }: PaidBack, money: number): number =>
  amount <= 0 ? 0 : Math.floor((credits * Math.min(money, amount)) / amount)

/** Credits that go with this paying back, as a number above or equal to 0. */
export const creditsPaidBack = (payment: PaidBack): number =>
  Math.max(0, creditsOf(payment, payment.refunded) - creditsOf(payment, payment.refundedBefore))
