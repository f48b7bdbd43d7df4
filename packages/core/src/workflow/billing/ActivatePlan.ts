import { Clock, Effect } from "effect"
import { recordAuditChange } from "../access/Audited.ts"
import type { Plan } from "../../domain/billing/Plan.ts"
import { BillingAccounts } from "../../port/repository/tenant/BillingAccounts.ts"
import { Payments } from "../../port/provider/Payments.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { chooseSubscription, isLive, newAccount } from "../../domain/billing/Account.ts"
import { paymentKey, requestKeyOrRandom } from "./EnsureCustomer.ts"
import { type CheckoutPage, type PaidPlan, paidPlans, type PaidSubscription } from "../../domain/billing/Payment.ts"
import { readBilling } from "./ReadBilling.ts"
import { refreshBilling } from "./RefreshBilling.ts"
import { startCheckout } from "./Checkout.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Returns the requested plan. If the request names none, it is the current paid plan; during a trial, it is the
 * smallest paid plan.
 */
const wantedPlan = (named: PaidPlan | null, there: Plan | null): PaidPlan =>
  named ?? paidPlans.find((plan) => plan === there) ?? "starter"

/** Changes the plan without a payment provider. The caps of the new plan apply immediately. */
const activateHere = Effect.fnUntraced(function* (tenantId: string, named: PaidPlan | null) {
  const tenants = yield* Tenants
  const accounts = yield* BillingAccounts
  const tenant = yield* tenants.get(tenantId)
  const account = (yield* accounts.find(tenantId)) ?? newAccount(tenantId)
  const plan = wantedPlan(named, tenant.plan)
  yield* tenants.update({ ...tenant, plan })
  const since = yield* Clock.currentTimeMillis
  const taken = { plan, status: "active", givenPlan: plan, trialEndsAt: null, subscriptionId: null } as const
  yield* accounts.save({ ...account, ...taken, unpaidSince: null, periodStartsAt: since, periodEndsAt: null })
})

const isSettled = ({ cancelAtPeriodEnd, plan, status }: PaidSubscription, wanted: PaidPlan): boolean =>
  plan === wanted && status !== "trialing" && !cancelAtPeriodEnd

/**
 * Activates a plan: ends a trial, changes the plan of a subscription, or revokes its pending cancellation. If the
 * tenant has no subscription, returns a checkout page, because the tenant must pay first.
 */
export const activatePlan = Effect.fnUntraced(function* (
  tenantId: string,
  named: PaidPlan | null,
  requestKey: string | null
) {
  const payments = yield* Payments
  const { plan: there } = yield* (yield* Tenants).get(tenantId)
  yield* recordAuditChange({ before: { plan: there }, after: { plan: wantedPlan(named, there) } }, tenantId)
  let checkout: CheckoutPage | null = null
  if (payments.configured) {
    const running = chooseSubscription(yield* refreshBilling(tenantId))
    if (running === null || !isLive(running.status)) {
      const plan = wantedPlan(named, there)
      checkout = yield* startCheckout(tenantId, { _tag: "PlanPurchase", plan }, requestKey)
    } else {
      const plan = wantedPlan(named, running.plan)
      if (!isSettled(running, plan)) {
        const key = yield* paymentKey("activate", tenantId, yield* requestKeyOrRandom(requestKey))
        yield* payments.changeSubscription({ subscription: running, plan }, key)
        yield* refreshBilling(tenantId)
      }
    }
  } else yield* (yield* Transactions).atomically(tenantId, activateHere(tenantId, named))
  return { report: yield* readBilling(tenantId), checkout }
}, withSpan("activatePlan"))
