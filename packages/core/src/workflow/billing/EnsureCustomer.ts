import { Effect } from "effect"
import { BillingAccounts } from "../../port/repository/tenant/BillingAccounts.ts"
import { Payments } from "../../port/provider/Payments.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { newAccount } from "../../domain/billing/Account.ts"
import { paymentKey } from "./PaymentKey.ts"

/**
 * The tenant's id at the provider; made where there is none, or where somebody has deleted it there. The key of the
 * request holds the id before it, so that two who ask at once get the same new one.
 */
export const ensureCustomer = Effect.fnUntraced(function* ({ name, tenantId }: Tenant) {
  const accounts = yield* BillingAccounts
  const payments = yield* Payments
  const former = (yield* accounts.find(tenantId))?.customerId ?? null
  if (former !== null && (yield* payments.hasCustomer(former))) return former
  const customerId = yield* payments.createCustomer(
    { tenantId, name },
    yield* paymentKey("customer", tenantId, former ?? "")
  )
  const bind = Effect.gen(function* () {
    const account = (yield* accounts.find(tenantId)) ?? newAccount(tenantId)
    if (account.customerId !== former) return account.customerId ?? customerId
    yield* accounts.save({ ...account, customerId })
    return customerId
  })
  return yield* (yield* Transactions).atomically(tenantId, bind)
})
