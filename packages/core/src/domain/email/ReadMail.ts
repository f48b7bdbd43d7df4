import { type Address, normalizeEmail } from "../address/Address.ts"
import { splitQuoted } from "./quoted/QuotedText.ts"
import { contentFingerprint } from "./Fingerprint.ts"
import type { ParsedMail } from "./ParsedMail.ts"

/**
 * A parsed mail whose text is split into new text and quoted history. All work whose cost depends on the size of the
 * content is already done.
 */
export interface ReadMail extends ParsedMail {
  /** The author's text, without quoted history and signature. */
  readonly body: string
  /** The quoted history and signature. If the author writes between quotes, the whole text. Null if there is none. */
  readonly quotedText: string | null
  /** The dedup key of the content. */
  readonly contentFingerprint: string
  /** The SHA-256 of the source. Absent if the parser has not computed it. */
  readonly rawFingerprint?: string
}

/** Returns the normalised, unique addresses. */
export const emailsOf = (addresses: ReadonlyArray<Address>): ReadonlyArray<string> => [
  ...new Set(addresses.map((address) => normalizeEmail(address.email)).filter((email) => email !== ""))
]

/** Returns the dedup key of a mail's content. `text` replaces the text of the mail. */
export const fingerprintOf = (mail: ParsedMail, text: string = mail.text): string =>
  contentFingerprint({
    from: emailsOf([...mail.from, ...(mail.sender === null ? [] : [mail.sender])])[0] ?? "",
    recipients: [...emailsOf(mail.to), ...emailsOf(mail.cc)],
    subject: mail.subject,
    text,
    dateSeconds: mail.date === null ? null : Math.floor(mail.date / 1000)
  })

/**
 * Splits and hashes the text of a parsed mail. Call it in the process that parses the mail, because the work depends on
 * the size of the text.
 */
export const splitMail = (mail: ParsedMail): ReadMail => {
  const split = splitQuoted(mail.text, mail.html)
  const folded = [split.quoted, split.signature].filter((part) => part.trim() !== "").join("\n")
  // Replies between quotes are not understandable without the quotes, so the whole text is stored in its order.
  const quotedText = split.interleaved ? mail.text : folded
  return {
    ...mail,
    body: split.visible,
    quotedText: quotedText === "" ? null : quotedText,
    contentFingerprint: fingerprintOf(mail)
  }
}
