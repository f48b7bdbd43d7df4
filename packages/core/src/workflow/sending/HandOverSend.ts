import { Effect } from "effect"
import { handOverMail, settleUnknown } from "./HandOverMail.ts"
import type { Reservation } from "../../domain/sending/Reservation.ts"
import { handOverText, settleUnknownText } from "./HandOverText.ts"
import { type Attended, type HandOverResult, nameOf } from "./SettleSend.ts"

/**
 * Hands a send over that the caller holds, on whichever channel, and writes down what became of it. Not to be
 * interrupted: who has begun to speak has to hear the answer.
 */
export const handOver = Effect.fn("handOver")(function* (reservation: Reservation, attended: Attended) {
  const result: HandOverResult =
    reservation.channel === "email"
      ? yield* handOverMail(reservation, attended)
      : yield* handOverText(reservation, attended)
  if ("reason" in result) {
    const { messageId, tenantId } = reservation
    const about = { tenant: tenantId, message: messageId, outcome: result._tag, reason: result.reason }
    yield* Effect.annotateLogs(Effect.logWarning(`${nameOf(reservation)} was not taken`), about)
  }
  return result
}, Effect.uninterruptible)

/** Ends a send whose server died on the way: it may have gone, and is not sent again. */
export const settleLostSend = (reservation: Reservation, reason: string) =>
  reservation.channel === "email"
    ? settleUnknown(reservation, reason)
    : settleUnknownText(reservation, reason, reservation.createdAt)
