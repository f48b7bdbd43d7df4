import type { PaidSubscription, SubscriptionStatus } from "./Payment.ts"
import type { Plan } from "./Plan.ts"

/** How a tenant's account stands: as the provider of payments has it, or, without one, on trial or on a plan. */
export type BillingStatus = SubscriptionStatus

/** What is known of how a tenant pays. Times are epoch milliseconds. */
export interface BillingAccount {
  readonly tenantId: string
  /** The plan that was taken; null: none was, or it is one that nobody here sells. */
  readonly plan: Plan | null
  readonly status: BillingStatus
  /** Until when the plan is tried and not paid; null: it is not tried. */
  readonly trialEndsAt: number | null
  readonly periodStartsAt: number | null
  readonly periodEndsAt: number | null
  /** The plan ends with its period. */
  readonly cancelAtPeriodEnd: boolean
  /** Since when a payment is missing; null: none is. */
  readonly unpaidSince: number | null
  /** Its ids at the provider; null: it has none. */
  readonly customerId: string | null
  readonly subscriptionId: string | null
  /** The plan that this account last gave the tenant; null: none. What the operator gives is not noted here. */
  readonly givenPlan: Plan | null
  /** How often somebody set out to look at the provider. Who looks is known by this number. */
  readonly looks: number
  /** The look whose answer stands here: one that set out earlier is not taken any more. */
  readonly lookApplied: number
}

/** An account that nothing has happened to yet. */
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

/** How long a plan stays after a payment has failed: the provider tries the card again meanwhile. */
export const graceMillis = 7 * 24 * 3_600_000

/** How long after the end of a period we look by ourselves, should nobody have told us of the next one. */
const lateMillis = 3_600_000

/** When the plan goes because of a missing payment; null: none is missing. */
export const graceEndOf = ({ status, unpaidSince }: BillingAccount): number | null =>
  status === "past_due" && unpaidSince !== null ? unpaidSince + graceMillis : null

/**
 * The plan that an account gives its tenant at `now`; null: it has nothing to say, and what the tenant has stays. A first
 * payment that was never made takes nothing away that somebody else has given, and what is sold under a price that nobody
 * here knows takes away only what this account gave before.
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

/** Whether a subscription is there that can be changed: a second one would be paid beside it. */
export const isLive = (status: SubscriptionStatus): boolean =>
  status === "active" || status === "trialing" || status === "past_due" || status === "unpaid" || status === "paused"

/** One that was paid once comes before one that never was: what it gave has to be taken. */
const ranks: ReadonlyArray<ReadonlyArray<SubscriptionStatus>> = [
  ["active", "trialing", "past_due"],
  ["unpaid", "paused"],
  ["canceled"],
  ["incomplete"],
  ["incomplete_expired"]
]

const rankOf = ({ status }: PaidSubscription): number => ranks.findIndex((rank) => rank.includes(status))

/**
 * The subscription that counts, of all that a customer has ever had: a running one before one that is over, and the
 * newest of them. The same one whatever their order.
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
 * The account as the provider has it: what was known of an earlier state does not matter. Where nothing is to be found any
 * more of what was subscribed, it is over.
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

/** When the account has to be looked at again by ourselves; null: never. */
export const nextRefreshOf = (account: BillingAccount, now: number): number | null => {
  if (account.subscriptionId === null || !isLive(account.status)) return null
  const graceEnd = graceEndOf(account)
  const times = [graceEnd, account.periodEndsAt === null ? null : account.periodEndsAt + lateMillis]
  const ahead = times.filter((time) => time !== null).filter((time) => time > now)
  return ahead.length === 0 ? null : Math.min(...ahead)
}

/** Something to be looked up at a provider of payments because it told of a change, or because it is time. */
export interface BillingJob {
  readonly kind: "billing_refresh"
  /** A checkout to be looked at first; null: none. */
  readonly checkoutId: string | null
}

/** Looks, and nothing else. */
export const look: BillingJob = { kind: "billing_refresh", checkoutId: null }

/** The one job that follows a provider event. */
export const providerEventJobId = (providerEventId: string): string => `billing_refresh:notice:${providerEventId}`

/** The one job that looks at a time (epoch milliseconds) by itself. */
export const timedId = (at: number): string => `billing_refresh:at:${at}`

/** The one job that ends what is paid for a tenant that is not served any more. */
export const archivedId = "billing_refresh:archived"
