import { Clock, Effect, Layer } from "effect"
import { usageMonth } from "@leadloom/core/internal/domain/billing/Plan"

const hourMillis = 3_600_000
const startedAt = Date.now()
const ahead = usageMonth(startedAt) === usageMonth(startedAt + hourMillis) ? 0 : hourMillis

/** The month of `steadyMonth`. */
export const month = usageMonth(startedAt + ahead)

/**
 * The clock of servers whose tests count per month. It shows the real time; in the last hour of a month it is one hour
 * ahead, so that no month ends during a test.
 */
export const steadyMonth: Layer.Layer<never> = Layer.effect(
  Clock.Clock,
  Effect.map(Clock.Clock, (real) => ({
    ...real,
    sleep: (duration) => real.sleep(duration),
    currentTimeMillisUnsafe: () => real.currentTimeMillisUnsafe() + ahead,
    currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe() + BigInt(ahead) * 1_000_000n,
    currentTimeMillis: Effect.map(real.currentTimeMillis, (now) => now + ahead),
    currentTimeNanos: Effect.map(real.currentTimeNanos, (now) => now + BigInt(ahead) * 1_000_000n)
  }))
)

/** Gives a server the clock `steadyMonth`. */
export const onSteadyMonth = <A, E>(services: Layer.Layer<A, E>): Layer.Layer<A, E> =>
  Layer.provideMerge(steadyMonth, services)
