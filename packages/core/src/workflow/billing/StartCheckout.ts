import { Effect } from "effect"
import { noteChange } from "../access/Audited.ts"
import { BillingAccounts } from "../../port/repository/tenant/BillingAccounts.ts"
import { Payments } from "../../port/provider/Payments.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { isLive } from "../../domain/billing/Account.ts"
import { ensureCustomer } from "./EnsureCustomer.ts"
import { paymentKey, requestKeyOr } from "./PaymentKey.ts"
import { type Purchase, SubscriptionExists } from "../../domain/billing/Payment.ts"

/**
 * A page of the provider's to pay on. A tenant that pays for a plan buys no second one beside it. The same `requestKey`
 * gets the same page.
 */
export const startCheckout = Effect.fn("startCheckout")(function* (
  tenantId: string,
  purchase: Purchase,
  requestKey: string | null
) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const account = yield* (yield* BillingAccounts).find(tenantId)
  const pays = account !== null && account.subscriptionId !== null && isLive(account.status)
  if (pays && purchase._tag === "PlanPurchase") return yield* new SubscriptionExists({ tenantId, plan: account.plan })
  const { _tag, ...bought } = purchase
  yield* noteChange({ before: null, after: { checkout: bought } }, tenantId)
  const customerId = yield* ensureCustomer(tenant)
  const key = yield* paymentKey("checkout", tenantId, yield* requestKeyOr(requestKey))
  return yield* (yield* Payments).startCheckout({ tenantId, customerId }, purchase, key)
})
