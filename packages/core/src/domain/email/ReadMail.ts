import { type Address, normalizeEmail } from "../address/Address.ts"
import { splitQuoted } from "./quoted/QuotedText.ts"
import { contentFingerprint } from "./Fingerprint.ts"
import type { ParsedMail } from "./ParsedMail.ts"

/** A parsed mail whose text has been split: all that needs time in proportion to its content has been done. */
export interface ReadMail extends ParsedMail {
  /** What its writer wrote, without quoted history and signature. */
  readonly body: string
  /** What was split off; the whole text where answers stand between quotes; null when there is none. */
  readonly quotedText: string | null
  /** Dedup key of its content. */
  readonly contentFingerprint: string
  /** SHA-256 of its source, where whoever parsed it has worked it out. */
  readonly rawFingerprint?: string
}

/** Normalized addresses, each once. */
export const emailsOf = (addresses: ReadonlyArray<Address>): ReadonlyArray<string> => [
  ...new Set(addresses.map((address) => normalizeEmail(address.email)).filter((email) => email !== ""))
]

/** The dedup key of a mail's content; `text` stands for its text. */
export const fingerprintOf = (mail: ParsedMail, text: string = mail.text): string =>
  contentFingerprint({
    from: emailsOf([...mail.from, ...(mail.sender === null ? [] : [mail.sender])])[0] ?? "",
    recipients: [...emailsOf(mail.to), ...emailsOf(mail.cc)],
    subject: mail.subject,
    text,
    dateSeconds: mail.date === null ? null : Math.floor(mail.date / 1000)
  })

/** Splits and hashes the text of a parsed mail. Belongs where the mail is parsed, which may be another thread. */
export const splitMail = (mail: ParsedMail): ReadMail => {
  const split = splitQuoted(mail.text, mail.html)
  const folded = [split.quoted, split.signature].filter((part) => part.trim() !== "").join("\n")
  // Answers between quotes make sense beside their questions only, so the whole text is kept, in its order.
  const quotedText = split.interleaved ? mail.text : folded
  return {
    ...mail,
    body: split.visible,
    quotedText: quotedText === "" ? null : quotedText,
    contentFingerprint: fingerprintOf(mail)
  }
}
