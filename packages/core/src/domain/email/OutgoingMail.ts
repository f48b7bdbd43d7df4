import type { Address } from "../address/Address.ts"

/** A file of an outbound message. Its content is an object. */
export interface OutgoingAttachment {
  readonly filename: string
  readonly contentType: string
  /** In bytes. */
  readonly size: number
  /** The id by which the HTML shows the image (`cid:<id>`); null for a file that is not part of the HTML. */
  readonly contentId: string | null
  readonly objectKey: string
}

/** One outbound email, for any provider. Addresses are normalised, and header values contain no line breaks. */
export interface OutgoingMail {
  /** The Message-ID that this server assigns, without angle brackets. */
  readonly internetMessageId: string
  /** The Date header in epoch milliseconds. */
  readonly date: number
  readonly from: Address
  readonly to: ReadonlyArray<Address>
  readonly cc: ReadonlyArray<Address>
  /** The recipients of blind copies. They do not appear in the headers. */
  readonly bcc: ReadonlyArray<Address>
  /** The addresses for replies, if they differ from the sender. Absent in mail of earlier versions. */
  readonly replyTo?: ReadonlyArray<Address>
  /** Absent in mail of earlier versions. */
  readonly attachments?: ReadonlyArray<OutgoingAttachment>
  readonly subject: string
  /** The plain text. HTML mail has it as the alternative. */
  readonly text: string
  readonly html: string | null
  /** The Message-ID of the answered mail, without brackets. */
  readonly inReplyTo: string | null
  /** The provider's id of the answered mail. Null if the answered mail has none. */
  readonly answersProviderId: string | null
  /** The Message-IDs of the thread, root first. */
  readonly references: ReadonlyArray<string>
  /** Adds the header `Auto-Submitted` (RFC 3834 section 5), because no person sent the mail. */
  readonly automatic: boolean
  /**
   * The value of the header `Auto-Submitted`. `auto-generated`: the mail does not answer its recipient. Default:
   * `auto-replied` (section 3.1.7).
   */
  readonly autoSubmitted?: "auto-generated" | "auto-replied"
  /**
   * The link with which the recipient opts out, for the headers `List-Unsubscribe` (RFC 2369 section 3.2) and
   * `List-Unsubscribe-Post` (RFC 8058 section 3.1). Null or absent if the mail has none.
   */
  readonly unsubscribeUrl?: string | null
}

/** The limit of recipients per mail, all fields together. RFC 5321 section 4.5.3.1.8 requires relays to accept 100. */
export const maxRecipients = 100

/**
 * The limit of ids in References: the root and the newest ids. These suffice to link threads, and they are far below
 * the length limit of header fields.
 */
export const maxReferences = 20

/**
 * Returns the References of a reply: the unique ids of the thread, root first. If there are more than `maxReferences`,
 * only the root and the newest ids remain.
 */
export const cappedReferences = (ids: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [root, ...rest] = [...new Set(ids)]
  if (root === undefined) return []
  return [root, ...rest.slice(-(maxReferences - 1))]
}

/** Makes a text safe for a header: replaces control characters and line breaks by spaces. */
export const headerLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()

/** Returns the unique recipient addresses of a mail. */
export const recipientsOf = ({ bcc, cc, to }: Pick<OutgoingMail, "bcc" | "cc" | "to">): ReadonlyArray<string> => [
  ...new Set([...to, ...cc, ...bcc].map(({ email }) => email))
]

/** Returns the subject of a forwarded mail with exactly one `Fwd:`, regardless of an earlier prefix. */
export const forwardSubject = (subject: string | null): string => {
  const line = headerLine(subject ?? "")
  return /^fwd?\s*:/iu.test(line) ? line : `Fwd: ${line}`.trimEnd()
}

/** Returns the subject of a reply with exactly one `Re:`, regardless of earlier prefixes. */
export const replySubject = (subject: string | null): string => {
  const line = headerLine(subject ?? "")
  return /^re\s*:/iu.test(line) ? line : `Re: ${line}`.trimEnd()
}
