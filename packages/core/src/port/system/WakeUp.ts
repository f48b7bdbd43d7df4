import { Effect, Latch, type Scope } from "effect"

/** Wakes a worker that waits for work. */
export interface WakeUp {
  readonly wake: () => void
  /**
   * Waits for the next call of `wake`, at most `maxWaitMillis`. Returns immediately when `wake` was called since the
   * previous `wait` returned.
   */
  readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
}

/**
 * Creates a wake-up. A call of `wake` while the worker is busy is not lost, because it lasts until the next `wait`.
 * After `wait`, the caller must check for work again.
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

/** Wake-ups for any number of watchers. Each watcher receives every wake-up of its tenant. */
export interface Watchers {
  /** Wakes the watchers of a tenant. Null stands for an unknown tenant and wakes all watchers. */
  readonly wake: (tenantId: string | null) => void
  /** Watches one tenant, or all tenants if `tenantId` is null, until the scope closes. */
  readonly watch: (tenantId: string | null) => Effect.Effect<WakeUp["wait"], never, Scope.Scope>
}

/** Creates the watchers of a process. */
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
