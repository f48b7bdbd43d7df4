import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { planAnswer } from "../sending/PlanAnswer.ts"
import { EmailClosed, type Grant } from "../../domain/email/Grant.ts"
import { sendOnce } from "../sending/SendOnce.ts"
import { orContactMerged } from "../contact/ResolveMergedContact.ts"
import { sendText } from "../sms/SendText.ts"
import type { SendOverride } from "../../domain/consent/Override.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { withSpan } from "../WithSpan.ts"

/** The channels on which a person can write to a contact. */
export const writableChannels = ["email", "sms"] as const

/** A message from a person to a contact. */
export interface MessageToSend {
  readonly channel: (typeof writableChannels)[number]
  /** Plain text, or HTML for an email. */
  readonly body: string
  /** For an email: true to send the reply to all recipients of the answered mail. */
  readonly replyAll: boolean
  /** The denial reasons that the person overrides for this message. Absent or null if there are none. */
  readonly override?: SendOverride | null
}

/** The contact has no lead with an email that can be answered. */
export class AnswerableEmailNotFound extends TaggedError("AnswerableEmailNotFound")<{
  readonly tenantId: string
  readonly contactId: string
}> {}

/**
 * FROZEN as long as idempotency keys with such fingerprints are valid. Returns the fingerprint of a message; the order
 * of the fields must not change.
 */
const fingerprintOf = ({ contactId }: Contact, { body, channel, override = null, replyAll }: MessageToSend): string => {
  const request = { contactId, channel, body, replyAll, ...(override !== null && { override: override.reasons }) }
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(request))))
}

const planOf = Effect.fnUntraced(function* (contact: Contact, all: boolean, grant: Grant) {
  const { contactId, tenantId } = contact
  const answers = yield* (yield* Messages).newestEmail(tenantId, contactId)
  const plan = answers === null ? null : planAnswer(contact, answers, all, grant)
  return plan ?? (yield* new AnswerableEmailNotFound({ tenantId, contactId }))
})

/**
 * Sends a message to a contact. An email answers the newest mail of the contact's most recent lead with emails, from
 * the address that received this mail, with the guarantees of `sendOnce`. A text message is sent by `sendText`.
 */
export const sendMessage = Effect.fnUntraced(function* (
  tenant: Tenant,
  contactId: string,
  message: MessageToSend,
  idempotencyKey: string | null
) {
  if (message.channel === "email" && tenant.hipaa) return yield* new EmailClosed({ tenantId: tenant.tenantId })
  const contact = yield* (yield* Contacts).get(tenant.tenantId, contactId)
  const elsewhere = orContactMerged(tenant.tenantId, contactId)
  const fingerprint = fingerprintOf(contact, message)
  const { override = null } = message
  if (message.channel === "sms") {
    const text = { tenant, contact, body: message.body, fingerprint, idempotencyKey, override }
    return yield* sendText(text).pipe(Effect.catchTag(["SmsNotConfigured", "TextDenied"], elsewhere))
  }
  // A merge of the contact is checked only when nothing can be sent. A repeated request therefore still gets its first
  // result after a merge.
  return yield* sendOnce({
    tenant,
    idempotencyKey,
    fingerprint,
    body: message.body,
    override,
    plan: (grant) => planOf(contact, message.replyAll, grant)
  }).pipe(Effect.catchTag(["EmailNotConnected", "MailDenied", "AnswerableEmailNotFound"], elsewhere))
}, withSpan("sendMessage"))
