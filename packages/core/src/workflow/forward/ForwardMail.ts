import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect } from "effect"
import type { Message } from "../../domain/conversation/Message.ts"
import { escapeHtml, isHtml } from "../../domain/email/InsertSignature.ts"
import { forwardSubject } from "../../domain/email/OutgoingMail.ts"
import type { AttachedUpload, Composition } from "../../domain/sending/Composition.ts"
import { MessageNotFound } from "../../domain/sending/Reservation.ts"
import { encodeId, isId, type UploadId } from "../../domain/Id.ts"
import { isAvailable, uploadLifetimeMillis } from "../../domain/upload/Upload.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Uploads } from "../../port/repository/conversation/Uploads.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Objects } from "../../port/system/Objects.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { hasContent, readAttachment } from "../intake/Sources.ts"
import { withSpan } from "../WithSpan.ts"
import { Sends } from "../../port/repository/conversation/Sends.ts"

const forwardedOf = Effect.fnUntraced(function* (tenantId: string, messageId: string) {
  const message = isId("msg", messageId) ? yield* (yield* Messages).find(tenantId, messageId) : null
  if (message === null || message.channel !== "email") return yield* new MessageNotFound({ messageId })
  return message
})

/** A send that is attempted several times. Its attempts use the same copies of the attachments. */
export interface RepeatedForward {
  /** The key of the send. */
  readonly key: string
  /** The time of the first attempt, in epoch milliseconds. */
  readonly createdAt: number
}

/** Returns the id of a copy. It changes after half the lifetime of an upload, so that a used copy does not expire soon. */
const copyIdOf = ({ createdAt, key }: RepeatedForward, index: number, now: number): UploadId => {
  const period = Math.floor((now - createdAt) / (uploadLifetimeMillis / 2))
  return encodeId("upl", createdAt, sha256(utf8ToBytes(`${key}:${index}:${period}`)))
}

/** Copies the content of an attachment to an upload. A repeated send that has been reserved meanwhile has its own copy. */
const copyTo = Effect.fnUntraced(function* (
  { messageId, tenantId }: Message,
  index: number,
  uploadId: UploadId,
  repeated: RepeatedForward | null
) {
  const [uploads, sends] = [yield* Uploads, yield* Sends]
  const { attachment, bytes } = yield* readAttachment({ tenantId, messageId, index })
  yield* (yield* Objects).put(tenantId, uploadId, bytes)
  const createdAt = yield* Clock.currentTimeMillis
  const insert = uploads.insert({
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
  if (repeated === null) return yield* insert
  // An upload of a sent file would delete its content when it expires.
  const isNeeded = Effect.gen(function* () {
    const isSent = (yield* sends.findByKey(tenantId, repeated.key)) !== null
    return !isSent && (yield* uploads.findAll(tenantId, [uploadId])).length === 0
  })
  yield* (yield* Transactions).atomically(tenantId, Effect.asVoid(Effect.when(insert, isNeeded)))
})

/** Copies an attachment to an upload, so that the forwarded mail does not depend on the original one. */
const copyAttachment = Effect.fnUntraced(function* (message: Message, index: number, repeated: RepeatedForward | null) {
  const { attachments, tenantId } = message
  const now = yield* Clock.currentTimeMillis
  const uploadId = repeated === null ? yield* (yield* Ids).next("upl") : copyIdOf(repeated, index, now)
  const [known] = repeated === null ? [] : yield* (yield* Uploads).findAll(tenantId, [uploadId])
  if (known === undefined || !isAvailable(known, null, now)) yield* copyTo(message, index, uploadId, repeated)
  const contentId = attachments[index]?.inline === true ? attachments[index].contentId : null
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
 * compositions unchanged. Must run outside a unit of work. A send that is attempted several times states `repeated`.
 */
export const expandForward = Effect.fnUntraced(function* (
  tenantId: string,
  composition: Composition,
  repeated: RepeatedForward | null = null
) {
  const { attachments, body, forwardMessageId, subject } = composition
  if (forwardMessageId === null) return composition
  const message = yield* forwardedOf(tenantId, forwardMessageId)
  const copied = yield* Effect.forEach(
    message.attachments.flatMap((attachment, index) => (hasContent(message, attachment) ? [index] : [])),
    (index) => copyAttachment(message, index, repeated)
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
