import { Effect, Latch, type Scope } from "effect"

/** Tells those who wait for work that there may be some. */
export interface WakeUp {
  readonly wake: () => void
  /** Completes at once when `wake` was called since somebody last came through here, else when it is, or in time. */
  readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
}

/**
 * A wake-up that is not lost between two looks for work: it stays until somebody who waits has taken it, and who takes
 * it looks again afterwards.
 */
export const makeWakeUp = (): WakeUp => {
  const due = Latch.makeUnsafe(false)
  return {
    wake: () => void due.openUnsafe(),
    wait: (maxWaitMillis) =>
      due.await.pipe(
        Effect.andThen(Effect.sync(() => void due.closeUnsafe())),
        Effect.timeoutOption(maxWaitMillis),
        Effect.asVoid
      )
  }
}

/** Wake-ups for as many as want to know, each of whom misses none. */
export interface Watchers {
  /** Something happened in a tenant; null: nobody knows in which. */
  readonly wake: (tenantId: string | null) => void
  /** Watches one tenant, or all for null, until the scope ends. */
  readonly watch: (tenantId: string | null) => Effect.Effect<WakeUp["wait"], never, Scope.Scope>
}

/** See `Watchers`. */
export const makeWatchers = (): Watchers => {
  const watching = new Map<WakeUp, string | null>()
  return {
    wake: (tenantId) => {
      for (const [watcher, whose] of watching) {
        if (tenantId === null || whose === null || whose === tenantId) watcher.wake()
      }
    },
    watch: (tenantId) =>
      Effect.map(
        Effect.acquireRelease(
          Effect.sync(() => {
            const watcher = makeWakeUp()
            watching.set(watcher, tenantId)
            return watcher
          }),
          (watcher) => Effect.sync(() => void watching.delete(watcher))
        ),
        ({ wait }) => wait
      )
  }
}
