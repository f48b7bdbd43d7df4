import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { normalizeEmail } from "../address/Address.ts"
import { visibleText } from "./VisibleText.ts"

/**
 * FROZEN. The formats below are stored as dedup keys. If they changed, the server would treat every copy of an older
 * mail as new. The tests contain known-answer vectors.
 */

/** Prefixes for replies and forwards in many languages, in lower case. */
const prefixes =
  "re|r|aw|antw|antwort|sv|vs|ref|rif|res|odp|ynt|vá|ré|atb|bls|rv|fw|fwd|wg|tr|i|enc|vl|pd|ilt|továbbítás|doorst|vb|yml|fs|" +
  "videre|回复|回覆|答复|转发|轉寄|返信|転送|השב|הועבר|απ|πρθ|σχετ|رد|إعادة توجيه|отв|на|пересл"

const prefix = new RegExp(`^(?:${prefixes})\\s*(?:(?:\\[\\d{1,3}\\]|\\(\\d{1,3}\\)|\\^\\d{1,3})\\s*)?[:：]\\s*`, "u")

/** The number of characters of a subject that are processed. The limit bounds the cost of removing prefixes. */
const subjectCharacters = 1_000

/**
 * Returns the subject without prefixes for replies and forwards (`Re:`, `AW:`, `Fwd:`, `Re[2]:`, `回复：` …), in lower
 * case and with white space collapsed. Keeps the tags of mailing lists, because they distinguish threads.
 */
export const normalizeSubject = (subject: string): string => {
  let rest = visibleText(subject)
    .slice(0, subjectCharacters)
    .normalize("NFC")
    .replace(/\s+/gu, " ")
    .trim()
    .toLowerCase()
  for (;;) {
    const shorter = rest.replace(prefix, "")
    if (shorter === rest) return rest
    rest = shorter
  }
}

/**
 * Normalises a text: removes invisible characters, applies NFC, and collapses white space. Texts that differ only in
 * line wrapping have equal results.
 */
export const normalizeText = (text: string): string => visibleText(text).normalize("NFC").replace(/\s+/gu, " ").trim()

/** The content of a mail that distinguishes mails without a reliable Message-ID. */
export interface MailContent {
  /** The sender's address. */
  readonly from: string
  /** The addresses in To and Cc, in any order. */
  readonly recipients: ReadonlyArray<string>
  readonly subject: string
  readonly text: string
  /** The Date header in whole Unix seconds; null if it is missing or unreadable. */
  readonly dateSeconds: number | null
}

/** FROZEN. Returns the SHA-256 of a text's UTF-8 bytes, in lower-case hex. */
const digest = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/**
 * FROZEN. Returns the dedup key of a mail's content. It is the SHA-256 in lower-case hex of the JSON array `["mail/1",
 * sender, [sorted unique recipients], subject, text, date]` with normalised values. JSON separates the values
 * unambiguously.
 */
export const contentFingerprint = (content: MailContent): string =>
  digest(
    JSON.stringify([
      "mail/1",
      normalizeEmail(content.from),
      [...new Set(content.recipients.map(normalizeEmail))].toSorted(),
      normalizeSubject(content.subject),
      normalizeText(content.text),
      content.dateSeconds
    ])
  )

/** The domain of synthesised Message-IDs. `.invalid` is reserved (RFC 2606), so no real mail uses it. */
export const synthesizedIdDomain = "content.invalid"

/**
 * FROZEN. Returns a Message-ID for a mail that has none, from the SHA-256 (hex) of its raw bytes. Copies of the mail
 * get the same id.
 */
export const synthesizedMessageId = (rawSha256Hex: string): string =>
  `${rawSha256Hex.toLowerCase()}@${synthesizedIdDomain}`

/** FROZEN. Returns the SHA-256 of a raw mail in lower-case hex. */
export const rawFingerprint = (raw: Uint8Array): string => bytesToHex(sha256(raw))

/** The values that decide whether a mail with a known Message-ID is a copy. */
export type ReuseWitness = Pick<MailContent, "from" | "subject" | "dateSeconds">

/**
 * Returns whether two mails with the same Message-ID are different mails. They are different if the senders differ, or
 * if both subject and date differ. Copies that arrive by two routes differ only in trace headers, list tags or footers.
 */
export const isReusedId = (existing: ReuseWitness, incoming: ReuseWitness): boolean => {
  if (normalizeEmail(existing.from) !== normalizeEmail(incoming.from)) return true
  const otherSubject = normalizeSubject(existing.subject) !== normalizeSubject(incoming.subject)
  return otherSubject && existing.dateSeconds !== incoming.dateSeconds
}

/**
 * FROZEN. Returns the part of a dedup key that depends on the references of a mail. Without references, it is empty.
 * Otherwise it is a colon and the first 16 hex digits of SHA-256 over the unique sorted ids, one per line. Because of
 * this part, mails with equal content and different references are not copies. If one of them were dropped as a copy, a
 * thread could lose a link, and the result would depend on the order of arrival.
 */
export const referencesFingerprint = (ids: ReadonlyArray<string>): string =>
  ids.length === 0 ? "" : `:${digest([...new Set(ids)].toSorted().join("\n")).slice(0, 16)}`
