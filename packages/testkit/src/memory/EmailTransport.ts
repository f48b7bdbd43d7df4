import { Effect, Layer } from "effect"
import type { OutgoingMail } from "@leadloom/core/domain/email/OutgoingMail"
import {
  EmailTransport,
  type TransportReceipt,
  type TransportFailure,
  demandMailClearance
} from "@leadloom/core/port/provider/EmailTransport"

/** What becomes of a mail in the memory twin, which keeps every one that it was given. */
export type Fate = TransportReceipt | TransportFailure

/** Keeps what it is given in `outbox` and answers as `fate` says; at first everything is taken. */
export const inMemoryEmailTransport = (
  outbox: Array<OutgoingMail>,
  fate: (mail: OutgoingMail) => Fate = () => ({ left: true, response: "250 kept", refused: [], assigned: null })
): Layer.Layer<EmailTransport> =>
  Layer.succeed(EmailTransport, {
    send: (outgoing, clearance) =>
      Effect.gen(function* () {
        yield* demandMailClearance(outgoing, clearance)
        const { mail } = outgoing
        outbox.push(mail)
        const outcome = fate(mail)
        return "_tag" in outcome ? yield* Effect.fail(outcome) : outcome
      })
  })
