import { Cause, Clock, Effect } from "effect"
import { Sends } from "../port/Sends.ts"
import { handOver, settleUnknown } from "./HandOver.ts"
import { type Reservation, sendLeaseMillis } from "./Reservation.ts"

/** Sends taken at once, and handed over beside each other. */
const batch = 8

/** How long to sleep when nothing is due; a new send wakes the worker at once. */
const idleMillis = 1_000

/** How long to wait when the store does not answer. */
const outageMillis = 1_000

/** Carries one send to its end or to its next attempt. What was on its way when its server died is not sent again. */
const work = (send: Reservation) =>
  (send.state === "handed_over"
    ? settleUnknown(send, "its server stopped while it was being handed over")
    : handOver(send, "by nobody")
  ).pipe(
    Effect.asVoid,
    // Whatever broke, the lease ends and somebody looks at it again.
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.logError("An email could not be worked", cause).pipe(
            Effect.annotateLogs({ tenant: send.tenantId, message: send.messageId, attempts: send.attempts })
          )
    )
  )

/** Takes what is due and carries it on; answers how many sends that were. */
export const workDueSends = Effect.fnUntraced(function* () {
  const now = yield* Clock.currentTimeMillis
  const due = yield* (yield* Sends).claim(batch, now, now + sendLeaseMillis)
  yield* Effect.forEach(due, work, { concurrency: batch, discard: true })
  return due.length
})

/** Works sends for ever. Interrupting it is safe at any time: what is on its way is heard out first. */
export const workSends = workDueSends().pipe(
  Effect.flatMap((count) => (count > 0 ? Effect.void : Effect.flatMap(Sends, (sends) => sends.wait(idleMillis)))),
  Effect.catchTag("StoreUnavailable", (error) =>
    Effect.andThen(Effect.logWarning("The store does not answer", error.reason), Effect.sleep(outageMillis))
  ),
  Effect.forever
)
