import { Clock, Data, Effect } from "effect"
import { type CappedKind, trialCaps, usageMonth } from "../limit/Usage.ts"
import { Usages } from "../port/Usages.ts"

/** The plan's uses of this kind are spent for this month. */
export class UsageCapReached extends Data.TaggedError("UsageCapReached")<{
  readonly kind: CappedKind
  readonly cap: number
}> {}

/** Counts one use against the plan of a tenant, or refuses it. */
export const consumeUsage = Effect.fn("consumeUsage")(function* (tenantId: string, kind: CappedKind) {
  const cap = trialCaps[kind]
  const month = usageMonth(yield* Clock.currentTimeMillis)
  const counted = yield* (yield* Usages).consume(tenantId, kind, month, cap)
  if (!counted) return yield* new UsageCapReached({ kind, cap })
})
