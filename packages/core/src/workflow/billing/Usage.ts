import { Clock, Data, Effect, Struct } from "effect"
import {
  type CapOverrides,
  type CappedKind,
  type Caps,
  capsOf,
  noOverrides,
  type Plan,
  type Planned,
  type UsageCounts,
  usageMonth
} from "../../domain/billing/Plan.ts"
import type { ModelUse } from "../../domain/classification/Model.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Usages } from "../../port/repository/tenant/Usages.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { type CountedUsage, payWithCredits } from "./PayWithCredits.ts"

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
  const requested = month ?? usageMonth(yield* Clock.currentTimeMillis)
  const counts = yield* (yield* Usages).read(tenantId, requested)
  const report: UsageReport = { tenantId, plan: tenant.plan, month: requested, counts, caps: capsOf(tenant) }
  return report
})

/** What somebody sets by hand; what is not named stays. */
export interface UsageChange {
  readonly counts: Partial<UsageCounts>
  /** null takes an override back: the plan's cap holds again. */
  readonly capOverrides: Partial<CapOverrides>
}

/** What the audit trail says of a month. */
const reported = ({ caps, counts, month }: UsageReport) => ({ month, counts, caps })

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
    yield* recordAuditChange({ before: reported(before), after: reported(after) })
    return after
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
})

/** The plan's uses of this kind are spent for this month, and no credits are left. */
export class UsageCapReached extends Data.TaggedError("UsageCapReached")<{
  readonly kind: CappedKind
  readonly cap: number
}> {}

/**
 * Counts one use against the plan of a tenant that has been read; beyond its cap, credits pay for it; else it is refused. A
 * cap of 0 is closed, also to credits.
 */
export const consumeUsageOf = Effect.fnUntraced(function* (
  tenant: Planned & { readonly tenantId: string },
  kind: CappedKind
) {
  const cap = capsOf(tenant)[kind]
  const month = usageMonth(yield* Clock.currentTimeMillis)
  const { tenantId } = tenant
  const counted = yield* (yield* Usages).consume(tenantId, kind, month, cap)
  const paidBy = counted || cap < 1 ? null : yield* payWithCredits(tenantId, kind, month)
  if (!counted && paidBy === null) return yield* new UsageCapReached({ kind, cap })
  return { tenantId, kind, month, paidBy } satisfies CountedUsage
})

/**
 * Counts one use against the plan of a tenant, or refuses it. A tenant that has been archived since somebody let the
 * request in counts as one on trial.
 */
export const consumeUsage = Effect.fn("consumeUsage")(function* (tenantId: string, kind: CappedKind) {
  const tenant = yield* (yield* Tenants)
    .get(tenantId)
    .pipe(
      Effect.catchTag("TenantNotFound", () =>
        Effect.succeed({ tenantId, plan: "trial" as const, capOverrides: noOverrides })
      )
    )
  return yield* consumeUsageOf(tenant, kind)
})

/**
 * Counts what asking a model has cost, after the fact: tokens, and the calls beyond the first, which `consumeUsage` has
 * counted before it was made.
 */
export const recordModelUse = Effect.fnUntraced(function* (tenantId: string, use: ModelUse | null) {
  if (use === null) return
  const month = usageMonth(yield* Clock.currentTimeMillis)
  const usages = yield* Usages
  yield* usages.add(tenantId, "ai_calls", month, use.calls - 1)
  yield* usages.add(tenantId, "ai_input_tokens", month, use.inputTokens)
  yield* usages.add(tenantId, "ai_output_tokens", month, use.outputTokens)
})
