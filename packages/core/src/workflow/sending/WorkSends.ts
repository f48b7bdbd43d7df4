import { Cause, Clock, Effect } from "effect"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { settleLostSend, handOver } from "./HandOverSend.ts"
import { type Reservation, sendLeaseMillis } from "../../domain/sending/Reservation.ts"
import { pollLoop } from "../worker/PollLoop.ts"

/** Sends taken at once, and handed over beside each other. */
const batch = 8

/** Carries one send to its end or to its next attempt. What was on its way when its server died is not sent again. */
const work = (send: Reservation) =>
  (send.state === "handed_over"
    ? settleLostSend(send, "its server stopped while it was being handed over")
    : handOver(send, "by nobody")
  ).pipe(
    Effect.asVoid,
    // Whatever broke, the lease ends and somebody looks at it again.
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.annotateLogs(Effect.logError("A send could not be worked", cause), { attempts: send.attempts })
    ),
    // The event-loop watchdog reads the tenant from here.
    Effect.annotateLogs({ tenant: send.tenantId, message: send.messageId })
  )

/** Takes what is due and carries it on; answers how many sends that were. */
export const workDueSends = Effect.fnUntraced(function* () {
  const now = yield* Clock.currentTimeMillis
  const due = yield* (yield* Sends).claim(batch, now, now + sendLeaseMillis)
  yield* Effect.forEach(due, work, { concurrency: batch, discard: true })
  return due.length
})

/** Works sends for ever. Interrupting it is safe at any time: what is on its way is heard out first. */
export const workSends = pollLoop(workDueSends(), (millis) => Effect.flatMap(Sends, (sends) => sends.wait(millis)))
