import { Data } from "effect"

/** Media type of a mail as it travels (RFC 2046 section 5.2.1): its attachments are inside. */
export const mimeSource = "message/rfc822"

/** What a message was made from, as it came. */
export interface MailSource {
  readonly bytes: Uint8Array
  /** `message/rfc822`, or what else a provider delivers, for example `application/json`. */
  readonly mediaType: string
  /**
   * Contents of attachments that are not inside `bytes`, in the order of the message's; null where there is none. Of a
   * mail as it travels nothing is kept twice.
   */
  readonly attachments?: ReadonlyArray<Uint8Array | null>
}

/** Where the source of a message is kept. */
export interface StoredSource {
  readonly key: string
  /** Bytes. */
  readonly size: number
  readonly mediaType: string
}

/** Most bytes of attachments kept beside the source of one mail; further ones keep their description only. */
export const maxAttachmentBytes = 25 * 1_048_576

/** Key of the content of an attachment that is kept beside its source. FROZEN. */
export const attachmentKey = (sourceKey: string, index: number): string => `${sourceKey}-${index}`

/** Nothing is kept under this message: it is not there, nobody wrote it from outside, or it came before sources were kept. */
export class RawNotFound extends Data.TaggedError("RawNotFound")<{ readonly messageId: string }> {}

/** There is no such attachment, or its link is over. */
export class AttachmentNotFound extends Data.TaggedError("AttachmentNotFound")<{}> {}
