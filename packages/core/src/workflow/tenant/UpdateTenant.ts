import { Effect } from "effect"
import { noteChange } from "../access/Audited.ts"
import type { Plan } from "../../domain/billing/Plan.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"

/** What the operator changes of a tenant; what is not named stays. */
export interface TenantChange {
  readonly name?: string
  readonly plan?: Plan
}

const toldOf = ({ name, plan }: Tenant) => ({ name, plan })

/** Changes the name or the plan of a tenant. What is used of the month stays used. */
export const updateTenant = Effect.fn("updateTenant")(function* (tenantId: string, change: TenantChange) {
  const tenants = yield* Tenants
  const unit = Effect.gen(function* () {
    const before = yield* tenants.get(tenantId)
    const changed: Tenant = { ...before, ...change }
    yield* tenants.update(changed)
    yield* noteChange({ before: toldOf(before), after: toldOf(changed) })
    return changed
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
})
