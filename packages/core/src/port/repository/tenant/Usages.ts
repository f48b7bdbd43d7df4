import type { Effect } from "effect"
import { Context } from "effect"
import type { CappedKind, UsageCounts, UsageKind } from "../../../domain/billing/Plan.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The usage counters of tenants. */
export class Usages extends Context.Service<
  Usages,
  {
    /**
     * Counts one use in a month (`YYYY-MM`, UTC). Returns false, without counting, when the count has already reached
     * `cap`.
     */
    readonly consume: (
      tenantId: string,
      kind: CappedKind,
      month: string,
      cap: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Adds use that has already happened, regardless of the cap. For example, the tokens of a model request are known
     * only after the request. `amount` is a whole number. 0 and negative numbers are ignored.
     */
    readonly add: (
      tenantId: string,
      kind: UsageKind,
      month: string,
      amount: number
    ) => Effect.Effect<void, StoreUnavailable>
    /** Sets a counter to a value of 0 or more. */
    readonly set: (
      tenantId: string,
      kind: UsageKind,
      month: string,
      used: number
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Reverts one use that `consume` has counted, because the use had no effect. The counter never becomes negative.
     */
    readonly giveBack: (tenantId: string, kind: CappedKind, month: string) => Effect.Effect<void, StoreUnavailable>
    readonly read: (tenantId: string, month: string) => Effect.Effect<UsageCounts, StoreUnavailable>
  }
>()("core/port/repository/tenant/Usages") {}
