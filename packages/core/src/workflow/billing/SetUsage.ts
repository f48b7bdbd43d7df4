import { Effect, Struct } from "effect"
import { noteChange } from "../access/Audited.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { Usages } from "../../port/repository/tenant/Usages.ts"
import type { CapOverrides } from "../../domain/billing/Plan.ts"
import { readUsage, type UsageReport } from "./ReadUsage.ts"
import type { UsageCounts } from "../../domain/billing/Usage.ts"

/** What somebody sets by hand; what is not named stays. */
export interface UsageChange {
  readonly counts: Partial<UsageCounts>
  /** null takes an override back: the plan's cap holds again. */
  readonly capOverrides: Partial<CapOverrides>
}

/** What the audit trail says of a month. */
const told = ({ caps, counts, month }: UsageReport) => ({ month, counts, caps })

/** Sets what a tenant has used in a month (null: this one) and the caps that are its own. */
export const setUsage = Effect.fn("setUsage")(function* (
  tenantId: string,
  month: string | null,
  { capOverrides, counts }: UsageChange
) {
  const tenants = yield* Tenants
  const usages = yield* Usages
  const unit = Effect.gen(function* () {
    const before = yield* readUsage(tenantId, month)
    const tenant = yield* tenants.get(tenantId)
    yield* tenants.update({ ...tenant, capOverrides: { ...tenant.capOverrides, ...capOverrides } })
    for (const kind of Struct.keys(counts)) yield* usages.set(tenantId, kind, before.month, counts[kind] ?? 0)
    const after = yield* readUsage(tenantId, before.month)
    yield* noteChange({ before: told(before), after: told(after) })
    return after
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
})
