/**
 * Uploads: files that a person has sent to the server and that become attachments. Reading the request and scanning the
 * file do not belong here (`workflow/upload`, `port/provider/FileScanner.ts`).
 * Tests: `packages/testkit/src/suite/upload`, `packages/server/test/http/conversation/Uploads.test.ts`.
 */
import { Schema } from "effect"
import { headerLine } from "../email/OutgoingMail.ts"
import { Time } from "../Field.ts"
import { type DraftId, type MessageId, UploadId } from "../Id.ts"
import { TaggedError } from "../TaggedError.ts"

/** The maximum size of one file, and of all attachments of one message together. */
export const maxUploadBytes = 25 * 1_048_576

/** The time after which an unused upload is deleted. */
export const uploadLifetimeMillis = 24 * 3_600_000

/**
 * The time between the expiry of an upload and the deletion of its content. It exceeds the duration of every unit of
 * work, so a message that took the upload just before its expiry is stored before the content could be deleted.
 */
export const uploadGraceMillis = 10 * 60_000

/** The maximum length of a file name in characters. Common file systems accept 255 bytes. */
export const maxFilenameLength = 200

/** A file that waits for a message. The content is the object with the key `uploadId`. */
export class Upload extends Schema.Opaque<Upload>()(
  Schema.Struct({
    uploadId: UploadId.annotate({ description: "Upload id (`upl_…`). Send it in `attachments`" }),
    tenantId: Schema.String,
    filename: Schema.String.annotate({ description: "The name of the file" }),
    contentType: Schema.String.annotate({
      description: "The media type that the client stated. The server does not check it against the content"
    }),
    size: Schema.Int.annotate({ description: "The size in bytes" }),
    /** The draft or the scheduled message that contains the upload. The upload does not expire while it exists. */
    holder: Schema.NullOr(Schema.String),
    createdBy: Schema.String,
    createdAt: Time,
    expiresAt: Time.annotate({
      description: "The time at which the file is deleted unless a message contains it (ISO 8601 in UTC)"
    })
  })
) {}

/** The owner of uploads that are not sent yet. Null: none. */
export type UploadHolder = DraftId | MessageId | null

/** The tenant has no unused upload with these ids. */
export class UploadNotFound extends TaggedError("UploadNotFound")<{ readonly uploadIds: ReadonlyArray<string> }> {}

/** The file exceeds `maxUploadBytes`. */
export class UploadTooLarge extends TaggedError("UploadTooLarge")<{ readonly limit: number }> {}

/** The scanner has found malware in the file. `finding` is its name. */
export class UploadInfected extends TaggedError("UploadInfected")<{ readonly finding: string }> {}

/** `type/subtype` in the characters of RFC 9110 section 5.6.2. */
const mediaType = /^[a-z0-9!#$&^_.+-]{1,100}\/[a-z0-9!#$&^_.+-]{1,100}$/u

/** The media type of a file of unknown type (RFC 2046 section 4.5.1). */
export const unknownType = "application/octet-stream"

/** Returns the media type without parameters in lower case. Returns `unknownType` for an invalid one. */
export const cleanContentType = (stated: string): string => {
  const [essence = ""] = stated.toLowerCase().split(";", 1)
  const type = essence.trim()
  return mediaType.test(type) ? type : unknownType
}

/** Returns a file name without folders and control characters. */
export const cleanFilename = (stated: string): string => {
  const name = headerLine(stated).replace(/^.*[/\\]/su, "")
  return Array.from(name).slice(0, maxFilenameLength).join("").trim() || "file"
}

/** Returns whether the upload can become an attachment of a message of this holder. */
export const isAvailable = (upload: Upload, holder: UploadHolder, now: number): boolean =>
  upload.holder === null ? upload.expiresAt > now : upload.holder === holder
