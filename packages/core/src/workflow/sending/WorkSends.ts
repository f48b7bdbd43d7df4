import { Effect } from "effect"
import { type Reservation, sendLeaseMillis } from "../../domain/sending/Reservation.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { defaults, type Queue, workOnce } from "../worker/Worker.ts"
import { handOver, settleLostSend } from "./HandOverSend.ts"

/**
 * Settles an interrupted send, and sends any other one. A send that was in transmission when its server stopped is not
 * repeated.
 */
const run = (send: Reservation) =>
  Effect.as(
    send.state === "handed_over"
      ? settleLostSend(send, "its server stopped during the transmission")
      : handOver(send, "by nobody"),
    null
  )

/**
 * The queue of sends: automatic replies, sends that a relay deferred, and sends that other servers left unfinished. A
 * running transmission is not interrupted.
 */
export const sendQueue: Queue<Reservation, Sends | Effect.Services<ReturnType<typeof run>>> = {
  ...defaults,
  name: "sends",
  // The second worker reduces delays by a slow relay.
  workers: 2,
  failure: "failed to run a send",
  about: ({ attempts, messageId, tenantId }) => ({ tenant: tenantId, message: messageId, attempts }),
  open: Effect.map(Sends, ({ claim, wait }) => ({
    claim: (limit, now) => claim(limit, now, now + sendLeaseMillis),
    run,
    wait
  }))
}

/** Claims and runs due sends. Returns their number. */
export const workDueSends = () => workOnce(sendQueue)
