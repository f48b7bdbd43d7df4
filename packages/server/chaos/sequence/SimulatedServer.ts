/**
 * A server whose clock the chaos command sets over the channel between the processes. The start time is in
 * `TEST_CLOCK_TIME`. The skew is the difference between this clock and the clock of the simulation; it can be negative.
 */
import { Effect } from "effect"
import { serve } from "../../src/main.ts"
import { makeMovableClock } from "../../src/startup/MovableClock.ts"

/** The variable with the time at the start, in epoch milliseconds. */
export const timeVariable = "TEST_CLOCK_TIME"

/** A change of the clock. Times are in epoch milliseconds. */
export interface ClockChange {
  readonly now: number
  readonly skewMillis: number
}

const isChange = (message: unknown): message is ClockChange =>
  typeof message === "object" && message !== null && "now" in message && "skewMillis" in message

if (import.meta.main) {
  const { clock, moveTo, now: trueTime } = makeMovableClock(Number(process.env[timeVariable]))
  let skew = 0
  const now = (): number => trueTime() + skew
  process.on("message", (message: unknown) => {
    if (!isChange(message)) return
    skew = message.skewMillis
    moveTo(message.now)
    process.send?.("moved")
  })
  // The command has ended.
  process.on("disconnect", () => process.exit(1))
  process.exitCode = await serve(process.env, {
    clock: {
      ...clock,
      sleep: (duration) => clock.sleep(duration),
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now)
    }
  })
  process.disconnect()
}
