import { type Context, Effect, type Exit, Fiber } from "effect"

/**
 * Runs an effect for so long by the clock of the machine, then interrupts it. A database that vanishes without a word
 * (a machine that loses its power, a network that swallows packets) would keep its callers waiting for a quarter of an
 * hour otherwise, which is how long the kernel goes on sending.
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
