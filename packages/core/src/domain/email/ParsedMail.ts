// Email: parsed and outbound mail, connected accounts, bounces, automatic mail and dedup keys. MIME parsing and the
// transmission of mail do not belong here (`packages/connectors/src/{mime,smtp,nylas}`). Tests:
// `packages/core/test/domain/email`, `packages/testkit/src/suite/mailbox`.

import type { Address } from "../address/Address.ts"
import type { MailAttachment } from "./MailAttachment.ts"

/** One header field: `name` in lower case, `value` unfolded and with encoded words (RFC 2047) decoded. */
export interface MailHeader {
  readonly name: string
  readonly value: string
}

/** One recipient block of a delivery status notification (RFC 3464 section 2.3). */
export interface DeliveryStatus {
  readonly recipient: string
  readonly action: "failed" | "delayed" | "delivered" | "relayed" | "expanded"
  /** The enhanced status code (RFC 3463), for example `5.1.1`; null if there is none. */
  readonly status: string | null
  readonly diagnostic: string | null
}

/** The machine-readable part of a bounce (RFC 3464). */
export interface DeliveryReport {
  readonly statuses: ReadonlyArray<DeliveryStatus>
  /** The raw Message-ID of the reported mail, if the report contains its headers. */
  readonly originalMessageId: string | null
}

/** An abuse complaint (ARF, RFC 5965): a recipient marked mail from this server as unwanted. */
export interface Complaint {
  /** For example `abuse`, `fraud` or `opt-out`, in lower case. */
  readonly feedbackType: string
  /** The normalised addresses of the complainants, if the report contains them. */
  readonly recipients: ReadonlyArray<string>
  /** The raw Message-ID of the reported mail. */
  readonly originalMessageId: string | null
}

/** The reasons for a failed parse: the time limit, the memory limit, or a failure of the parser. */
export const unparsedReasons = ["deadline", "memory", "failed"] as const

export type UnparsedReason = (typeof unparsedReasons)[number]

/**
 * One mail after MIME decoding and before any decision. Every input has such a result: an unreadable part is null,
 * empty or listed in `defects`. `messageId`, `inReplyTo` and `references` are the raw header values, because the domain
 * parses them.
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
  /**
   * The addresses of Delivered-To, X-Original-To and Envelope-To. In these fields, delivery systems record the actual
   * recipient.
   */
  readonly deliveredTo: ReadonlyArray<string>
  readonly subject: string
  /** The Date header in epoch milliseconds; null if missing or unreadable. */
  readonly date: number | null
  /** The text part; without one, the HTML part converted to plain text. */
  readonly text: string
  /** The sanitised HTML part; null if there is none. */
  readonly html: string | null
  readonly attachments: ReadonlyArray<MailAttachment>
  readonly report: DeliveryReport | null
  /** The complaint of an abuse report; absent for other mail. */
  readonly complaint?: Complaint
  /**
   * The reason why the content could not be parsed. Absent if it was parsed. An unparsed mail consists of its headers
   * and a fixed `text`.
   */
  readonly unparsed?: UnparsedReason
  /** The problems of the input, one sentence for each. */
  readonly defects: ReadonlyArray<string>
}

/** Returns all values of a header field in order of arrival. `name` must be in lower case. */
export const headerValues = (mail: Pick<ParsedMail, "headers">, name: string): ReadonlyArray<string> =>
  mail.headers.filter((header) => header.name === name).map((header) => header.value)

/** The SMTP envelope of a mail (RFC 5321 section 2.3.1), independent of its headers. */
export interface Envelope {
  /** The address for failure reports. Empty for mail that must not be answered, such as bounces. */
  readonly sender: string
  /** The tenant's recipient addresses in lower case. Only the envelope contains the recipients of blind copies. */
  readonly recipients: ReadonlyArray<string>
}

/**
 * Sets the return path of a mail from its envelope, as the final mail server must do (RFC 5321 section 4.4). Removes
 * existing return paths, because anyone can write them.
 */
export const withReturnPath = <Mail extends ParsedMail>(mail: Mail, { sender }: Pick<Envelope, "sender">): Mail => {
  const returnPath: MailHeader = { name: "return-path", value: `<${sender}>` }
  return { ...mail, headers: [returnPath, ...mail.headers.filter(({ name }) => name !== "return-path")] }
}
