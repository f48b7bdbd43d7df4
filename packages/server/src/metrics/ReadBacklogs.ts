import { Backlogs } from "@leadloom/core/port/repository/pipeline/Backlogs"
import { Cause, Clock, Context, Effect, Layer } from "effect"
import { forgetBacklogs, type Meter } from "./Meter.ts"

/** Things that are counted of a queue; more are too many, whatever their number. */
export const maxCounted = 10_000

/** How long the database may take before it counts as away. */
const timeout = "5 seconds"

/** What tells how far the workers are behind, once there is a store to ask. */
export interface BacklogReader {
  /** Null: the server is not there yet. */
  read: Effect.Effect<void> | null
}

/** Sets the figures of the queues; takes them away where the store does not say, rather than repeat what was. */
const readInto = (meter: Meter) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const backlogs = yield* (yield* Backlogs).read(now, maxCounted)
    meter.storeUp({}, 1)
    for (const { due, queue, since } of backlogs) {
      meter.due({ queue }, due)
      meter.oldest({ queue }, since === null ? 0 : Math.max(0, now - since) / 1_000)
    }
  }).pipe(
    Effect.timeout(timeout),
    Effect.catchCause((cause) => {
      const forget = Effect.sync(() => forgetBacklogs(meter))
      // That the database is away others say; what is broken here nobody else would.
      return Cause.hasDies(cause)
        ? Effect.andThen(Effect.logError("The backlogs cannot be read", cause), forget)
        : forget
    })
  )

/** Lets the reader ask this store, as long as it is there. */
export const layer = (meter: Meter, reader: BacklogReader): Layer.Layer<never, never, Backlogs> =>
  Layer.effectDiscard(
    Effect.acquireRelease(
      Effect.map(Effect.context<Backlogs>(), (context) => {
        reader.read = Effect.provideContext(readInto(meter), Context.pick(Backlogs)(context))
      }),
      () =>
        Effect.sync(() => {
          reader.read = null
        })
    )
  )
