import { Context, Effect, Layer } from "effect"
import { consumeRate, type RateLimitResult, type RateLimitRule, type RateLimitState } from "../limit/RateLimit.ts"
import { keyOf } from "./MemoryState.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Keys that the memory of one process counts at most. */
export const keysKept = 100_000

/** Fewer keys than this are not worth looking through. */
const sweepFrom = 1_024

interface Window {
  readonly state: RateLimitState
  readonly endsAt: number
}

/** Counters of the request limiters. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /**
     * Counts one request against a key of a tenant, for example `admin:key_01…`, at `now` (epoch milliseconds). What
     * belongs to no tenant, as the operator or an address, has null. A window never allows more than its rule, however
     * many ask at once and wherever: servers that share a store share the counters.
     */
    readonly consume: (
      tenantId: string | null,
      key: string,
      rule: RateLimitRule,
      now: number
    ) => Effect.Effect<RateLimitResult, StoreUnavailable>
  }
>()("core/port/RateLimits") {
  /**
   * Counters of one process, which is all a single server needs. Finished windows are swept out as the map grows; at
   * `keysKept` the oldest tenth goes too, so that a flood of addresses costs neither memory nor a sweep per request.
   */
  static readonly layerMemory: Layer.Layer<RateLimits> = Layer.sync(RateLimits, () => {
    const windows = new Map<string, Window>()
    let sweepAt = sweepFrom
    const sweep = (now: number): void => {
      for (const [key, { endsAt }] of windows) if (now >= endsAt) windows.delete(key)
      const kept = windows.size < keysKept ? keysKept : keysKept * 0.9
      for (const key of windows.keys()) {
        if (windows.size <= kept) break
        windows.delete(key)
      }
      sweepAt = Math.min(keysKept, Math.max(sweepFrom, windows.size * 2))
    }
    return RateLimits.of({
      consume: (tenantId, name, rule, now) =>
        Effect.sync(() => {
          const key = keyOf(tenantId ?? "", name)
          const before = windows.get(key)
          const { state, result } = consumeRate(before?.state, rule, now)
          if (before === undefined && windows.size >= sweepAt) sweep(now)
          // A new window goes to the end: the map stays in the order in which windows began.
          if (before !== undefined && before.state.startedAt !== state.startedAt) windows.delete(key)
          windows.set(key, { state, endsAt: state.startedAt + rule.windowMillis })
          return result
        })
    })
  })
}
