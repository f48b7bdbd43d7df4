import type { Effect } from "effect"
import { Context } from "effect"
import type { CappedKind, UsageCounts, UsageKind } from "../../../domain/billing/Plan.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** How much of its plan a tenant has used. */
export class Usages extends Context.Service<
  Usages,
  {
    /** Counts one use in a month (`YYYY-MM`, UTC) unless `cap` is reached; false: it is, and nothing was counted. */
    readonly consume: (
      tenantId: string,
      kind: CappedKind,
      month: string,
      cap: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Counts what has been used already, whatever the cap: what a model was asked for and read is known only afterwards.
     * `amount` is a whole number; none of 0 or less is counted.
     */
    readonly add: (
      tenantId: string,
      kind: UsageKind,
      month: string,
      amount: number
    ) => Effect.Effect<void, StoreUnavailable>
    /** Sets what has been used, whatever it was: 0 or more. */
    readonly set: (
      tenantId: string,
      kind: UsageKind,
      month: string,
      used: number
    ) => Effect.Effect<void, StoreUnavailable>
    /** Takes one use back that `consume` counted and that came to nothing. Never below 0. */
    readonly giveBack: (tenantId: string, kind: CappedKind, month: string) => Effect.Effect<void, StoreUnavailable>
    readonly read: (tenantId: string, month: string) => Effect.Effect<UsageCounts, StoreUnavailable>
  }
>()("core/port/repository/tenant/Usages") {}
