import { Effect } from "effect"
import { noteChange } from "../access/Audited.ts"
import { BillingAccounts } from "../../port/repository/tenant/BillingAccounts.ts"
import { Payments } from "../../port/provider/Payments.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { paymentKey, requestKeyOr } from "./PaymentKey.ts"
import { NoCustomer } from "../../domain/billing/Payment.ts"

/** Where a tenant sees its invoices, changes its card and cancels; good for minutes. */
export const openPortal = Effect.fn("openPortal")(function* (tenantId: string, requestKey: string | null) {
  const payments = yield* Payments
  yield* (yield* Tenants).get(tenantId)
  const customerId = (yield* (yield* BillingAccounts).find(tenantId))?.customerId ?? null
  // Who cannot pay at all is told that first.
  if (customerId === null && payments.configured) return yield* new NoCustomer({ tenantId })
  yield* noteChange({ before: null, after: null }, tenantId)
  const key = yield* paymentKey("portal", tenantId, yield* requestKeyOr(requestKey))
  return yield* payments.openPortal(customerId ?? "", key)
})
