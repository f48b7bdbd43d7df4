import { Effect } from "effect"
import { writableChannels } from "../../../domain/sending/Composition.ts"
import { sendMessage as send } from "../../conversation/SendMessage.ts"
import { EmailClosed, type EmailRequestInvalid } from "../../../domain/email/Grant.ts"
import { sendEmail } from "../../sending/SendEmail.ts"
import type { ActionAnswer, ActionCall } from "../../../domain/crm/ActionCall.ts"
import { choice, CrmInputInvalid, requiredText, optionalText } from "../../../domain/crm/ActionInputs.ts"

const inWords = ({ issues }: EmailRequestInvalid) => {
  const [issue] = issues
  return new CrmInputInvalid({
    field: issue?.path ?? "message",
    reason: issue?.message ?? "The message cannot be sent. Check its fields."
  })
}

/** Sends a new email, which is not a reply, to the contact's address. */
const sendNew = Effect.fnUntraced(function* ({ callId, contact, tenant }: ActionCall, subject: string, body: string) {
  if (tenant.hipaa) return yield* new EmailClosed({ tenantId: tenant.tenantId })
  if (contact.email === null) {
    return yield* new CrmInputInvalid({
      field: "channel",
      reason: "The contact has no email address. Add one, or choose the channel sms."
    })
  }
  const to = [{ email: contact.email, name: contact.name }]
  const request = { to, cc: [], bcc: [], subject, body, from: null, replyToMessageId: null }
  return yield* sendEmail({ tenant, request, idempotencyKey: callId }).pipe(
    Effect.catchTag("EmailRequestInvalid", inWords)
  )
})

/**
 * Sends a message to the contact in the tenant's name. An email with a subject is a new email. An email without a
 * subject answers the contact's newest mail. A repeated call sends nothing, and returns the message of the first call.
 */
export const sendMessage = Effect.fnUntraced(function* (call: ActionCall) {
  const { callId, contact, inputs, tenant } = call
  const body = yield* requiredText(inputs, "message", 100_000)
  const channel = yield* choice(inputs, "channel", writableChannels, "email")
  const subject = channel === "email" ? yield* optionalText(inputs, "subject", 998) : null
  const sent =
    subject === null
      ? yield* send(tenant, contact.contactId, { channel, body, replyAll: false }, callId)
      : yield* sendNew(call, subject, body)
  return { contact_id: contact.contactId, message_id: sent.messageId, channel } satisfies ActionAnswer
})
