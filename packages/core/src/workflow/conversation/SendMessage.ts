import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { SendOverride } from "../../domain/consent/Override.ts"
import { EmailClosed } from "../../domain/email/Grant.ts"
import {
  changedOptions,
  checkComposition,
  type Composition,
  type CompositionOptions,
  plainComposition
} from "../../domain/sending/Composition.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { orContactMerged } from "../contact/ResolveMergedContact.ts"
import { expandForward } from "../forward/ForwardMail.ts"
import { planInConversation } from "../sending/PlanComposition.ts"
import { sendOnce } from "../sending/SendOnce.ts"
import { sendText } from "../sms/SendText.ts"
import { withSpan } from "../WithSpan.ts"

/** A message from a person to a contact. Missing fields have the values of `plainComposition`. */
export interface MessageToSend
  extends Pick<Composition, "body" | "channel" | "replyAll">, Partial<Omit<CompositionOptions, "replyAll">> {
  /** The denial reasons that the person overrides for this message. Absent or null if there are none. */
  readonly override?: SendOverride | null
}

/**
 * FROZEN as long as idempotency keys with such fingerprints are valid. Returns the fingerprint of a message; the order
 * of the fields must not change.
 */
export const fingerprintOfMessage = (
  contactId: Contact["contactId"],
  composition: Composition,
  override: SendOverride | null
): string => {
  const { body, channel, replyAll } = composition
  const reasons = override === null ? {} : { override: override.reasons }
  const request = { contactId, channel, body, replyAll, ...reasons, ...changedOptions(composition) }
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(request))))
}

/** Validates a message to a contact, and normalises its addresses. Fails with all issues of an invalid message. */
export const checkMessage = Effect.fnUntraced(function* (tenant: Tenant, { override: _, ...message }: MessageToSend) {
  if (message.channel === "email" && tenant.hipaa) return yield* new EmailClosed({ tenantId: tenant.tenantId })
  const checked = checkComposition({ ...plainComposition, ...message })
  return checked.ok ? checked.composition : yield* checked.error
})

/**
 * Sends a message to a contact. Without a subject, an email answers the newest mail of the contact's most recent lead
 * with emails, from the address that received this mail. It has the guarantees of `sendOnce`. A text message is sent by
 * `sendText`.
 */
export const sendMessage = Effect.fnUntraced(function* (
  tenant: Tenant,
  contactId: string,
  message: MessageToSend,
  idempotencyKey: string | null
) {
  const { tenantId } = tenant
  const { override = null } = message
  const checked = yield* checkMessage(tenant, message)
  const contact = yield* (yield* Contacts).get(tenantId, contactId)
  const elsewhere = orContactMerged(tenantId, contactId)
  const fingerprint = fingerprintOfMessage(contact.contactId, checked, override)
  if (checked.channel === "sms") {
    const { attachments, body } = checked
    const text = { tenant, contact, body, attachments, fingerprint, idempotencyKey, override }
    return yield* sendText(text).pipe(Effect.catchTag(["SmsNotConfigured", "TextDenied"], elsewhere))
  }
  const composition = yield* expandForward(tenantId, checked)
  // A merge of the contact is checked only when nothing can be sent. A repeated request therefore still gets its first
  // result after a merge.
  return yield* sendOnce({
    tenant,
    idempotencyKey,
    fingerprint,
    composition,
    override,
    plan: (accounts) => planInConversation(contact, composition, accounts)
  }).pipe(
    Effect.catchTag(["AccountUnavailable", "EmailNotConnected", "MailDenied", "AnswerableEmailNotFound"], elsewhere)
  )
}, withSpan("sendMessage"))
