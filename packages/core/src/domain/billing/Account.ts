// Billing: plans, monthly caps, credits, and the account of a tenant at the payment provider. Requests to the provider
// do not belong here (`packages/connectors/src/stripe`). Tests: `packages/core/test/domain/billing`,
// `packages/testkit/src/suite/billing`.

import { Schema } from "effect"
import { type PaidSubscription, type SubscriptionStatus, subscriptionStatuses } from "./Payment.ts"
import { type Plan, plans } from "./Plan.ts"
import { Time } from "../Field.ts"

/**
 * The status of a tenant's account. With a payment provider, it is the provider's status. Without one, it is `trialing`
 * or `active`.
 */
export type BillingStatus = SubscriptionStatus

/** The billing state of a tenant. Times are epoch milliseconds. */
export class BillingAccount extends Schema.Opaque<BillingAccount>()(
  Schema.Struct({
    tenantId: Schema.String,
    /**
     * The purchased plan. Null if the tenant has purchased none, or if this server has no plan for the purchased price.
     */
    plan: Schema.NullOr(Schema.Literals(plans)),
    status: Schema.Literals(subscriptionStatuses),
    /** The end of the trial; null if the plan is not in trial. */
    trialEndsAt: Schema.NullOr(Time).annotate({
      description: "The end of the trial (ISO 8601 in UTC); null: the plan is not in trial"
    }),
    periodStartsAt: Schema.NullOr(Time).annotate({
      description: "The start of the paid period (ISO 8601 in UTC); null: nothing is paid"
    }),
    periodEndsAt: Schema.NullOr(Time).annotate({
      description: "The end of the paid period (ISO 8601 in UTC); null: nothing is paid"
    }),
    /** True if the plan ends with the current period. */
    cancelAtPeriodEnd: Schema.Boolean.annotate({ description: "Whether the plan ends with the current period" }),
    /** The time since when a payment is overdue. Null if no payment is overdue. */
    unpaidSince: Schema.NullOr(Time),
    /** The provider's id of the customer; null if there is none. */
    customerId: Schema.NullOr(Schema.String),
    subscriptionId: Schema.NullOr(Schema.String),
    /**
     * The plan that this account last gave the tenant. Null if it has given none. Plans that the operator sets are not
     * recorded here.
     */
    givenPlan: Schema.NullOr(Schema.Literals(plans)),
    /** The number of look-ups at the payment provider so far. Each look-up gets the next number. */
    looks: Schema.Int,
    /** The number of the look-up whose result is stored. Results of look-ups with lower numbers are discarded. */
    lookApplied: Schema.Int.annotate({ column: "look_taken" })
  })
) {}

/** Creates an account without a subscription. */
export const newAccount = (tenantId: string): BillingAccount => ({
  tenantId,
  plan: null,
  status: "trialing",
  trialEndsAt: null,
  periodStartsAt: null,
  periodEndsAt: null,
  cancelAtPeriodEnd: false,
  unpaidSince: null,
  customerId: null,
  subscriptionId: null,
  givenPlan: null,
  looks: 0,
  lookApplied: 0
})

/**
 * The period during which the tenant keeps the plan after a failed payment. The payment provider retries the card in
 * this period.
 */
export const graceMillis = 7 * 24 * 3_600_000

/**
 * The delay between the end of a billing period and the look-up at the payment provider. The look-up finds the new
 * state if no provider event has arrived.
 */
const lateMillis = 3_600_000

/**
 * Returns the time when the tenant loses the plan because a payment is overdue. Returns null if no payment is overdue.
 */
export const graceEndOf = ({ status, unpaidSince }: BillingAccount): number | null =>
  status === "past_due" && unpaidSince !== null ? unpaidSince + graceMillis : null

/**
 * Returns the plan that an account gives its tenant at `now`. Returns null if the account does not change the tenant's
 * plan.
 *
 * - Before the first payment, the tenant keeps a plan from another origin.
 * - A subscription whose price is not configured on this server gives no plan. If this account gave a plan before, the
 *   tenant returns to the trial plan.
 */
