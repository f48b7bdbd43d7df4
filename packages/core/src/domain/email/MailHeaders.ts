import { type Address, normalizeEmail, parseAddressList } from "../address/Address.ts"
import { parseMailDate } from "./MailDate.ts"
import type { MailHeader, ParsedMail } from "./ParsedMail.ts"
import { visibleLine } from "./VisibleText.ts"

/** The limit of stored header fields per mail, and the limit of characters per value. */
export const maxHeaderFields = 2_000
export const maxHeaderValueLength = 65_536

/** The limit of addresses that are read from one kind of header field. */
export const maxMailboxes = 1_000

/** A parsed header block: the fields, the start of the body, and the defects. */
export interface HeaderBlock {
  readonly fields: ReadonlyArray<MailHeader>
  /** The index of the first character of the body. */
  readonly bodyStart: number
  readonly defects: ReadonlyArray<string>
}

/** The defect of a mail without a blank line between headers and body. */
export const missingBlankLine = "No blank line separates headers and body."

const fieldName = /^([!-9;-~]{1,200})[ \t]*:/u

/** Returns the line that starts at `from`, without its line break, and the start of the next line. */
const lineAt = (text: string, from: number): readonly [line: string, next: number] => {
  const end = text.indexOf("\n", from)
  if (end < 0) return [text.slice(from), text.length]
  return [text.slice(from, end > from && text[end - 1] === "\r" ? end - 1 : end), end + 1]
}

const isContinuation = (line: string): boolean => line.startsWith(" ") || line.startsWith("\t")

/**
 * Returns whether header fields follow after a line that is not a header field. If none follow, the line belongs to the
 * body.
 */
const headersGoOn = (text: string, next: number): boolean => {
  const [line] = lineAt(text, next)
  return isContinuation(line) ? line.trim() !== "" : fieldName.test(line)
}

/**
 * Separates the header block of a mail from its body (RFC 5322 section 2.2). Tolerates an mbox `From ` line, other text
 * between fields, a missing blank line before the body, and mixed line endings. Values are unfolded but not decoded.
 */
export const splitHeaders = (text: string): HeaderBlock => {
  const fields: Array<{ name: string; parts: Array<string> }> = []
  const defects = new Set<string>()
  let position = 0
  while (position < text.length) {
    const [line, next] = lineAt(text, position)
    const field = fieldName.exec(line)
    const last = fields[fields.length - 1]
    if (line === "") {
      position = next
      break
    }
    if (isContinuation(line) && last !== undefined) last.parts.push(line)
    else if (field !== null) fields.push({ name: (field[1] ?? "").toLowerCase(), parts: [line.slice(field[0].length)] })
    else if (fields.length === 0 && /^>?From /u.test(line)) defects.add("An mbox line precedes the headers.")
    else if (headersGoOn(text, next)) defects.add("A line in the headers is not a header field.")
    else {
      if (line.trim() !== "") defects.add(missingBlankLine)
      else position = next
      break
    }
    position = next
  }
  if (fields.length > maxHeaderFields) defects.add(`More than ${maxHeaderFields} header fields; the rest was dropped.`)
  return {
    fields: fields.slice(0, maxHeaderFields).map(({ name, parts }) => ({ name, value: unfold(parts, defects) })),
    bodyStart: position,
    defects: [...defects]
  }
}

const unfold = (parts: ReadonlyArray<string>, defects: Set<string>): string => {
  const value = parts.join("").trim()
  if (value.length <= maxHeaderValueLength) return value
  defects.add(`A header value of more than ${maxHeaderValueLength} characters was cut.`)
  return value.slice(0, maxHeaderValueLength)
}

/** The decoders for header values. The mail parser supplies the full implementation. */
export interface HeaderDecoding {
  /** Decodes the encoded words of RFC 2047. */
  readonly words: (value: string) => string
  /** Parses an address list and decodes the names. */
  readonly addresses: (value: string) => ReadonlyArray<Address>
}

/** The decoders that decode no encoded words. */
export const plainDecoding: HeaderDecoding = { words: (value) => value, addresses: parseAddressList }

/** The fields of a mail that come from its headers. */
export type Envelope = Omit<ParsedMail, "text" | "html" | "attachments" | "report" | "complaint">

/**
 * Fields that may occur only once (RFC 5322 section 3.6). A second occurrence is dangerous, because mail programs
 * disagree about which of the two is valid.
 */
const onceOnly = [
  "from",
  "sender",
  "reply-to",
  "to",
  "cc",
  "subject",
  "date",
  "message-id",
  "in-reply-to",
  "references"
]

const deliveryFields = new Set(["delivered-to", "x-original-to", "envelope-to", "x-envelope-to", "x-delivered-to"])

const cleanAddress = (address: Address): Address => ({
  email: visibleLine(address.email),
  name: address.name === null ? null : visibleLine(address.name) || null
})

/**
 * Reads the fields of a mail that come from its headers. Never fails. If a name occurs more than once, its first field
 * is used, and the repetition is recorded as a defect.
 */
export const readEnvelope = (fields: ReadonlyArray<MailHeader>, decoding: HeaderDecoding): Envelope => {
  const byName = new Map<string, Array<string>>()
  for (const { name, value } of fields) {
    const values = byName.get(name)
    if (values === undefined) byName.set(name, [value])
    else values.push(value)
  }
  const defects: Array<string> = []
  const decode = (value: string): string => visibleLine(decoding.words(value))
  const first = (name: string): string => byName.get(name)?.find((value) => value !== "") ?? ""
  const all = (name: string): string => (byName.get(name) ?? []).map(decode).join(" ").trim()
  const mailboxes = (values: ReadonlyArray<string>): ReadonlyArray<Address> => {
    const found = values
      .flatMap((value) => decoding.addresses(value))
      .map(cleanAddress)
      .filter(({ email }) => email.includes("@"))
    if (found.length > maxMailboxes) defects.push(`More than ${maxMailboxes} addresses in one field.`)
    return found.slice(0, maxMailboxes)
  }
  for (const name of onceOnly) {
    if ((byName.get(name)?.length ?? 0) > 1) defects.push(`The header ${name} occurs more than once.`)
  }
  const from = mailboxes([first("from")])
  if (!byName.has("from")) defects.push("There is no From header.")
  else if (from.length === 0) defects.push("The From header contains no address.")
  else if (from.length > 1) defects.push("The From header contains several addresses.")
  const date = first("date") === "" ? null : parseMailDate(first("date"))
  if (first("date") === "") defects.push("There is no Date header.")
  else if (date === null) defects.push("The Date header is unreadable or implausible.")
  if (first("message-id") === "") defects.push("There is no Message-ID header.")
  const delivered = fields.filter(({ name }) => deliveryFields.has(name)).map(({ value }) => value)
  return {
    headers: fields.map(({ name, value }) => ({ name, value: decode(value) })),
    messageId: decode(first("message-id")) || null,
    inReplyTo: all("in-reply-to"),
    references: all("references"),
    from,
    sender: mailboxes([first("sender")])[0] ?? null,
    replyTo: mailboxes(byName.get("reply-to") ?? []),
    to: mailboxes(byName.get("to") ?? []),
    cc: mailboxes(byName.get("cc") ?? []),
    bcc: mailboxes(byName.get("bcc") ?? []),
    deliveredTo: [...new Set(mailboxes(delivered).map(({ email }) => normalizeEmail(email)))],
    subject: decode(first("subject")),
    date,
    defects
  }
}
