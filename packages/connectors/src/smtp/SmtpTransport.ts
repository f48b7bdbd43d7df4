import { recipientsOf } from "@leadloom/core/internal/domain/email/OutgoingMail"
import { handOverMillis } from "@leadloom/core/internal/domain/sending/Reservation"
import {
  outcomeUnknown,
  type ProviderFailure,
  refused,
  unavailable
} from "@leadloom/core/internal/domain/provider/ProviderFailure"
import {
  demandMailClearance,
  EmailTransport,
  type Outgoing,
  type TransportReceipt
} from "@leadloom/core/internal/port/provider/EmailTransport"
import { Effect, Layer } from "effect"
import { composeMail } from "./ComposeMail.ts"
import type { Relay } from "./Relay.ts"
import { type SmtpDialogueFailure, type SmtpTimeouts, runDialogue } from "./SmtpDialogue.ts"
import { wireAddress } from "./WireAddress.ts"

/** The default timeouts. They are shorter than `handOverMillis`, so that the caller has time to store the outcome. */
export const defaultTimeouts: SmtpTimeouts = { connect: 8_000, idle: 20_000, total: handOverMillis - 1_000 }

/** Codes that concern the account or the connection. The relay may accept the mail later (RFC 4954, RFC 3207). */
export const ofTheAccount: ReadonlyArray<number> = [530, 534, 535, 538]

/**
 * Maps the failure of a dialogue. If there is a status code, it determines the failure (RFC 5321 section 4.2.1).
 * Without a code, the outcome is unknown if the whole mail was sent; otherwise the mail counts as unsent.
 */
export const failureOf = ({ code, dataGone, reason }: SmtpDialogueFailure): ProviderFailure => {
  if (code !== null && code >= 500 && !ofTheAccount.includes(code)) return refused("mail", reason, { status: code })
  return code === null && dataGone ? outcomeUnknown("mail", reason) : unavailable("mail", reason)
}

const emailOf = (recipient: string | { readonly address?: string | undefined }): string =>
  typeof recipient === "string" ? recipient : (recipient.address ?? "")

/** The mapping of the failures of a dialogue to the failures of the transport. */
export type FailureOf = (failure: SmtpDialogueFailure) => ProviderFailure

/** Composes one mail and hands it over to a relay, once, over a new connection. */
export const handToRelay = Effect.fnUntraced(function* (
  relay: Relay,
  { files = [], mail }: Outgoing,
  timeouts: SmtpTimeouts,
  toFailure: FailureOf = failureOf
) {
  const raw = yield* Effect.promise(() => composeMail(mail, files))
  const recipients = new Map(recipientsOf(mail).map((email) => [wireAddress(email), email]))
  const envelope = { from: wireAddress(mail.from.email), to: [...recipients.keys()] }
  const answer = yield* Effect.promise(() => runDialogue(relay, envelope, raw, timeouts))
  if ("broken" in answer) return yield* Effect.fail(toFailure(answer))
  const receipt: TransportReceipt = {
    left: true,
    response: answer.response ?? "",
    refused: (answer.rejected ?? []).map(emailOf).map((email) => recipients.get(email) ?? email),
    assigned: null
  }
  return receipt
})

/** Sends mail through a relay over SMTP, with one connection per mail. */
export const layer = (relay: Relay, timeouts: SmtpTimeouts = defaultTimeouts): Layer.Layer<EmailTransport> =>
  Layer.succeed(EmailTransport, {
    send: Effect.fn("SmtpTransport.send")(function* (outgoing, clearance) {
      yield* demandMailClearance(outgoing, clearance)
      return yield* handToRelay(relay, outgoing, timeouts)
    })
  })
