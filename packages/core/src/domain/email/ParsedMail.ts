import type { Address } from "../address/Address.ts"

/** One header field as it arrived: `name` in lower case, `value` unfolded, encoded words (RFC 2047) decoded. */
export interface MailHeader {
  readonly name: string
  readonly value: string
}

/** What is known of an attachment without keeping its bytes. */
export interface MailAttachment {
  readonly filename: string | null
  /** Media type in lower case, `type/subtype`. */
  readonly contentType: string
  /** Size of the decoded content in bytes. */
  readonly size: number
  readonly contentId: string | null
  readonly inline: boolean
  /** Method of a calendar part (RFC 5546), for example `REQUEST`; absent on everything else. */
  readonly method?: string
  /** Its content is kept beside the source of the message; absent where it is inside the source, or nowhere. */
  readonly stored?: true
}

/** One recipient block of a delivery status notification (RFC 3464 section 2.3). */
export interface DeliveryStatus {
  readonly recipient: string
  readonly action: "failed" | "delayed" | "delivered" | "relayed" | "expanded"
  /** Enhanced status code (RFC 3463), for example `5.1.1`; null when the reporter gave none. */
  readonly status: string | null
  readonly diagnostic: string | null
}

/** The machine-readable part of a bounce (RFC 3464). */
export interface DeliveryReport {
  readonly statuses: ReadonlyArray<DeliveryStatus>
  /** Raw Message-ID of the mail the report is about, when the report carries its headers. */
  readonly originalMessageId: string | null
}

/** An abuse complaint (ARF, RFC 5965): somebody marked mail from here as unwanted. */
export interface Complaint {
  /** `abuse`, `fraud`, `opt-out` and so on, in lower case. */
  readonly feedbackType: string
  /** Normalised addresses that complained, as far as the report names them. */
  readonly recipients: ReadonlyArray<string>
  /** Raw Message-ID of the mail the complaint is about. */
  readonly originalMessageId: string | null
}

/** Why a mail could not be parsed: it took too long, it took too much memory, or the parser failed. */
export const unparsedReasons = ["deadline", "memory", "failed"] as const

export type UnparsedReason = (typeof unparsedReasons)[number]

/**
 * One mail after MIME decoding and before any decision about it. Total: every input has one, and what could not be
 * read is null, empty or named in `defects`. Header values are kept raw where their interpretation is a domain
 * matter (`messageId`, `inReplyTo`, `references`).
 */
export interface ParsedMail {
  /** Every header field in order of arrival. */
  readonly headers: ReadonlyArray<MailHeader>
  readonly messageId: string | null
  /** All In-Reply-To fields, joined with a space. */
  readonly inReplyTo: string
  /** All References fields, joined with a space. */
  readonly references: string
  readonly from: ReadonlyArray<Address>
  readonly sender: Address | null
  readonly replyTo: ReadonlyArray<Address>
  readonly to: ReadonlyArray<Address>
  readonly cc: ReadonlyArray<Address>
  readonly bcc: ReadonlyArray<Address>
  /** Addresses of Delivered-To, X-Original-To, Envelope-To: where the mail really arrived. */
  readonly deliveredTo: ReadonlyArray<string>
  readonly subject: string
  /** The Date header in epoch milliseconds; null when missing or unreadable. */
  readonly date: number | null
  /** Plain text: the text part, or the HTML part turned into text. */
  readonly text: string
  /** The HTML part, sanitised; null when the mail has none. */
  readonly html: string | null
  readonly attachments: ReadonlyArray<MailAttachment>
  readonly report: DeliveryReport | null
  /** The complaint that an abuse report carries; absent on every other mail. */
  readonly complaint?: Complaint
  /** Why its content could not be parsed; absent when it was. Then only headers are known, and `text` says so. */
  readonly unparsed?: UnparsedReason
  /** What was wrong with the input, one readable sentence each. */
  readonly defects: ReadonlyArray<string>
}

/** All values of one header field, in order of arrival; `name` in lower case. */
export const headerValues = (mail: Pick<ParsedMail, "headers">, name: string): ReadonlyArray<string> =>
  mail.headers.filter((header) => header.name === name).map((header) => header.value)

/** Whom a mail was handed over from and to (RFC 5321 section 2.3.1), whatever its header says. */
export interface Envelope {
  /** Where failures are told; empty for mail that must not be answered, for example bounces. */
  readonly sender: string
  /** The tenant's addresses it is for, in lower case: all that is known of a blind copy. */
  readonly recipients: ReadonlyArray<string>
}

/**
 * A mail with the return path of its envelope, as the last server on its way has to note it (RFC 5321 section 4.4). One
 * that the mail came with says nothing any more.
 */
export const withReturnPath = <Mail extends ParsedMail>(mail: Mail, { sender }: Pick<Envelope, "sender">): Mail => {
  const returnPath: MailHeader = { name: "return-path", value: `<${sender}>` }
  return { ...mail, headers: [returnPath, ...mail.headers.filter(({ name }) => name !== "return-path")] }
}
