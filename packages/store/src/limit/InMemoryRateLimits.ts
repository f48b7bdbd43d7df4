import { Effect, Layer } from "effect"
import { consumeRate, type RateLimitState } from "@leadloom/core/domain/access/RateLimit"
import { RateLimits } from "@leadloom/core/port/system/RateLimits"

/** Keys that the memory of one process counts at most. */
export const maxCountedKeys = 100_000

/** Fewer keys than this are not worth looking through. */
const sweepFrom = 1_024

interface Kept {
  readonly state: RateLimitState
  /** When the last of it leaves its window. */
  readonly endsAt: number
}

/**
 * Counters of one process, which is all a single server needs. Keys whose windows are empty are swept out as the map
 * grows; at `maxCountedKeys` the tenth that has not been used for longest goes too, so that a flood of addresses costs
 * neither memory nor a sweep per request.
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
        // What was allowed goes to the end: the map stays in the order in which keys were last of use.
        if (before !== undefined && result.allowed) keys.delete(key)
        keys.set(key, { state, endsAt })
        return result
      })
  })
})
