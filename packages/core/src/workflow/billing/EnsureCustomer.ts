import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { newAccount } from "../../domain/billing/Account.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Payments } from "../../port/provider/Payments.ts"
import { BillingAccounts } from "../../port/repository/tenant/BillingAccounts.ts"
import { Randomness } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"

/**
 * Derives the idempotency key of a request to the payment provider. The key depends on the deployment's secret. Two
 * deployments that use the same provider account and tenant id therefore have different keys.
 */
export const paymentKey = Effect.fnUntraced(function* (...parts: ReadonlyArray<string>) {
  const { pepper } = yield* Secrets
  return bytesToHex(hmac(sha256, pepper, utf8ToBytes(`leadloom/payment/1\n${JSON.stringify(parts)}`)))
})

/** Returns the idempotency key of the request, or a random one if the request has none. */
export const requestKeyOrRandom = Effect.fnUntraced(function* (requestKey: string | null) {
  return requestKey ?? bytesToHex((yield* Randomness).bytes(16))
})

/**
 * Returns the tenant's customer id at the payment provider. Creates a customer when the tenant has none, or when the
 * provider has deleted it. The idempotency key contains the former id, so that concurrent requests get the same new
 * customer.
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
