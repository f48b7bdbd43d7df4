import { Clock, Context, Duration, Effect } from "effect"

/** Sleeps as long as this and longer are somebody's patience with another, milliseconds: they never end. */
const timeoutMillis = 20_000

/** A clock for what keeps to a pace: whoever sleeps moves it on at once, so that hours take as long as the work in them. */
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
