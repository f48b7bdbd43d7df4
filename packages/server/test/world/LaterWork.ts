import { Clock, Effect } from "effect"

/** Runs an effect whose clock is ahead by a time in milliseconds. */
export const runLater = <A, E, R>(millis: number, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() + millis
    const currentTimeNanosUnsafe = () => clock.currentTimeNanosUnsafe() + BigInt(millis) * 1_000_000n
    const later: Clock.Clock = {
      currentTimeMillisUnsafe,
      currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
      currentTimeNanosUnsafe,
      currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => clock.sleep(duration)
    }
    return yield* Effect.provideService(effect, Clock.Clock, later)
  })
