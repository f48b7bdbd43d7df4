import { Effect } from "effect"
import { AccountLimit, type Accounts } from "../../domain/email/Accounts.ts"
import { ConnectionExists, EmailNotConnected, type Grant, GrantNotFound } from "../../domain/email/Grant.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns the accounts of a tenant, the default one first. Returns null when none is connected. */
export const findAccounts = Effect.fnUntraced(function* (tenantId: string) {
  const [first, ...others] = yield* (yield* Grants).list(tenantId)
  if (first === undefined) return null
  const accounts: Accounts = { all: [first, ...others], several: others.length > 0 || (yield* AccountLimit) > 1 }
  return accounts
})

/** Returns the accounts of a tenant. Fails with `EmailNotConnected` when none is connected. */
export const connectedAccounts = Effect.fnUntraced(function* (tenantId: string) {
  return (yield* findAccounts(tenantId)) ?? (yield* new EmailNotConnected({ tenantId }))
})

/** Fails with `ConnectionExists` when a tenant with these accounts may not connect another one. */
export const requireFreePlace = Effect.fnUntraced(function* ([first, ...others]: ReadonlyArray<Grant>) {
  const limit = yield* AccountLimit
  if (first !== undefined && others.length + 1 >= limit) return yield* new ConnectionExists({ ...first, limit })
})

/** Makes an account the one from which new mail leaves. Returns the accounts, the default one first. */
export const setDefaultAccount = Effect.fnUntraced(function* (tenantId: string, grantId: string) {
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const grants = yield* Grants
      const [before] = yield* grants.list(tenantId)
      if ((yield* grants.find(tenantId, grantId)) === null) return yield* new GrantNotFound({ grantId })
      yield* grants.setDefault(tenantId, grantId)
      yield* recordAuditChange({ before: { grant_id: before?.grantId ?? null }, after: { grant_id: grantId } })
      return yield* grants.list(tenantId)
    })
  )
}, withSpan("setDefaultAccount"))
