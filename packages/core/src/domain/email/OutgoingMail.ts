import type { Address } from "../address/Address.ts"

/** One email as it is to leave, whoever carries it. Addresses are normalised, lines hold no line breaks. */
export interface OutgoingMail {
  /** Our own Message-ID, without angle brackets. */
  readonly internetMessageId: string
  /** The Date header; epoch milliseconds. */
  readonly date: number
  readonly from: Address
  readonly to: ReadonlyArray<Address>
  readonly cc: ReadonlyArray<Address>
  /** Receive it and are named nowhere in it. */
  readonly bcc: ReadonlyArray<Address>
  readonly subject: string
  /** There always is one: HTML gets a text alternative. */
  readonly text: string
  readonly html: string | null
  /** Message-ID of the mail that this answers, without brackets. */
  readonly inReplyTo: string | null
  /** What the provider of the account calls the mail that this answers; null when it has no name for it. */
  readonly answersProviderId: string | null
  /** Message-IDs of the thread, root first. */
  readonly references: ReadonlyArray<string>
  /** `Auto-Submitted: auto-replied` (RFC 3834 section 3.1.7): no person wrote this. */
  readonly automatic: boolean
}

/** Most recipients of one mail, all fields together. RFC 5321 section 4.5.3.1.8 promises that a relay takes 100. */
export const maxRecipients = 100

/** Most ids in References: the root and the newest. More than a thread needs, far from the longest header. */
export const maxReferences = 20

/** References of an answer: the ids of the thread, root first, capped at the root and the newest. */
export const cappedReferences = (ids: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [root, ...rest] = [...new Set(ids)]
  if (root === undefined) return []
  return [root, ...rest.slice(-(maxReferences - 1))]
}

/** A text that goes into one header line: control characters, line breaks among them, become spaces. */
export const headerLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .trim()

/** Every address that a mail goes to, each once. */
export const recipientsOf = ({ bcc, cc, to }: Pick<OutgoingMail, "bcc" | "cc" | "to">): ReadonlyArray<string> => [
  ...new Set([...to, ...cc, ...bcc].map(({ email }) => email))
]

/** The subject of an answer: `Re:` once, whatever the other side wrote before it. */
export const replySubject = (subject: string | null): string => {
  const line = headerLine(subject ?? "")
  return /^re\s*:/iu.test(line) ? line : `Re: ${line}`.trimEnd()
}
