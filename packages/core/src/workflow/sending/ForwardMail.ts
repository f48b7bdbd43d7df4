import { Clock, Effect } from "effect"
import type { Message } from "../../domain/conversation/Message.ts"
import { escapeHtml, isHtml } from "../../domain/email/InsertSignature.ts"
import { forwardSubject } from "../../domain/email/OutgoingMail.ts"
import type { AttachedUpload, Composition } from "../../domain/sending/Composition.ts"
import { MessageNotFound } from "../../domain/sending/Reservation.ts"
import { isId } from "../../domain/Id.ts"
import { uploadLifetimeMillis } from "../../domain/upload/Upload.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Uploads } from "../../port/repository/conversation/Uploads.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Objects } from "../../port/system/Objects.ts"
import { hasContent, readAttachment } from "../intake/Sources.ts"
import { withSpan } from "../WithSpan.ts"
import { domainOf, normalizeEmail } from "../../domain/address/Address.ts"
import type { ForwardSendContext } from "../../domain/consent/MaySend.ts"
import { emailIdentity } from "../../domain/contact/Identity.ts"
import { unparsedReasonOf } from "../../domain/conversation/UnparsedMail.ts"
import { answeringAccount, ownAddresses } from "../../domain/email/Accounts.ts"
import { mailboxOf } from "../../domain/email/Mailbox.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"
import { undeliverableAddress } from "../contact/Undeliverable.ts"
import { findAccounts } from "../mailbox/Accounts.ts"
import { guardQuietEnd } from "./ContactQuietHours.ts"
import { hasOptedOut } from "./MailSendContext.ts"

const forwardedOf = Effect.fnUntraced(function* (tenantId: string, messageId: string) {
  const message = isId("msg", messageId) ? yield* (yield* Messages).find(tenantId, messageId) : null
  if (message === null || message.channel !== "email") return yield* new MessageNotFound({ messageId })
  return message
})

/** Copies an attachment to an upload, so that the forwarded mail does not depend on the original one. */
const copyAttachment = Effect.fnUntraced(function* ({ messageId, tenantId }: Message, index: number) {
  const { attachment, bytes } = yield* readAttachment({ tenantId, messageId, index })
  const uploadId = yield* (yield* Ids).next("upl")
  yield* (yield* Objects).put(tenantId, uploadId, bytes)
  const createdAt = yield* Clock.currentTimeMillis
  yield* (yield* Uploads).insert({
    uploadId,
    tenantId,
    filename: attachment.filename ?? "attachment",
    contentType: attachment.contentType,
    size: bytes.length,
    holder: null,
    createdBy: `forward:${messageId}`,
    createdAt,
    expiresAt: createdAt + uploadLifetimeMillis
  })
  const contentId = attachment.inline ? attachment.contentId : null
  return { uploadId, contentId } satisfies AttachedUpload
})

/** Returns the lines above a forwarded mail, in the form that mail programs recognise as history. */
const headingOf = ({ cc, from, subject, timestamp, to }: Message): ReadonlyArray<string> => [
  "---------- Forwarded message ----------",
  `From: ${from ?? ""}`,
  `Date: ${new Date(timestamp).toUTCString()}`,
  `Subject: ${subject ?? ""}`,
  `To: ${to.join(", ")}`,
  ...(cc.length === 0 ? [] : [`Cc: ${cc.join(", ")}`])
]

const asHtml = (body: string): string => (isHtml(body) ? body : escapeHtml(body))

/** Returns the body of a forwarded mail: the person's text, then the forwarded mail with its headers. */
export const forwardBody = (body: string, message: Message): string => {
  const heading = headingOf(message).join("\n")
  const whole = [message.body, message.quotedText].filter((part) => part !== null && part !== "").join("\n\n")
  const text = `${body}\n\n${heading}\n\n${whole}`
  // A plain text that looks like HTML would be read as HTML, so it is escaped.
  if (message.htmlBody === null && !isHtml(text)) return text
  const history = message.htmlBody ?? escapeHtml(whole)
  return `<div>${asHtml(body)}</div><br><div>${escapeHtml(heading)}</div><br><div>${history}</div>`
}

