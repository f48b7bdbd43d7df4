import { recipientsOf } from "@leadloom/core/domain/email/OutgoingMail"
import { demandMailClearance, EmailTransport } from "@leadloom/core/port/provider/EmailTransport"
import { Effect, Layer } from "effect"

/** What the log and the stored send say of every mail. */
export const sandboxNote = "nothing left this machine: no mail relay is configured (LEADLOOM_SMTP_URL)"

/** Takes every mail and sends none, and says so: for a server without a relay. */
export const layer: Layer.Layer<EmailTransport> = Layer.succeed(EmailTransport, {
  send: (outgoing, clearance) => {
    const { grant, mail } = outgoing
    return Effect.as(
      Effect.andThen(demandMailClearance(outgoing, clearance), Effect.logWarning(sandboxNote)).pipe(
        Effect.annotateLogs({ tenant: grant.tenantId, from: mail.from.email, recipients: recipientsOf(mail).length })
      ),
      { left: false, response: sandboxNote, refused: [], assigned: null }
    )
  }
})
