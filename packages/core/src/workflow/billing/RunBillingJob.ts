import { Effect } from "effect"
import { done, type QueuedJob } from "../../domain/job/Job.ts"
import { BillingAccounts } from "../../port/repository/tenant/BillingAccounts.ts"
import { Payments } from "../../port/provider/Payments.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { type BillingJob, isLive } from "../../domain/billing/Account.ts"
import type { CheckoutState, PaidSubscription } from "../../domain/billing/Payment.ts"
import { afterFailure } from "../provider/AfterFailure.ts"
import { refreshBilling } from "./RefreshBilling.ts"
import { recordCheckout } from "./ReceiveBillingEvent.ts"
import { log } from "../LogEvents.ts"

type Queued = QueuedJob<BillingJob>

/** Returns whether a checkout belongs to the tenant and customer of its provider event. */
const isOf = (tenantId: string, customerId: string | null, { tenantIds, ...checkout }: CheckoutState): boolean =>
  tenantIds.every((named) => named === tenantId) && (checkout.customerId === null || checkout.customerId === customerId)

const readCheckout = Effect.fnUntraced(function* (tenantId: string, checkoutId: string) {
  const checkout = yield* (yield* Payments).readCheckout(checkoutId)
  const account = yield* (yield* BillingAccounts).find(tenantId)
  if (isOf(tenantId, account?.customerId ?? null, checkout)) {
    yield* (yield* Transactions).atomically(tenantId, recordCheckout(tenantId, checkout))
  }
})

/** Cancels the running subscriptions of an archived tenant. */
const endArchived = Effect.fnUntraced(function* (tenantId: string, all: ReadonlyArray<PaidSubscription>) {
  const running = all.filter(({ status }) => isLive(status) || status === "incomplete")
  if (running.length === 0) return
  const served = yield* (yield* Tenants).get(tenantId).pipe(
    Effect.as(true),
    Effect.catchTag("TenantNotFound", () => Effect.succeed(false))
  )
  if (served) return
  const payments = yield* Payments
  for (const { subscriptionId } of running) {
    yield* payments.cancelSubscription(subscriptionId)
  }
  yield* refreshBilling(tenantId)
})

const run = Effect.fnUntraced(function* ({ job: { checkoutId }, tenantId }: Queued) {
  if (checkoutId !== null) yield* readCheckout(tenantId, checkoutId)
  yield* endArchived(tenantId, yield* refreshBilling(tenantId))
  return done
})

const giveUp = ({ jobId, tenantId }: Queued, reason: string) =>
  Effect.as(log("billing.job_given_up", { tenant: tenantId, job: jobId, reason }), done)

/**
 * Runs a billing job: reads the checkout in the job, if there is one, then refreshes the billing state from the
 * provider.
 */
export const runBillingJob = (queued: Queued) =>
  run(queued).pipe(
    Effect.catchTag("ProviderFailure", (failure) => afterFailure(queued, failure, giveUp(queued, failure.message)))
  )
