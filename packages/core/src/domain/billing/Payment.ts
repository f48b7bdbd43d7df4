import { Data } from "effect"
import type { Plan } from "./Plan.ts"

/** Every state of a subscription; the words are Stripe's. */
export const subscriptionStatuses = [
  "trialing",
  "active",
  "past_due",
  "unpaid",
  "paused",
  "canceled",
  "incomplete",
  "incomplete_expired"
] as const

export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** A subscription as the provider of payments has it now. Times are epoch milliseconds. */
export interface PaidSubscription {
  readonly subscriptionId: string
  readonly status: SubscriptionStatus
  /** null: its price is none of those that this server sells. */
  readonly plan: Plan | null
  /** The line of the subscription that a change of plan changes; null: it has none. */
  readonly itemId: string | null
  readonly createdAt: number
  readonly trialEndsAt: number | null
  readonly periodStartsAt: number | null
  readonly periodEndsAt: number | null
  readonly cancelAtPeriodEnd: boolean
  /** When its latest invoice was made, or of one that is past due the oldest that is not paid; null: it has none. */
  readonly invoicedAt: number | null
}

/** Plans that are paid for. */
export const paidPlans = ["starter", "growth", "scale"] as const

export type PaidPlan = (typeof paidPlans)[number]

/** What a customer is to pay for. */
export type Purchase =
  | { readonly _tag: "PlanPurchase"; readonly plan: PaidPlan }
  | { readonly _tag: "CreditPurchase"; readonly credits: number }

/** A page of the provider's that a person pays on. */
export interface CheckoutPage {
  readonly checkoutId: string
  readonly url: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
  /** It is the answer to an earlier request under the same key. */
  readonly replayed: boolean
}

/** What a checkout has come to. */
export interface CheckoutState {
  readonly checkoutId: string
  readonly tenantIds: ReadonlyArray<string>
  readonly customerId: string | null
  /** Credits that were paid; null: it was not about credits, or they are not paid (yet). */
  readonly paidCredits: number | null
}

/** No provider of payments is configured; `setting` would name one. */
export class PaymentsNotConfigured extends Data.TaggedError("PaymentsNotConfigured")<{ readonly setting: string }> {}

/** The provider does not answer, or asks for patience: nothing was done, and it may be tried again. */
export class PaymentsUnavailable extends Data.TaggedError("PaymentsUnavailable")<{ readonly reason: string }> {}

/** The provider refuses, and would again. */
export class PaymentsRefused extends Data.TaggedError("PaymentsRefused")<{ readonly reason: string }> {}

/** There is no such thing at the provider (any more). */
export class PaymentsGone extends Data.TaggedError("PaymentsGone")<{ readonly what: string }> {}

/** The answer was lost: it may have been done. Asking again under the same key is safe. */
export class PaymentsUncertain extends Data.TaggedError("PaymentsUncertain")<{ readonly reason: string }> {}

/** The key of the request came before with another request. */
export class PaymentsKeyReused extends Data.TaggedError("PaymentsKeyReused")<{}> {}

/** The first request under this key is still being carried out. */
export class PaymentsKeyInUse extends Data.TaggedError("PaymentsKeyInUse")<{}> {}

/** Why a provider of payments did not do what it was asked for. */
export type PaymentsFailure =
  | PaymentsNotConfigured
  | PaymentsUnavailable
  | PaymentsRefused
  | PaymentsGone
  | PaymentsUncertain
  | PaymentsKeyReused
  | PaymentsKeyInUse

/** The tenant pays for a plan already: another one is a change of that. */
export class SubscriptionExists extends Data.TaggedError("SubscriptionExists")<{
  readonly tenantId: string
  readonly plan: Plan | null
}> {}

/** The tenant has never paid: there is nothing to show of it at the provider. */
export class NoCustomer extends Data.TaggedError("NoCustomer")<{ readonly tenantId: string }> {}
