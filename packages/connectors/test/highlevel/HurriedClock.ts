import { Clock, Context, Duration, Effect } from "effect"

/** Sleeps from this duration on are timeouts and never end. In milliseconds. */
const timeoutMillis = 20_000

/**
 * A clock for rate-limited code: each sleep advances it immediately, so that hours pass as fast as the work in them.
 */
export const hurriedClock = (start: number): Clock.Clock => {
  let now = start
  const real = Context.get(Context.empty(), Clock.Clock)
  return {
    currentTimeMillisUnsafe: () => now,
    currentTimeMillis: Effect.sync(() => now),
    currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe(),
    currentTimeNanos: real.currentTimeNanos,
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: real.monotonicTimeNanos,
    sleep: (duration) => {
      const millis = Duration.toMillis(duration)
      if (millis >= timeoutMillis) return Effect.never
      const until = now + millis
      return Effect.map(Effect.yieldNow, () => {
        now = Math.max(now, until)
      })
    }
  }
}
