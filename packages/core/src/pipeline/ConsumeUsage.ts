import { Clock, Data, Effect } from "effect"
import { capsOf, noOverrides, type Planned } from "../limit/Plan.ts"
import { type CappedKind, usageMonth } from "../limit/Usage.ts"
import { Tenants } from "../port/Tenants.ts"
import { Usages } from "../port/Usages.ts"

/** The plan's uses of this kind are spent for this month. */
export class UsageCapReached extends Data.TaggedError("UsageCapReached")<{
  readonly kind: CappedKind
  readonly cap: number
}> {}

/** Counts one use against the plan of a tenant that has been read, or refuses it. */
export const consumeUse = Effect.fnUntraced(function* (
  tenant: Planned & { readonly tenantId: string },
  kind: CappedKind
) {
  const cap = capsOf(tenant)[kind]
  const month = usageMonth(yield* Clock.currentTimeMillis)
  const counted = yield* (yield* Usages).consume(tenant.tenantId, kind, month, cap)
  if (!counted) return yield* new UsageCapReached({ kind, cap })
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
  yield* consumeUse(tenant, kind)
})
