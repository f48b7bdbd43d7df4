import { Context, Effect, Layer } from "effect"
import { keyOf, MemoryState } from "../../memory/MemoryState.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"

/** What providers have told already, so that nothing follows twice from what they tell again. */
export class Notices extends Context.Service<
  Notices,
  {
    /**
     * Notes that a provider told something under an id of its own, at `now` (epoch milliseconds). False: it has been told
     * before. Called in the unit of work that writes what follows from it.
     */
    readonly take: (
      tenantId: string,
      provider: string,
      noticeId: string,
      now: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Forgets up to `limit` notices of a tenant that came before a time; answers how many. */
    readonly expire: (tenantId: string, before: number, limit: number) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/Notices") {
  static readonly layerMemory: Layer.Layer<Notices> = Layer.effect(
    Notices,
    Effect.map(MemoryState, ({ notices }) =>
      Notices.of({
        take: (tenantId, provider, noticeId, now) =>
          Effect.sync(() => {
            const key = keyOf(tenantId, provider, noticeId)
            if (notices.has(key)) return false
            notices.set(key, { tenantId, receivedAt: now })
            return true
          }),
        expire: (tenantId, before, limit) =>
          Effect.sync(() => {
            const old = [...notices].filter(([, one]) => one.tenantId === tenantId && one.receivedAt < before)
            const oldest = old.toSorted(([, one], [, other]) => one.receivedAt - other.receivedAt).slice(0, limit)
            for (const [key] of oldest) notices.delete(key)
            return oldest.length
          })
      })
    )
  ).pipe(Layer.provide(MemoryState.layer))
}
