import { Context, Effect, Layer } from "effect"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { keyOf, MemoryState } from "../../memory/MemoryState.ts"

/** Which calls of the CRM's workflows came lately. They have no id, so they are known by what they say. */
export class CrmCalls extends Context.Service<
  CrmCalls,
  {
    /**
     * When this very call came first, epoch milliseconds: `now`, unless it came before and after `since` already. Calls of
     * the tenant from before `since` are forgotten.
     */
    readonly firstAt: (
      tenantId: string,
      callKey: string,
      now: number,
      since: number
    ) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/CrmCalls") {
  static readonly layerMemory: Layer.Layer<CrmCalls> = Layer.effect(
    CrmCalls,
    Effect.map(MemoryState, ({ crmCalls }) =>
      CrmCalls.of({
        firstAt: (tenantId, callKey, now, since) =>
          Effect.sync(() => {
            for (const [key, call] of crmCalls)
              if (call.tenantId === tenantId && call.firstAt <= since) crmCalls.delete(key)
            const key = keyOf(tenantId, callKey)
            const firstAt = crmCalls.get(key)?.firstAt ?? now
            crmCalls.set(key, { tenantId, firstAt })
            return firstAt
          })
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}
