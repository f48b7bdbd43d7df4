import { Effect, Layer } from "effect"
import { consumeRate, type RateLimitState } from "@leadloom/core/internal/domain/access/RateLimit"
import { RateLimits } from "@leadloom/core/internal/port/system/RateLimits"

/** The maximum number of keys that one process counts. */
export const maxCountedKeys = 100_000

/** The number of keys from which sweeps run. */
const sweepFrom = 1_024

interface Kept {
  readonly state: RateLimitState
  /** The end of the window of the latest request, in epoch milliseconds. */
  readonly endsAt: number
}

/**
 * Counters in the memory of one process, for a deployment with a single server. A sweep runs when the number of keys
 * has doubled since the last sweep, so its cost per request is small. The sweep removes the keys whose window has
 * ended. At `maxCountedKeys`, it also removes the tenth of the keys that was used least recently. The memory therefore
 * stays limited, even with requests from many addresses.
 */
export const inMemoryRateLimits: Layer.Layer<RateLimits> = Layer.sync(RateLimits, () => {
  const keys = new Map<string, Kept>()
  let sweepAt = sweepFrom
  const sweep = (now: number): void => {
    for (const [key, { endsAt }] of keys) if (now >= endsAt) keys.delete(key)
    const kept = keys.size < maxCountedKeys ? maxCountedKeys : maxCountedKeys * 0.9
    for (const key of keys.keys()) {
      if (keys.size <= kept) break
      keys.delete(key)
    }
    sweepAt = Math.min(maxCountedKeys, Math.max(sweepFrom, keys.size * 2))
  }
  return RateLimits.of({
    consume: (tenantId, name, rule, now) =>
      Effect.sync(() => {
        const key = JSON.stringify([tenantId ?? "", name])
        const before = keys.get(key)
        const { state, result } = consumeRate(before?.state ?? [], rule, now)
        if (before === undefined && keys.size >= sweepAt) sweep(now)
        const endsAt = (state.at(-1)?.at ?? now) + rule.windowMillis
        // An allowed request moves its key to the end, so the keys are ordered by their last use.
        if (before !== undefined && result.allowed) keys.delete(key)
        keys.set(key, { state, endsAt })
        return result
      })
  })
})
