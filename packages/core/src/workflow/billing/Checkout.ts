import { Effect } from "effect"
import { isLive } from "../../domain/billing/Account.ts"
import { NoCustomer, type Purchase, SubscriptionExists } from "../../domain/billing/Payment.ts"
import { Payments } from "../../port/provider/Payments.ts"
import { BillingAccounts } from "../../port/repository/tenant/BillingAccounts.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { ensureCustomer, paymentKey, requestKeyOrRandom } from "./EnsureCustomer.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Opens a checkout page of the payment provider. Fails with `SubscriptionExists` when a tenant with a subscription buys
 * a second plan. Requests with the same `requestKey` return the same page.
 */
export const startCheckout = Effect.fnUntraced(function* (
  tenantId: string,
  purchase: Purchase,
  requestKey: string | null
) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const account = yield* (yield* BillingAccounts).find(tenantId)
  const pays = account !== null && account.subscriptionId !== null && isLive(account.status)
  if (pays && purchase._tag === "PlanPurchase") return yield* new SubscriptionExists({ tenantId, plan: account.plan })
  const { _tag, ...bought } = purchase
  yield* recordAuditChange({ before: null, after: { checkout: bought } }, tenantId)
  const customerId = yield* ensureCustomer(tenant)
  const key = yield* paymentKey("checkout", tenantId, yield* requestKeyOrRandom(requestKey))
  return yield* (yield* Payments).startCheckout({ tenantId, customerId }, purchase, key)
}, withSpan("startCheckout"))

/** Opens the provider's page for invoices, cards and cancellation. The page expires after minutes. */
export const openPortal = Effect.fnUntraced(function* (tenantId: string, requestKey: string | null) {
  const payments = yield* Payments
  yield* (yield* Tenants).get(tenantId)
  const customerId = (yield* (yield* BillingAccounts).find(tenantId))?.customerId ?? null
  // Without a payment provider, the call of `openPortal` below fails and names the missing setting.
  if (customerId === null && payments.configured) return yield* new NoCustomer({ tenantId })
  yield* recordAuditChange({ before: null, after: null }, tenantId)
  const key = yield* paymentKey("portal", tenantId, yield* requestKeyOrRandom(requestKey))
  return yield* payments.openPortal(customerId ?? "", key)
}, withSpan("openPortal"))
