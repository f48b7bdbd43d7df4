import { MailboxSyncs } from "@leadloom/core/internal/port/repository/conversation/MailboxSyncs"
import { Backlogs } from "@leadloom/core/internal/port/repository/pipeline/Backlogs"
import { Cause, Clock, Context, Effect, Layer } from "effect"
import { forgetBacklogs, type Meter } from "./Meter.ts"
import { log } from "../LogEvents.ts"

/** The maximum number of entries that are counted per queue. A higher number would give no further information. */
export const maxCounted = 10_000

/** The time after which the database counts as unavailable. */
const timeout = "5 seconds"

/** Reads the backlogs once a store is available. */
export interface BacklogReader {
  /** Reads the backlogs; null while the store is not available yet. */
  read: Effect.Effect<void> | null
}

/** Sets the backlog series. If the store does not answer, removes the series, so that no outdated value is reported. */
const readInto = (meter: Meter) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const backlogs = yield* (yield* Backlogs).read(now, maxCounted)
    const { failing, oldestSyncAt } = yield* (yield* MailboxSyncs).totals
    meter.storeUp({}, 1)
    meter.mailboxesFailing({}, failing)
    meter.mailboxLag({}, oldestSyncAt === null ? 0 : Math.max(0, now - oldestSyncAt) / 1_000)
    for (const { due, queue, since } of backlogs) {
      meter.due({ queue }, due)
      meter.oldest({ queue }, since === null ? 0 : Math.max(0, now - since) / 1_000)
    }
  }).pipe(
    Effect.timeout(timeout),
    Effect.catchCause((cause) => {
      const forget = Effect.sync(() => forgetBacklogs(meter))
      // Only defects are logged here, because other code already logs an outage of the database.
      return Cause.hasDies(cause) ? Effect.andThen(log("backlogs.failed", {}, cause), forget) : forget
    })
  )

/** Connects the reader to the store while the store is open. */
export const layer = (meter: Meter, reader: BacklogReader): Layer.Layer<never, never, Backlogs | MailboxSyncs> =>
  Layer.effectDiscard(
    Effect.acquireRelease(
      Effect.map(Effect.context<Backlogs | MailboxSyncs>(), (context) => {
        reader.read = Effect.provideContext(readInto(meter), Context.pick(Backlogs, MailboxSyncs)(context))
      }),
      () =>
        Effect.sync(() => {
          reader.read = null
        })
    )
  )
