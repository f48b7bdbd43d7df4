import { Context, Effect, Layer } from "effect"
import type { CappedKind, UsageCounts, UsageKind } from "../../domain/billing/Usage.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { keyOf, MemoryState } from "../../memory/MemoryState.ts"

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
>()("core/port/repository/Usages") {
  static readonly layerMemory: Layer.Layer<Usages> = Layer.effect(
    Usages,
    Effect.map(MemoryState, (state) => {
      const read = (tenantId: string, kind: UsageKind, month: string): number =>
        state.usages.get(keyOf(tenantId, kind, month)) ?? 0
      return Usages.of({
        consume: (tenantId, kind, month, cap) =>
          Effect.sync(() => {
            const used = read(tenantId, kind, month)
            if (used >= cap) return false
            state.usages.set(keyOf(tenantId, kind, month), used + 1)
            return true
          }),
        add: (tenantId, kind, month, amount) =>
          Effect.sync(() => {
            if (amount > 0) state.usages.set(keyOf(tenantId, kind, month), read(tenantId, kind, month) + amount)
          }),
        set: (tenantId, kind, month, used) =>
          Effect.sync(() => void state.usages.set(keyOf(tenantId, kind, month), used)),
        giveBack: (tenantId, kind, month) =>
          Effect.sync(() => {
            const used = read(tenantId, kind, month)
            if (used > 0) state.usages.set(keyOf(tenantId, kind, month), used - 1)
          }),
        read: (tenantId, month) =>
          Effect.sync(() => ({
            actions: read(tenantId, "actions", month),
            ai_calls: read(tenantId, "ai_calls", month),
            ai_input_tokens: read(tenantId, "ai_input_tokens", month),
            ai_output_tokens: read(tenantId, "ai_output_tokens", month)
          }))
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
