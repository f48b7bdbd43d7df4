import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"

/** The media type of a complete mail with its attachments (RFC 2046 section 5.2.1). */
export const mimeSource = "message/rfc822"

/** The original bytes of a message. */
export interface MailSource {
  readonly bytes: Uint8Array
  /** `message/rfc822`, or another type in which a provider delivers mail, for example `application/json`. */
  readonly mediaType: string
  /**
   * The contents of the attachments if `bytes` does not contain them, in the order of the message's attachments; null
   * for a missing content. Absent for a complete mail, because it contains its attachments.
   */
  readonly attachments?: ReadonlyArray<Uint8Array | null>
}

/** The storage location of a message's source. */
export class StoredSource extends Schema.Opaque<StoredSource>()(
  Schema.Struct({
    key: Schema.String,
    /** In bytes. */
    size: Schema.Int,
    mediaType: Schema.String
  })
) {}

/**
 * The limit of attachment bytes that are stored for one mail separately from its source. Of further attachments, only
 * the description is stored.
 */
export const maxAttachmentBytes = 25 * 1_048_576

/** FROZEN. Returns the object key of an attachment that is stored separately from the source of its message. */
export const attachmentKey = (sourceKey: string, index: number): string => `${sourceKey}-${index}`

/**
 * No source is stored for this message. The message does not exist, is not inbound, or arrived before the server stored
 * sources.
 */
export class RawNotFound extends TaggedError("RawNotFound")<{ readonly messageId: string }> {}

/** The attachment does not exist, or its link has expired. */
export class AttachmentNotFound extends TaggedError("AttachmentNotFound")<{}> {}
