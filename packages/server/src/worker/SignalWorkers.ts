import { workSignals } from "@leadloom/core/pipeline/WorkSignals"
import { Signals } from "@leadloom/core/port/Signals"
import { Cause, Effect, Fiber, Latch, Layer } from "effect"

/** Workers beside each other: one can compute while another waits for its commit. */
export const workerCount = 2

/** How long a stopping server waits for the signals that are being worked. */
const drainSeconds = 10

/** How long a worker that broke stays away. */
const restartSeconds = 1

/** Starts over after a defect, which must not leave the queue without anybody. */
const persistent = Effect.forever(
  Effect.catchCauseIf(
    workSignals,
    (cause) => !Cause.hasInterruptsOnly(cause),
    (cause) =>
      Effect.andThen(
        Effect.logError("a worker broke and starts over", cause),
        Effect.sleep(`${restartSeconds} seconds`)
      )
  )
)

/**
 * The queue as the workers see it: once it is closed nobody gets a signal any more, and a worker that comes back for one
 * is done. `drained` completes when all of them have come back.
 */
const closable = Effect.gen(function* () {
  const signals = yield* Signals
  const closing = yield* Latch.make(false)
  const drained = yield* Latch.make(false)
  let closed = false
  let back = 0
  const come = Effect.suspend(() => {
    back += 1
    return back >= workerCount ? drained.open : Effect.void
  })
  return {
    queue: Signals.of({
      ...signals,
      claim: (limit, now, leaseUntil) =>
        closed ? Effect.andThen(come, Effect.never) : signals.claim(limit, now, leaseUntil),
      wait: (atMostMillis) => Effect.raceFirst(signals.wait(atMostMillis), closing.await)
    }),
    close: Effect.suspend(() => {
      closed = true
      return Effect.andThen(closing.open, drained.await)
    })
  }
})

/** Works the queue of signals as long as the server runs; at its end lets the workers finish what they have begun. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { close, queue } = yield* closable
    const worker = Effect.forkDetach(Effect.provideService(persistent, Signals, queue))
    const workers = yield* Effect.replicateEffect(worker, workerCount)
    yield* Effect.addFinalizer(() =>
      Effect.andThen(Effect.timeoutOption(close, `${drainSeconds} seconds`), Fiber.interruptAll(workers))
    )
  })
)
