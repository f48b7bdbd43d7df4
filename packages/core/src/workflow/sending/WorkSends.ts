import { Effect } from "effect"
import { type Reservation, sendLeaseMillis } from "../../domain/sending/Reservation.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { defaults, type Queue, workOnce } from "../worker/Worker.ts"
import { handOver, settleLostSend } from "./HandOverSend.ts"

/**
 * Runs a claimed send. If its server stopped during the transmission, it gets the outcome `unknown` and is not sent
 * again. Otherwise it is sent.
 */
const run = (send: Reservation) =>
  Effect.as(
    send.state === "handed_over"
      ? settleLostSend(send, "its server stopped during the transmission")
      : handOver(send, "by nobody"),
    null
  )

/**
 * The queue of sends. It contains automatic replies, sends that a transport has deferred, and sends that other servers
 * have not finished. A running transmission is not interrupted.
 */
export const sendQueue: Queue<Reservation, Sends | Effect.Services<ReturnType<typeof run>>> = {
  ...defaults,
  name: "sends",
  // Two workers, so that a slow transport delays other sends less.
  workers: 2,
  failure: "failed to send a queued message",
  about: ({ attempts, messageId, tenantId }) => ({ tenant: tenantId, message_id: messageId, attempts }),
  open: Effect.map(Sends, ({ claim, wait }) => ({
    claim: (limit, now) => claim(limit, now, now + sendLeaseMillis),
    run,
    wait
  }))
}

/** Claims and runs due sends once. Returns the number of these sends. */
export const workDueSends = () => workOnce(sendQueue)
