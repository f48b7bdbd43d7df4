/**
 * Bills tenants: plans, payments, credits and monthly usage. The provider's API does not belong here (port `Payments`),
 * nor do the caps and prices of plans (`domain/billing`). Tests: `packages/testkit/src/suite/billing`,
 * `packages/core/test/domain/billing`.
 */
import { Clock, Effect } from "effect"
import { BillingAccounts } from "../../port/repository/tenant/BillingAccounts.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Payments } from "../../port/provider/Payments.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import {
  type BillingAccount,
  chooseSubscription,
  isLive,
  look,
  nextRefreshOf,
  planGivenBy,
  projectSubscription,
  timedId
} from "../../domain/billing/Account.ts"
import type { PaidSubscription } from "../../domain/billing/Payment.ts"
import { withSpan } from "../WithSpan.ts"
import { log } from "../LogEvents.ts"

/** A look-up at the provider that is in progress, with its number. */
interface Look {
  readonly customerId: string
  readonly number: number
}

const setOut = Effect.fnUntraced(function* (tenantId: string) {
  const accounts = yield* BillingAccounts
  const account = yield* accounts.find(tenantId)
  if (account === null || account.customerId === null) return null
  const number = account.looks + 1
  yield* accounts.save({ ...account, looks: number })
  return { customerId: account.customerId, number } satisfies Look
})

/** Gives a tenant the plan that its account provides, if this plan differs from the last one that the account gave. */
const givePlan = Effect.fnUntraced(function* (account: BillingAccount, now: number) {
  const plan = planGivenBy(account, now)
  if (plan === null || plan === account.givenPlan) return account
  const tenants = yield* Tenants
  const tenant = yield* tenants
    .get(account.tenantId)
    .pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  if (tenant === null) return account
  if (tenant.plan === plan) return { ...account, givenPlan: plan }
  yield* tenants.update({ ...tenant, plan }).pipe(Effect.catchTag("TenantNotFound", () => Effect.void))
  const { status, tenantId } = account
  yield* log("billing.plan_changed", { tenant: tenantId, from: tenant.plan, plan, status })
  return { ...account, givenPlan: plan }
})

/**
 * Applies the result of a look-up, unless the result of a later look-up has already been applied. If the subscription
 * changes later, the provider sends an event, which starts another look-up.
 */
const applySeen = Effect.fnUntraced(function* (
  tenantId: string,
  { customerId, number }: Look,
  found: PaidSubscription | null
) {
  const accounts = yield* BillingAccounts
  const account = yield* accounts.find(tenantId)
  if (account === null || account.customerId !== customerId || account.lookApplied >= number) return
  const now = yield* Clock.currentTimeMillis
  const seen = projectSubscription({ ...account, lookApplied: number }, found)
  yield* accounts.save(yield* givePlan(seen, now))
  const dueAt = nextRefreshOf(seen, now)
  if (dueAt === null) return
  yield* (yield* Jobs).put({ tenantId, jobId: timedId(dueAt), dueAt, createdAt: now, job: look })
})

/** The subscriptions of a customer that no longer exists at the provider. */
const gone: ReadonlyArray<PaidSubscription> = []

/**
 * Reads a tenant's subscriptions from the provider, and updates account, plan and caps in one unit of work. Of
 * concurrent look-ups, the one that started last determines the result. Returns the subscriptions.
 */
export const refreshBilling = Effect.fnUntraced(function* (tenantId: string) {
  const { atomically } = yield* Transactions
  const requested = yield* atomically(tenantId, setOut(tenantId))
  if (requested === null) return gone
  const all = yield* (yield* Payments)
    .subscriptions(requested.customerId)
    .pipe(Effect.catchReason("ProviderFailure", "Gone", () => Effect.succeed(gone)))
  if (all.filter(({ status }) => isLive(status)).length > 1) {
    yield* log("billing.subscriptions", { tenant: tenantId, customer: requested.customerId })
  }
  yield* atomically(tenantId, applySeen(tenantId, requested, chooseSubscription(all)))
  return all
}, withSpan("refreshBilling"))
