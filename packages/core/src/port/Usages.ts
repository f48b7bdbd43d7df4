import { Context, Effect, Layer } from "effect"
import type { UsageKind } from "../limit/Usage.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import { keyOf, MemoryState } from "./MemoryState.ts"

/** How much of its plan a tenant has used. */
export class Usages extends Context.Service<
  Usages,
  {
    /** Counts one use in a month (`YYYY-MM`, UTC) unless `cap` is reached; false: it is, and nothing was counted. */
    readonly consume: (
      tenantId: string,
      kind: UsageKind,
      month: string,
      cap: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    readonly read: (
      tenantId: string,
      month: string
    ) => Effect.Effect<Readonly<Record<UsageKind, number>>, StoreUnavailable>
  }
>()("core/port/Usages") {
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
        read: (tenantId, month) =>
          Effect.sync(() => ({
            actions: read(tenantId, "actions", month),
            ai_calls: read(tenantId, "ai_calls", month)
          }))
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
