import { Clock, Data, Effect } from "effect"
import { type CountedUse, payUse } from "./PayUse.ts"
import { capsOf, noOverrides, type Planned } from "../../domain/billing/Plan.ts"
import { type CappedKind, usageMonth } from "../../domain/billing/Usage.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Usages } from "../../port/repository/tenant/Usages.ts"

/** The plan's uses of this kind are spent for this month, and no credits are left. */
export class UsageCapReached extends Data.TaggedError("UsageCapReached")<{
  readonly kind: CappedKind
  readonly cap: number
}> {}

/**
 * Counts one use against the plan of a tenant that has been read; beyond its cap, credits pay for it; else it is refused. A
 * cap of 0 is closed, also to credits.
 */
export const consumeUse = Effect.fnUntraced(function* (
  tenant: Planned & { readonly tenantId: string },
  kind: CappedKind
) {
  const cap = capsOf(tenant)[kind]
  const month = usageMonth(yield* Clock.currentTimeMillis)
  const { tenantId } = tenant
  const counted = yield* (yield* Usages).consume(tenantId, kind, month, cap)
  const paidBy = counted || cap < 1 ? null : yield* payUse(tenantId, kind, month)
  if (!counted && paidBy === null) return yield* new UsageCapReached({ kind, cap })
  return { tenantId, kind, month, paidBy } satisfies CountedUse
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
  return yield* consumeUse(tenant, kind)
})