/**
 * Replaces the reference to a forwarded mail by its content: heading, body, subject and attachments. Returns other
 * compositions unchanged. Must run outside a unit of work.
 */
export const expandForward = Effect.fnUntraced(function* (tenantId: string, composition: Composition) {
  const { attachments, body, forwardMessageId, subject } = composition
  if (forwardMessageId === null) return composition
  const message = yield* forwardedOf(tenantId, forwardMessageId)
  const copied = yield* Effect.forEach(
    message.attachments.flatMap((attachment, index) => (hasContent(message, attachment) ? [index] : [])),
    (index) => copyAttachment(message, index)
  )
  const expanded: Composition = {
    ...composition,
    forwardMessageId: null,
    subject: subject ?? forwardSubject(message.subject),
    body: forwardBody(body, message),
    attachments: [...attachments, ...copied]
  }
  return expanded
}, withSpan("expandForward"))

const dayMillis = 24 * 3_600_000

/** An email that a rule forwards, and its recipients. */
export interface ForwardSendInput {
  readonly tenant: Tenant
  readonly message: Message
  /** Normalised. */
  readonly recipients: ReadonlyArray<string>
  readonly now: number
  /** True if the mail is already reserved. The limit per address then no longer applies. */
  readonly isReserved: boolean
}

/** Returns whether one of the recipients is the sender of a mail, or another address of its contact. */
const isToContact = Effect.fnUntraced(function* (
  { contactId, from, replyTo, tenantId }: Message,
  recipients: ReadonlyArray<string>
) {
  const written = new Set([...(from === null ? [] : [from]), ...replyTo].map(mailboxOf))
  if (recipients.some((email) => written.has(mailboxOf(email)))) return true
  const identities = recipients.flatMap((email) => emailIdentity(email) ?? [])
  const holders = identities.length === 0 ? [] : yield* (yield* Contacts).holders(tenantId, identities)
  return holders.some(({ contact }) => contact.contactId === contactId)
})

/**
 * Returns the largest number of automatic emails in the last 24 hours to one of the recipients. A mail with several
 * recipients counts for its main correspondent.
 */
const countSent = Effect.fnUntraced(function* ({
  message,
  now,
  recipients
}: Pick<ForwardSendInput, "message" | "now" | "recipients">) {
  const { tenantId, threadId } = message
  if (threadId === null) return 0
  const { replyCounts } = yield* Sends
  const counts = yield* Effect.forEach(recipients, (email) => replyCounts(tenantId, threadId, email, now - dayMillis))
  return Math.max(0, ...counts.map(({ toCorrespondent }) => toCorrespondent))
})

/** Reads the facts that `maySend` needs for an email that a rule forwards. A rule states few recipients. */
export const readForwardSendContext = Effect.fnUntraced(function* (requested: ForwardSendInput) {
  const { isReserved, message, now, tenant } = requested
  const { domain, hipaa, tenantId } = tenant
  const recipients = [...new Set(requested.recipients.map(normalizeEmail))]
  const accounts = yield* findAccounts(tenantId)
  const own = new Set(ownAddresses(accounts?.all ?? []).map(mailboxOf))
  const isOwn = (email: string) => own.has(mailboxOf(email)) || (domain !== null && domainOf(email) === domain)
  const undeliverable: Array<{ readonly address: string; readonly reason: string }> = []
  for (const address of recipients) {
    const reason = yield* undeliverableAddress(tenantId, address)
    if (reason !== null) undeliverable.push({ address, reason })
  }
  return {
    channel: "email",
    by: "rule",
    tenantId,
    hipaa,
    now,
    auto: message.auto,
    flags: message.flags,
    unparsed: unparsedReasonOf(message) !== null,
    recipients,
    connected: accounts !== null && answeringAccount(accounts, message) !== null,
    toSelf: recipients.some(isOwn),
    toContact: yield* isToContact(message, recipients),
    optedOut: yield* hasOptedOut(tenantId, recipients),
    undeliverable,
    sentToRecipient: isReserved ? 0 : yield* countSent({ message, now, recipients }),
    quietUntil: guardQuietEnd(tenant, now)
  } satisfies ForwardSendContext
}, withSpan("readForwardSendContext"))
