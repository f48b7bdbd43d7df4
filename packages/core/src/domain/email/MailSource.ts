import { Data, Schema } from "effect"

/** The media type of a whole mail (RFC 2046 section 5.2.1), attachments included. */
export const mimeSource = "message/rfc822"

/** The original bytes of a message. */
export interface MailSource {
  readonly bytes: Uint8Array
  /** `message/rfc822`, or another type that a provider delivers, for example `application/json`. */
  readonly mediaType: string
  /**
   * The attachments that `bytes` does not contain, in the order of the message's attachments; null for a missing one. A
   * whole mail contains its attachments, so they are not stored again.
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
 * The limit of attachment bytes stored next to the source of one mail. Only the description of further attachments is
 * stored.
 */
export const maxAttachmentBytes = 25 * 1_048_576

/** FROZEN. Returns the object key of an attachment that is stored next to its source. */
export const attachmentKey = (sourceKey: string, index: number): string => `${sourceKey}-${index}`

/**
 * No source is stored for this message: the message does not exist, is not inbound, or is older than the storage of
 * sources.
 */
export class RawNotFound extends Data.TaggedError("RawNotFound")<{ readonly messageId: string }> {}

/** The attachment does not exist, or its link has expired. */
export class AttachmentNotFound extends Data.TaggedError("AttachmentNotFound")<{}> {}
