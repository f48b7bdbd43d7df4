import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { normalizeEmail } from "../address/Address.ts"
import { visibleText } from "./VisibleText.ts"

/**
 * FROZEN. The formats below are stored as dedup keys: a change makes every copy of an older mail look new. Known-answer
 * vectors in the tests pin them.
 */

/** Reply and forward prefixes that mail clients write, in many languages, in lower case. */
const prefixes =
  "re|r|aw|antw|antwort|sv|vs|ref|rif|res|odp|ynt|vá|ré|atb|bls|rv|fw|fwd|wg|tr|i|enc|vl|pd|ilt|továbbítás|doorst|vb|yml|fs|" +
  "videre|回复|回覆|答复|转发|轉寄|返信|転送|השב|הועבר|απ|πρθ|σχετ|رد|إعادة توجيه|отв|на|пересл"

const prefix = new RegExp(`^(?:${prefixes})\\s*(?:(?:\\[\\d{1,3}\\]|\\(\\d{1,3}\\)|\\^\\d{1,3})\\s*)?[:：]\\s*`, "u")

/** Most characters of a subject that count: a prefix loop over a huge one would cost too much. */
const subjectCharacters = 1_000

/**
 * The subject without reply and forward prefixes (`Re:`, `AW:`, `Fwd:`, `Re[2]:`, `回复：` …), white space folded, in
 * lower case. List tags stay: they are part of what the thread is about.
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

/** The words of a text: unseen characters gone, NFC, every run of white space one space. Wrapping does not matter. */
export const normalizeText = (text: string): string => visibleText(text).normalize("NFC").replace(/\s+/gu, " ").trim()

/** What tells one mail from another when ids are missing or not to be trusted. */
export interface MailContent {
  /** Address of the sender. */
  readonly from: string
  /** Addresses of To and Cc, in any order. */
  readonly recipients: ReadonlyArray<string>
  readonly subject: string
  readonly text: string
  /** The Date header in whole seconds since the epoch; null when the mail has none that can be read. */
  readonly dateSeconds: number | null
}

/** FROZEN: SHA-256 of the UTF-8 bytes of a text, in lower-case hex. */
const digest = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/**
 * FROZEN dedup key of a mail's content: SHA-256 in lower-case hex over the JSON array
 * `["mail/1", sender, [recipients, sorted, each once], subject, text, date]`, all parts normalised. JSON keeps the
 * parts apart whatever they contain.
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

/** Domain of the ids made here; `.invalid` belongs to nobody (RFC 2606). */
export const synthesizedIdDomain = "content.invalid"

/** FROZEN Message-ID of a mail that carries none: from the SHA-256 (hex) of its raw bytes, so a copy gets the same. */
export const synthesizedMessageId = (rawSha256Hex: string): string =>
  `${rawSha256Hex.toLowerCase()}@${synthesizedIdDomain}`

/** FROZEN: SHA-256 of a raw mail in lower-case hex. */
export const rawFingerprint = (raw: Uint8Array): string => bytesToHex(sha256(raw))

/** What decides whether a repeated Message-ID is a copy. */
export type ReuseWitness = Pick<MailContent, "from" | "subject" | "dateSeconds">

/**
 * Whether two mails that carry one Message-ID are different mails: another sender, or another subject and another date.
 * Copies that took two routes differ in trace headers, list tags or footers only.
 */
export const isReusedId = (existing: ReuseWitness, incoming: ReuseWitness): boolean => {
  if (normalizeEmail(existing.from) !== normalizeEmail(incoming.from)) return true
  const otherSubject = normalizeSubject(existing.subject) !== normalizeSubject(incoming.subject)
  return otherSubject && existing.dateSeconds !== incoming.dateSeconds
}

/**
 * FROZEN. What a mail is tied to, beside its content: empty when it refers to nothing, else a colon and the first 16 hex
 * digits of SHA-256 over its referred ids, each once, sorted, one a line. Mails of one content that are tied to other
 * messages are not copies: dropping one of them would cut a thread, and which one would depend on the order of arrival.
 */
export const referencesFingerprint = (ids: ReadonlyArray<string>): string =>
  ids.length === 0 ? "" : `:${digest([...new Set(ids)].toSorted().join("\n")).slice(0, 16)}`
