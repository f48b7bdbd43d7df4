import { Clock, Effect } from "effect"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Usages } from "../../port/repository/tenant/Usages.ts"
import { type Caps, capsOf, type Plan } from "../../domain/billing/Plan.ts"
import { type UsageCounts, usageMonth } from "../../domain/billing/Usage.ts"

/** How much of its plan a tenant has used in one month. The caps are those that hold now. */
export interface UsageReport {
  readonly tenantId: string
  readonly plan: Plan
  /** `YYYY-MM`, UTC. */
  readonly month: string
  readonly counts: UsageCounts
  readonly caps: Caps
}

/** Reads what a tenant has used in a month; null: in this one. */
export const readUsage = Effect.fn("readUsage")(function* (tenantId: string, month: string | null) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const asked = month ?? usageMonth(yield* Clock.currentTimeMillis)
  const counts = yield* (yield* Usages).read(tenantId, asked)
  const report: UsageReport = { tenantId, plan: tenant.plan, month: asked, counts, caps: capsOf(tenant) }
  return report
})
