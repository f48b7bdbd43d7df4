import { Clock, Context, Duration, Effect } from "effect"

/** A clock for simulations: the real time plus an offset. Sleeps take real time. */
export interface MovableClock {
  readonly clock: Clock.Clock
  /** Returns the current time of the clock, in epoch milliseconds. */
  readonly now: () => number
  /** Advances the clock to a time in epoch milliseconds, never backwards. Wakes workers that wait for work. */
  readonly moveTo: (time: number) => void
}

/**
 * The maximum length of a sleep that counts as the pause of a polling worker. Advancing the clock ends such a sleep.
 */
const idleMillis = 1_000

/** Creates a clock that starts at a time in epoch milliseconds, by default at the real time. */
export const makeMovableClock = (start = Date.now()): MovableClock => {
  let offset = start - Date.now()
  const idle = new Set<() => void>()
  const real = Context.get(Context.empty(), Clock.Clock)
  const now = (): number => Date.now() + offset
  const nanos = (): bigint => real.currentTimeNanosUnsafe() + BigInt(offset) * 1_000_000n
  const doze = (millis: number): Effect.Effect<void> =>
    Effect.callback((resume) => {
      const wake = (): void => {
        clearTimeout(timer)
        idle.delete(wake)
        resume(Effect.void)
      }
      const timer = setTimeout(wake, millis)
      idle.add(wake)
      return Effect.sync(() => {
        clearTimeout(timer)
        idle.delete(wake)
      })
    })
  return {
    now,
    moveTo: (time) => {
      offset = Math.max(offset, time - Date.now())
      // The loop uses a copy, because a worker that wakes may sleep again and change the set.
      const asleep = [...idle]
      for (const wake of asleep) wake()
    },
    clock: {
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: real.monotonicTimeNanos,
      sleep: (duration) => {
        const millis = Duration.toMillis(duration)
        return millis > 0 && millis <= idleMillis ? doze(millis) : real.sleep(duration)
      }
    }
  }
}
