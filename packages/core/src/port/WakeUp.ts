import { Effect, Latch } from "effect"

/** Tells those who wait for work that there may be some. */
export interface WakeUp {
  readonly wake: () => void
  /** Completes at once when `wake` was called since somebody last came through here, else when it is, or in time. */
  readonly wait: (atMostMillis: number) => Effect.Effect<void>
}

/**
 * A wake-up that is not lost between two looks for work: it stays until somebody who waits has taken it, and who takes
 * it looks again afterwards.
 */
export const makeWakeUp = (): WakeUp => {
  const due = Latch.makeUnsafe(false)
  return {
    wake: () => void due.openUnsafe(),
    wait: (atMostMillis) =>
      due.await.pipe(
        Effect.andThen(Effect.sync(() => void due.closeUnsafe())),
        Effect.timeoutOption(atMostMillis),
        Effect.asVoid
      )
  }
}
