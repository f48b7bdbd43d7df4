import { splitQuoted } from "../quoted/QuotedText.ts"
import type { ParsedMail } from "./ParsedMail.ts"

/** A parsed mail whose text has been split: all that needs time in proportion to its content has been done. */
export interface ReadMail extends ParsedMail {
  /** What its writer wrote, without quoted history and signature. */
  readonly body: string
  /** What was split off; the whole text where answers stand between quotes; null when there is none. */
  readonly quotedText: string | null
}

/** Splits the text of a parsed mail. Belongs where the mail is parsed, which may be another thread. */
export const splitMail = (mail: ParsedMail): ReadMail => {
  const split = splitQuoted(mail.text, mail.html)
  const folded = [split.quoted, split.signature].filter((part) => part.trim() !== "").join("\n")
  // Answers between quotes make sense beside their questions only, so the whole text is kept, in its order.
  const quotedText = split.interleaved ? mail.text : folded
  return { ...mail, body: split.visible, quotedText: quotedText === "" ? null : quotedText }
}
