import { Clock, Effect, Struct } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
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
import { withSpan } from "../WithSpan.ts"

/** The usage of a tenant in one month, with the caps that apply at present. */
export interface UsageReport {
  readonly tenantId: string
  readonly plan: Plan
  /** The month as `YYYY-MM`, in UTC. */
  readonly month: string
  readonly counts: UsageCounts
  readonly caps: Caps
}

/** Reads the usage of a tenant in a month; null selects the current month. */
export const readUsage = Effect.fnUntraced(function* (tenantId: string, month: string | null) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const requested = month ?? usageMonth(yield* Clock.currentTimeMillis)
  const counts = yield* (yield* Usages).read(tenantId, requested)
  const report: UsageReport = { tenantId, plan: tenant.plan, month: requested, counts, caps: capsOf(tenant) }
  return report
}, withSpan("readUsage"))

/** A manual change of counts and caps. A missing key keeps the current value. */
export interface UsageChange {
  readonly counts: Partial<UsageCounts>
  /** The tenant's own caps. Null removes one, so that the plan's cap applies again. */
  readonly capOverrides: Partial<CapOverrides>
}

/** Returns the fields of a usage report that the audit trail records. */
const reported = ({ caps, counts, month }: UsageReport) => ({ month, counts, caps })

/** Sets counts of a tenant in a month, and the tenant's own caps. A null month selects the current one. */
export const setUsage = Effect.fnUntraced(function* (
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
}, withSpan("setUsage"))

/** The tenant has used up the plan's cap for this kind of use, and its credits do not suffice for another use. */
export class UsageCapReached extends TaggedError("UsageCapReached")<{
  readonly kind: CappedKind
  readonly cap: number
}> {}

/**
 * Counts one use against the plan of a tenant that is already loaded. Beyond the cap, credits pay for the use. Without
 * sufficient credits, fails with `UsageCapReached`. A cap of 0 disables the feature even if the tenant has credits.
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
 * Counts one use against the plan of a tenant, or fails with `UsageCapReached`. A tenant that was archived during the
 * request is treated as a trial.
 */
export const consumeUsage = Effect.fnUntraced(function* (tenantId: string, kind: CappedKind) {
  const tenant = yield* (yield* Tenants)
    .get(tenantId)
    .pipe(
      Effect.catchTag("TenantNotFound", () =>
        Effect.succeed({ tenantId, plan: "trial" as const, capOverrides: noOverrides })
      )
    )
  return yield* consumeUsageOf(tenant, kind)
}, withSpan("consumeUsage"))

/**
 * Counts the cost of a model request after the request: its tokens, and its calls beyond the first. `consumeUsage` has
 * already counted the first call.
 */
export const recordModelUse = Effect.fnUntraced(function* (tenantId: string, use: ModelUse | null) {
  if (use === null) return
  const month = usageMonth(yield* Clock.currentTimeMillis)
  const usages = yield* Usages
  yield* usages.add(tenantId, "ai_calls", month, use.calls - 1)
  yield* usages.add(tenantId, "ai_input_tokens", month, use.inputTokens)
  yield* usages.add(tenantId, "ai_output_tokens", month, use.outputTokens)
})
