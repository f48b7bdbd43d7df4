import type * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { Effect, Layer } from "effect"
import type { OutgoingMail } from "@leadloom/core/internal/domain/email/OutgoingMail"
import {
  EmailTransport,
  type TransportReceipt,
  demandMailClearance
} from "@leadloom/core/internal/port/provider/EmailTransport"

/** The outcome of one mail. */
export type Fate = TransportReceipt | ProviderFailure.ProviderFailure

/**
 * Provides an `EmailTransport` that appends each mail to `outbox` and its files to `contents`, and returns the outcome of `fate`. By default it
 * accepts every mail.
 */
export const inMemoryEmailTransport = (
  outbox: Array<OutgoingMail>,
  fate: (mail: OutgoingMail) => Fate = () => ({ left: true, response: "250 kept", refused: [], assigned: null }),
  contents: Array<ReadonlyArray<Uint8Array>> = []
): Layer.Layer<EmailTransport> =>
  Layer.succeed(EmailTransport, {
    send: (outgoing, clearance) =>
      Effect.gen(function* () {
        yield* demandMailClearance(outgoing, clearance)
        const { files = [], mail } = outgoing
        outbox.push(mail)
        contents.push(files)
        const outcome = fate(mail)
        return "_tag" in outcome ? yield* Effect.fail(outcome) : outcome
      })
  })
