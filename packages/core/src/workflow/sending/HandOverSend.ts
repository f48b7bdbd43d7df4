import { Effect } from "effect"
import { handOverMail, settleUnknown } from "./HandOverMail.ts"
import type { Reservation } from "../../domain/sending/Reservation.ts"
import { handOverText, settleUnknownText } from "./HandOverText.ts"
import { logWait } from "./LogWait.ts"
import type { Attended, HandOverResult } from "./SettleSend.ts"
import { withSpan } from "../WithSpan.ts"
import { log } from "../LogEvents.ts"

/**
 * Sends a claimed message on its channel, and stores the outcome. Must run uninterruptibly, because an interruption
 * would lose the response of the transport.
 */
export const handOver = Effect.fnUntraced(
  function* (reservation: Reservation, attended: Attended) {
    const result: HandOverResult =
      reservation.channel === "email"
        ? yield* handOverMail(reservation, attended)
        : yield* handOverText(reservation, attended)
    const { messageId, tenantId } = reservation
    if (result._tag === "Queued") yield* logWait(tenantId, { messageId, ...result })
    else if ("reason" in result) {
      const { _tag: outcome, reason } = result
      const { channel } = reservation
      yield* log("message.not_accepted", { tenant: tenantId, message_id: messageId, channel, outcome, reason })
    }
    return result
  },
  Effect.uninterruptible,
  withSpan("handOver")
)

/**
 * Stores the outcome `unknown` of a send whose server stopped during the transmission. The message may have been sent,
 * so it is not sent again.
 */
export const settleLostSend = (reservation: Reservation, reason: string) =>
  reservation.channel === "email"
    ? settleUnknown(reservation, reason)
    : settleUnknownText(reservation, reason, reservation.createdAt)
