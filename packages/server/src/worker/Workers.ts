/**
 * Background workers of the process, one file per queue. The work itself belongs in `packages/core/src/workflow`.
 * Tests: `packages/server/test/worker`.
 */

import { Cause, Effect, Fiber, Latch } from "effect"

/** Time that a stopping server waits for running work. */
export const drainSeconds = 10

/** Pause of a worker after a defect. */
const restartSeconds = 1

/** The operations of a queue that workers need: they claim due work, and wait for new work. */
export interface Queue<A, E, More extends ReadonlyArray<unknown> = []> {
  readonly claim: (limit: number, now: number, leaseUntil: number, ...more: More) => Effect.Effect<A, E>
  readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
}

/**
 * Returns a queue that can be closed. A closed queue returns no work, and a worker that claims more counts as finished.
 * `close` completes when all `count` workers have finished.
 */
export const closableQueue = <A, E, More extends ReadonlyArray<unknown> = []>(
  queue: Queue<A, E, More>,
  count: number
) =>
  Effect.gen(function* () {
    const closing = yield* Latch.make(false)
    const drained = yield* Latch.make(false)
    let closed = false
    let returned = 0
    const workerReturned = Effect.suspend(() => {
      returned += 1
      return returned >= count ? drained.open : Effect.void
    })
    const claim = (limit: number, now: number, leaseUntil: number, ...more: More): Effect.Effect<A, E> =>
      closed ? Effect.andThen(workerReturned, Effect.never) : queue.claim(limit, now, leaseUntil, ...more)
    return {
      claim,
      wait: (maxWaitMillis: number) => Effect.raceFirst(queue.wait(maxWaitMillis), closing.await),
      close: Effect.suspend(() => {
        closed = true
        return Effect.andThen(closing.open, drained.await)
      })
    }
  })

/** Logs a defect and waits, so that the caller can start the work again. */
export const restartOnDefect = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.catchCauseIf(
    work,
    (cause) => !Cause.hasInterruptsOnly(cause),
    (cause) =>
      Effect.andThen(Effect.logError("a worker failed and restarts", cause), Effect.sleep(`${restartSeconds} seconds`))
  )

/** Restarts work after every defect, so that the queue always has a worker. */
const restartForever = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.forever(restartOnDefect(work))

/** Runs `count` workers until the scope ends. Then it waits for their current work before it interrupts them. */
export const runWorkers = <A, E, R>(work: Effect.Effect<A, E, R>, count: number, close: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const workers = yield* Effect.replicateEffect(Effect.forkDetach(restartForever(work)), count)
    yield* Effect.addFinalizer(() =>
      Effect.andThen(Effect.timeoutOption(close, `${drainSeconds} seconds`), Fiber.interruptAll(workers))
    )
  })
