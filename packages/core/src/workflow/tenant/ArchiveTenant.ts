import { Clock, Effect } from "effect"
import { noteChange } from "../access/Audited.ts"
import { isLive } from "../../domain/billing/Account.ts"
import { archivedId, look } from "../../domain/billing/BillingErrand.ts"
import { BillingAccounts } from "../../port/repository/tenant/BillingAccounts.ts"
import { Errands } from "../../port/repository/webhook/Errands.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"

/** Stops serving a tenant; its data stays. What it pays for ends, too. */
export const archiveTenant = Effect.fn("archiveTenant")(function* (tenantId: string) {
  const archivedAt = yield* Clock.currentTimeMillis
  const unit = Effect.gen(function* () {
    yield* (yield* Tenants).archive(tenantId, archivedAt)
    yield* noteChange({ before: { archived_at: null }, after: { archived_at: archivedAt } })
    const account = yield* (yield* BillingAccounts).find(tenantId)
    if (account === null || account.subscriptionId === null || !isLive(account.status)) return
    const times = { dueAt: archivedAt, createdAt: archivedAt }
    yield* (yield* Errands).put({ tenantId, errandId: archivedId, ...times, errand: look })
  })
  yield* (yield* Transactions).atomically(tenantId, unit)
})