export const planGivenBy = (account: BillingAccount, now: number): Plan | null => {
  if (account.subscriptionId === null) return null
  const paid = account.plan ?? (account.givenPlan === null ? null : "trial")
  switch (account.status) {
    case "trialing":
    case "active":
      return paid
    case "past_due":
      return now < (graceEndOf(account) ?? now) ? paid : "trial"
    case "unpaid":
    case "paused":
    case "canceled":
      return "trial"
    case "incomplete":
    case "incomplete_expired":
      return null
  }
}

/**
 * Returns whether a subscription can be changed. A plan purchase changes such a subscription instead of creating a
 * second one, because a second one would charge the tenant twice.
 */
export const isLive = (status: SubscriptionStatus): boolean =>
  status === "active" || status === "trialing" || status === "past_due" || status === "unpaid" || status === "paused"

/**
 * Statuses in order of precedence. `canceled` precedes `incomplete`, because a canceled subscription was paid once. Its
 * plan must then be removed from the tenant.
 */
const ranks: ReadonlyArray<ReadonlyArray<SubscriptionStatus>> = [
  ["active", "trialing", "past_due"],
  ["unpaid", "paused"],
  ["canceled"],
  ["incomplete"],
  ["incomplete_expired"]
]

const rankOf = ({ status }: PaidSubscription): number => ranks.findIndex((rank) => rank.includes(status))

/**
 * Selects the relevant subscription of a customer: by status first, then the newest. The result does not depend on the
 * order of the list.
 */
export const chooseSubscription = (all: ReadonlyArray<PaidSubscription>): PaidSubscription | null =>
  all.toSorted(
    (one, other) =>
      rankOf(one) - rankOf(other) ||
      other.createdAt - one.createdAt ||
      (one.subscriptionId < other.subscriptionId ? -1 : 1)
  )[0] ?? null

const over = { status: "canceled", trialEndsAt: null, unpaidSince: null, cancelAtPeriodEnd: false } as const

/**
 * Updates the account from the current subscription at the payment provider. If the stored subscription no longer
 * exists there, the account becomes `canceled`.
 */
export const projectSubscription = (account: BillingAccount, found: PaidSubscription | null): BillingAccount => {
  if (found === null) return account.subscriptionId === null ? account : { ...account, ...over }
  const { cancelAtPeriodEnd, periodEndsAt, periodStartsAt, plan, status, subscriptionId, trialEndsAt } = found
  const unpaidSince = status === "past_due" ? (found.invoicedAt ?? periodStartsAt) : null
  return {
    ...account,
    plan,
    status,
    trialEndsAt: status === "trialing" ? trialEndsAt : null,
    periodStartsAt,
    periodEndsAt,
    cancelAtPeriodEnd,
    unpaidSince,
    subscriptionId
  }
}

/**
 * Returns the time of the next look-up at the payment provider if no provider event arrives. Returns null if no look-up
 * is necessary.
 */
export const nextRefreshOf = (account: BillingAccount, now: number): number | null => {
  if (account.subscriptionId === null || !isLive(account.status)) return null
  const graceEnd = graceEndOf(account)
  const times = [graceEnd, account.periodEndsAt === null ? null : account.periodEndsAt + lateMillis]
  const ahead = times.filter((time) => time !== null).filter((time) => time > now)
  return ahead.length === 0 ? null : Math.min(...ahead)
}

/**
 * A job that reads the current state from the payment provider. It runs after a provider event or at a scheduled time.
 */
export interface BillingJob {
  readonly kind: "billing_refresh"
  /** The checkout to read before the account. Null if there is none. */
  readonly checkoutId: string | null
}

/** The job that reads only the account. */
export const look: BillingJob = { kind: "billing_refresh", checkoutId: null }

/** Returns the id of the only job that follows a provider event. */
export const providerEventJobId = (providerEventId: string): string => `billing_refresh:notice:${providerEventId}`

/** Returns the id of the only job scheduled for a time (epoch milliseconds). */
export const timedId = (at: number): string => `billing_refresh:at:${at}`

/** The id of the only job that ends the subscription of an archived tenant. */
export const archivedId = "billing_refresh:archived"
