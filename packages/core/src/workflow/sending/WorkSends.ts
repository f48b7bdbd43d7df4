import { Cause, Clock, Effect } from "effect"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { settleLostSend, handOver } from "./HandOverSend.ts"
import { type Reservation, sendLeaseMillis } from "../../domain/sending/Reservation.ts"
import { pollLoop } from "../worker/PollLoop.ts"

/** The number of sends to claim at once and to run concurrently. */
const batch = 8

/**
 * Settles an interrupted send, and sends any other one. A send that was in transmission when its server stopped is not
 * repeated.
 */
const work = (send: Reservation) =>
  (send.state === "handed_over"
    ? settleLostSend(send, "its server stopped during the transmission")
    : handOver(send, "by nobody")
  ).pipe(
    Effect.asVoid,
    // After a defect, the lease expires and another worker claims the send.
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.annotateLogs(Effect.logError("failed to run a send", cause), { attempts: send.attempts })
    ),
    // The event-loop watchdog reads the tenant from here.
    Effect.annotateLogs({ tenant: send.tenantId, message: send.messageId })
  )

/** Claims and runs due sends. Returns their number. */
export const workDueSends = Effect.fnUntraced(function* () {
  const now = yield* Clock.currentTimeMillis
  const due = yield* (yield* Sends).claim(batch, now, now + sendLeaseMillis)
  yield* Effect.forEach(due, work, { concurrency: batch, discard: true })
  return due.length
})

/** Runs sends in a poll loop. It may be interrupted at any time: a running transmission completes first. */
export const workSends = pollLoop(workDueSends(), (millis) => Effect.flatMap(Sends, (sends) => sends.wait(millis)))
