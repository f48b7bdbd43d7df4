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
 * The key under which a provider of payments does something once: the same for the same thing, another one on every
 * deployment, also where two of them share an account at the provider and name a tenant alike.
 */
export const paymentKey = Effect.fnUntraced(function* (...parts: ReadonlyArray<string>) {
  const { pepper } = yield* Secrets
  return bytesToHex(hmac(sha256, pepper, utf8ToBytes(`leadloom/payment/1\n${JSON.stringify(parts)}`)))
})

/** What stands for a request that has no key of its own: nothing that ever comes again. */
export const requestKeyOrRandom = Effect.fnUntraced(function* (requestKey: string | null) {
  return requestKey ?? bytesToHex((yield* Randomness).bytes(16))
})

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
