import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { Time } from "../Field.ts"
import type { Plan } from "./Plan.ts"

/** Every status of a subscription, in Stripe's terms. */
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

/** The status of a subscription at the payment provider. */
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** The current state of a subscription at the payment provider. Times are epoch milliseconds. */
export interface PaidSubscription {
  readonly subscriptionId: string
  readonly status: SubscriptionStatus
  /** Null if the price of the subscription is not configured on this server. */
  readonly plan: Plan | null
  /** The subscription item that a plan change modifies; null if there is none. */
  readonly itemId: string | null
  readonly createdAt: number
  readonly trialEndsAt: number | null
  readonly periodStartsAt: number | null
  readonly periodEndsAt: number | null
  readonly cancelAtPeriodEnd: boolean
  /**
   * The time of the latest invoice. For a past-due subscription, the time of the oldest unpaid invoice. Null if there
   * is none.
   */
  readonly invoicedAt: number | null
}

/** Plans that cost money. */
export const paidPlans = ["starter", "growth", "scale"] as const

/** A plan that costs money. */
export type PaidPlan = (typeof paidPlans)[number]

/** The object of a purchase. */
export type Purchase =
  | { readonly _tag: "PlanPurchase"; readonly plan: PaidPlan }
  | { readonly _tag: "CreditPurchase"; readonly credits: number }

/** A page of the provider on which a person pays. */
export class CheckoutPage extends Schema.Opaque<CheckoutPage>()(
  Schema.Struct({
    checkoutId: Schema.String.annotate({ description: "The payment provider's id of the page" }),
    url: Schema.String.annotate({ description: "The payment page" }),
    expiresAt: Time.annotate({ description: "The time at which the page expires (ISO 8601 in UTC)" }),
    /** True if the page belongs to an earlier request with the same idempotency key. */
    replayed: Schema.Boolean
  })
) {}

/** The state of a checkout. */
export interface CheckoutState {
  readonly checkoutId: string
  readonly tenantIds: ReadonlyArray<string>
  readonly customerId: string | null
  /** The paid credits. Null if the checkout does not sell credits, or is not paid yet. */
  readonly paidCredits: number | null
}

/** The tenant already pays for a plan. Change the existing subscription instead. */
export class SubscriptionExists extends TaggedError("SubscriptionExists")<{
  readonly tenantId: string
  readonly plan: Plan | null
}> {}

/** The tenant has never paid, so the payment provider has no customer for it. */
export class NoCustomer extends TaggedError("NoCustomer")<{ readonly tenantId: string }> {}
