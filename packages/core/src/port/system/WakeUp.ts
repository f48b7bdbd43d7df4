import { Effect, Latch, type Scope } from "effect"

/** Wakes workers that wait for work. */
export interface WakeUp {
  readonly wake: () => void
  /**
   * Waits for the next `wake`, at most `maxWaitMillis`. Completes immediately when `wake` was called since the previous
   * `wait` completed.
   */
  readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
}

/**
 * Creates a wake-up that is not lost while a worker is busy: it persists until the next `wait`. After `wait`, the
 * caller checks for work again.
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

/** Wake-ups for any number of watchers. Each watcher receives every wake-up. */
export interface Watchers {
  /** Announces a change in a tenant. Null means an unknown tenant. */
  readonly wake: (tenantId: string | null) => void
  /** Watches one tenant, or all for null, until the scope closes. */
  readonly watch: (tenantId: string | null) => Effect.Effect<WakeUp["wait"], never, Scope.Scope>
}

/** Creates the watchers of a process. See `Watchers`. */
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
