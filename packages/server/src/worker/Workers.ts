import { Cause, Effect, Fiber, Latch } from "effect"

/** How long a stopping server waits for what is being worked. */
export const drainSeconds = 10

/** How long a worker that broke stays away. */
const restartSeconds = 1

/** What workers ask of their queue: to take what is due, and to wait until something may be. */
export interface Queue<A, E, More extends ReadonlyArray<unknown> = []> {
  readonly claim: (limit: number, now: number, leaseUntil: number, ...more: More) => Effect.Effect<A, E>
  readonly wait: (maxWaitMillis: number) => Effect.Effect<void>
}

/**
 * A queue that can be closed: then nobody gets anything from it any more, and a worker that comes back for more is done.
 * `close` completes when all `count` workers have come back.
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

/** Waits a little after a defect, so that the work may be started over. */
export const restartOnDefect = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.catchCauseIf(
    work,
    (cause) => !Cause.hasInterruptsOnly(cause),
    (cause) =>
      Effect.andThen(
        Effect.logError("a worker broke and starts over", cause),
        Effect.sleep(`${restartSeconds} seconds`)
      )
  )

/** Starts over after a defect, which must not leave a queue without anybody. */
const restartForever = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.forever(restartOnDefect(work))

/** Runs `count` workers until the scope ends; then lets them finish what they have begun before it stops them. */
export const runWorkers = <A, E, R>(work: Effect.Effect<A, E, R>, count: number, close: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const workers = yield* Effect.replicateEffect(Effect.forkDetach(restartForever(work)), count)
    yield* Effect.addFinalizer(() =>
      Effect.andThen(Effect.timeoutOption(close, `${drainSeconds} seconds`), Fiber.interruptAll(workers))
    )
  })
