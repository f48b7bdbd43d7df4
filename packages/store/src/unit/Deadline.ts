import { type Context, Effect, type Exit, Fiber } from "effect"

/**
 * Runs an effect and interrupts it after a time by the system clock. If the database is lost (a power failure, a
 * network that drops packets), the kernel sends packets again for a quarter of an hour. Without the deadline, callers
 * would wait for this time.
 */
export const withDeadline = <A, E, R>(
  millis: number,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<Exit.Exit<A, E>, never, R> =>
  Effect.contextWith((context: Context.Context<R>) =>
    Effect.callback<Exit.Exit<A, E>>((resume) => {
      const fiber = Effect.runForkWith(context)(effect)
      const timer = setTimeout(() => fiber.interruptUnsafe(), millis)
      fiber.addObserver((exit) => {
        clearTimeout(timer)
        resume(Effect.succeed(exit))
      })
      return Fiber.interrupt(fiber)
    })
  )
