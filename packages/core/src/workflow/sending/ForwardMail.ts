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
