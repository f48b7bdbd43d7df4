import { Clock, Effect } from "effect"
import { noteChange } from "../audit/Audited.ts"
import { Tenants } from "../port/Tenants.ts"
import { Transactions } from "../port/Transactions.ts"

/** Stops serving a tenant; its data stays. */
export const archiveTenant = Effect.fn("archiveTenant")(function* (tenantId: string) {
  const archivedAt = yield* Clock.currentTimeMillis
  const unit = Effect.gen(function* () {
    yield* (yield* Tenants).archive(tenantId, archivedAt)
    yield* noteChange({ before: { archived_at: null }, after: { archived_at: archivedAt } })
  })
  yield* (yield* Transactions).atomically(tenantId, unit)
})
