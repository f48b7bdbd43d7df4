import { Effect, Layer } from "effect"
import { RateWindow } from "@leadloom/core/internal/domain/access/RateWindow"
import { RateLimits } from "@leadloom/core/internal/port/system/RateLimits"

/** The maximum number of keys that one process counts. */
export const maxCountedKeys = 100_000

/** The number of keys from which sweeps run. */
const sweepFrom = 1_024

interface Kept {
  readonly window: RateWindow
  /** The end of the window of the latest request, in epoch milliseconds. */
  endsAt: number
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
        const kept = before ?? { window: new RateWindow(), endsAt: now }
        const result = kept.window.consume(rule, now)
        if (before === undefined && keys.size >= sweepAt) sweep(now)
        kept.endsAt = (kept.window.latest ?? now) + rule.windowMillis
        // An allowed request moves its key to the end, so the keys are ordered by their last use.
        if (before !== undefined && result.allowed) keys.delete(key)
        if (before === undefined || result.allowed) keys.set(key, kept)
        return result
      })
  })
})
