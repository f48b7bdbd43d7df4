import { Clock, Effect } from "effect"
import { maxTextAttachmentBytes, maxTextAttachments } from "../../domain/conversation/OutgoingText.ts"
import { EmailRequestInvalid } from "../../domain/email/Grant.ts"
import type { MailAttachment } from "../../domain/email/MailAttachment.ts"
import type { OutgoingAttachment } from "../../domain/email/OutgoingMail.ts"
import type { AttachedUpload, Composition } from "../../domain/sending/Composition.ts"
import { isAvailable, maxUploadBytes, type UploadHolder, UploadNotFound } from "../../domain/upload/Upload.ts"
import { SmsProvider } from "../../port/provider/SmsProvider.ts"
import { Uploads } from "../../port/repository/conversation/Uploads.ts"

const invalid = (message: string) => new EmailRequestInvalid({ issues: [{ path: "attachments", message }] })

/** Checks the number and the size of attachments for their channel. */
const checkSizes = Effect.fnUntraced(function* (
  channel: Composition["channel"],
  files: ReadonlyArray<OutgoingAttachment>
) {
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  if (channel === "email") {
    if (bytes > maxUploadBytes)
      return yield* invalid(`The attachments exceed ${maxUploadBytes / 1_048_576} MiB together. Send fewer files.`)
    return
  }
  if (files.length > 0 && (yield* SmsProvider).sendsMedia !== true)
    return yield* invalid(
      "The SMS provider of this server cannot send files. Send an email, or remove the attachments."
    )
  if (files.length > maxTextAttachments || bytes > maxTextAttachmentBytes)
    return yield* invalid(`A text has at most ${maxTextAttachments} files with 5 MB together.`)
})

/**
 * Returns the attachments of a message in their order. Fails with `UploadNotFound` if one of them is unknown, expired,
 * or part of another message. Runs inside a unit of work.
 */
export const readUploads = Effect.fnUntraced(function* (
  tenantId: string,
  { attachments, channel }: Pick<Composition, "attachments" | "channel">,
  holder: UploadHolder
) {
  if (attachments.length === 0) return []
  const now = yield* Clock.currentTimeMillis
  const ids = attachments.map(({ uploadId }) => uploadId)
  const found = new Map((yield* (yield* Uploads).findAll(tenantId, ids)).map((upload) => [upload.uploadId, upload]))
  const missing: Array<string> = []
  const files = attachments.flatMap(({ contentId, uploadId }: AttachedUpload): ReadonlyArray<OutgoingAttachment> => {
    const upload = found.get(uploadId)
    if (upload === undefined || !isAvailable(upload, holder, now)) {
      missing.push(uploadId)
      return []
    }
    const { contentType, filename, size } = upload
    return [{ filename, contentType, size, contentId, objectKey: uploadId }]
  })
  if (missing.length > 0) return yield* new UploadNotFound({ uploadIds: missing })
  yield* checkSizes(channel, files)
  return files
})

/** Like `readUploads`, and gives the files to a message. No other message can contain them afterwards. */
export const takeUploads = Effect.fnUntraced(function* (
  tenantId: string,
  of: Pick<Composition, "attachments" | "channel">,
  holder: UploadHolder
) {
  const files = yield* readUploads(tenantId, of, holder)
  yield* (yield* Uploads).remove(
    tenantId,
    of.attachments.map(({ uploadId }) => uploadId)
  )
  return files
})

/** Like `readUploads`, and keeps the files for a draft or a scheduled message until it is sent or deleted. */
export const holdUploads = Effect.fnUntraced(function* (
  tenantId: string,
  of: Pick<Composition, "attachments" | "channel">,
  holder: NonNullable<UploadHolder>
) {
  yield* readUploads(tenantId, of, holder)
  yield* (yield* Uploads).hold(
    tenantId,
    of.attachments.map(({ uploadId }) => uploadId),
    holder
  )
})

/** Returns the descriptions of files for the stored message. */
export const attachmentsOf = (files: ReadonlyArray<OutgoingAttachment>): ReadonlyArray<MailAttachment> =>
  files.map(({ contentId, contentType, filename, objectKey, size }) => ({
    filename,
    contentType,
    size,
    contentId,
    inline: contentId !== null,
    objectKey
  }))
