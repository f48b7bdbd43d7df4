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

/** Somebody on the way to the provider, and the number it is known by. */
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

/** Gives a tenant the plan of its account, where that is another one than it gave before. */
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
  yield* Effect.logInfo("A tenant's plan has changed with what it pays").pipe(
    Effect.annotateLogs({ tenant: account.tenantId, from: tenant.plan, to: plan, status: account.status })
  )
  return { ...account, givenPlan: plan }
})

/**
 * Takes what somebody has seen at the provider. Who set out before one whose answer is here already has seen an older
 * state, or the same: what has changed since has its own provider event, and somebody on the way.
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

/** What a customer has that nobody knows at the provider. */
const gone: ReadonlyArray<PaidSubscription> = []

/**
 * Looks at the provider how a tenant pays, and brings account, plan and caps to that in one unit of work. Any number may
 * look at once, in any order: what is here in the end is what the last to set out has seen. Answers what was seen.
 */
export const refreshBilling = Effect.fn("refreshBilling")(function* (tenantId: string) {
  const { atomically } = yield* Transactions
  const requested = yield* atomically(tenantId, setOut(tenantId))
  if (requested === null) return gone
  const all = yield* (yield* Payments)
    .subscriptions(requested.customerId)
    .pipe(Effect.catchTag("PaymentsGone", () => Effect.succeed(gone)))
  if (all.filter(({ status }) => isLive(status)).length > 1) {
    yield* Effect.logWarning("A tenant pays for several subscriptions; the newest counts, end the others").pipe(
      Effect.annotateLogs({ tenant: tenantId, customer: requested.customerId })
    )
  }
  yield* atomically(tenantId, applySeen(tenantId, requested, chooseSubscription(all)))
  return all
})
