// Substitutes for providers that are not configured. They accept everything and send nothing. Test doubles are in
// `packages/testkit`. Tests: those of the providers, for example `packages/connectors/test/twilio`.
import { recipientsOf } from "@leadloom/core/internal/domain/email/OutgoingMail"
import { demandMailClearance, EmailTransport } from "@leadloom/core/internal/port/provider/EmailTransport"
import { Effect, Layer } from "effect"
import { log, logEvents } from "../provider/LogEvents.ts"

/** The note that the log and each stored send contain. */
export const sandboxNote = logEvents["mail.sandboxed"].sentence

/** Accepts mails without sending them, and records this. It is used on a server without a relay. */
export const layer: Layer.Layer<EmailTransport> = Layer.succeed(EmailTransport, {
  send: (outgoing, clearance) => {
    const { grant, mail } = outgoing
    const fields = { tenant: grant.tenantId, from: mail.from.email, recipients: recipientsOf(mail).length }
    return Effect.as(Effect.andThen(demandMailClearance(outgoing, clearance), log("mail.sandboxed", fields)), {
      left: false,
      response: sandboxNote,
      refused: [],
      assigned: null
    })
  }
})
