import { Clock, Context, Duration, Effect } from "effect"

/** A clock that shows the real time and what it was moved on by: for simulations. Sleeps take as long as they do. */
export interface MovableClock {
  readonly clock: Clock.Clock
  /** What it shows, epoch milliseconds. */
  readonly now: () => number
  /** Moves it on to a time, epoch milliseconds, never back, and wakes workers that wait for work. */
  readonly moveTo: (time: number) => void
}

/** Sleeps that are no longer are those of workers who look whether something is due; a move of the clock ends them. */
const idleMillis = 1_000

/** A clock that shows the real time until it is moved. */
export const makeMovableClock = (): MovableClock => {
  let offset = 0
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
      // Who is woken may go back to sleep at once.
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
