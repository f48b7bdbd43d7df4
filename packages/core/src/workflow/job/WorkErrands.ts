import { Cause, Clock, Effect } from "effect"
import { backoffMillis } from "../../domain/time/Retry.ts"
import { Errands } from "../../port/repository/webhook/Errands.ts"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import { workForever } from "../worker/WorkForever.ts"
import { type ErrandOutcome, errandLeaseMillis, type QueuedErrand } from "../../domain/job/Errand.ts"

/** Errands taken at once, and done beside each other. */
const batch = 8

/** Does one errand and says what becomes of it. */
export type RunErrand<R> = (queued: QueuedErrand) => Effect.Effect<ErrandOutcome, StoreUnavailable, R>

const settle = Effect.fnUntraced(function* (queued: QueuedErrand, outcome: ErrandOutcome) {
  const errands = yield* Errands
  switch (outcome._tag) {
    case "Done":
      return yield* errands.finish(queued)
    case "Later":
      return yield* errands.release(queued, outcome.dueAt, outcome.errand, outcome.reason)
    case "Again": {
      const dueAt = (yield* Clock.currentTimeMillis) + backoffMillis(outcome.asAfter ?? queued.attempts)
      return yield* errands.release(queued, dueAt, queued.errand, outcome.reason.slice(0, 500))
    }
  }
})

const work = <R>(queued: QueuedErrand, run: RunErrand<R>) =>
  run(queued).pipe(
    Effect.flatMap((outcome) => settle(queued, outcome)),
    Effect.asVoid,
    // Whatever broke, the lease ends and somebody looks at it again.
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.annotateLogs(Effect.logError("An errand broke", cause), { attempts: queued.attempts })
    ),
    // The event-loop watchdog reads the tenant from here.
    Effect.annotateLogs({ tenant: queued.tenantId, errand: queued.errandId })
  )

/** Takes what is due and does it; answers how many errands that were. */
export const workDueErrands = Effect.fnUntraced(function* <R>(run: RunErrand<R>) {
  const now = yield* Clock.currentTimeMillis
  const due = yield* (yield* Errands).claim(batch, now, now + errandLeaseMillis)
  yield* Effect.forEach(due, (queued) => work(queued, run), { concurrency: batch, discard: true })
  return due.length
})

/** Does errands for ever. Interrupting it is safe at any time: what was not finished comes back with its lease. */
export const workErrands = <R>(run: RunErrand<R>) =>
  workForever(workDueErrands(run), (millis) => Effect.flatMap(Errands, (errands) => errands.wait(millis)))
