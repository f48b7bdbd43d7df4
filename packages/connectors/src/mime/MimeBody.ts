import { readEnvelope } from "@leadloom/core/internal/domain/email/MailHeaders"
import type { MailAttachment } from "@leadloom/core/internal/domain/email/MailAttachment"
import { visibleLine, visibleText } from "@leadloom/core/internal/domain/email/VisibleText"
import { decodeText } from "./Charset.ts"
import { fileName } from "./FileName.ts"
import { headerDecoding, readableFields } from "./HeaderDecoding.ts"
import { htmlToText, sanitizeHtml, textCharactersKept, textToHtml } from "./Html.ts"
import { type Budget, charsetOf, type MimePart, readPart } from "./MimeTree.ts"
import { decodedSize, decodeTransfer } from "./TransferEncoding.ts"

/** The maximum nesting depth of attached messages whose text is read. */
export const deepestMessage = 3

/** One piece of the body as plain text, HTML, or both. */
interface Segment {
  readonly plain: string | null
  readonly html: string | null
}

/** The content of a mail without its headers. */
export interface MimeBody {
  readonly text: string
  readonly html: string | null
  readonly attachments: ReadonlyArray<MailAttachment>
  /** All parts without sub-parts. The parsers of reports read them. */
  readonly leaves: ReadonlyArray<MimePart>
}

interface Collection {
  readonly budget: Budget
  readonly attached: Array<MimePart>
  readonly leaves: Array<MimePart>
  /** The number of characters of text that may still be read. */
  charactersLeft: number
  bodies: number
  /** Whether the mail is a report. The text of a report does not include the messages inside it. */
  readonly isReport: boolean
}

const fieldOf = (part: MimePart, name: string): string => part.fields.find((field) => field.name === name)?.value ?? ""

const fileNameOf = (part: MimePart): string | null =>
  fileName(part.disposition.params.get("filename") ?? part.contentType.params.get("name") ?? "")

const isCalendar = (part: MimePart): boolean => part.type === "text/calendar" || part.type === "application/ics"

/**
 * The maximum length of each of the type, the id and the method of an attachment. The length is limited, because a mail
 * may have hundreds of attachments.
 */
const descriptionCharacters = 998

const attachmentOf = (part: MimePart): MailAttachment => {
  const method = isCalendar(part)
    ? visibleLine(part.contentType.params.get("method") ?? "")
        .slice(0, descriptionCharacters)
        .toUpperCase()
    : ""
  return {
    filename: fileNameOf(part),
    contentType: visibleLine(part.type).slice(0, descriptionCharacters),
    size: decodedSize(part.body, part.encoding),
    contentId: visibleLine(fieldOf(part, "content-id")).replace(/^<|>$/gu, "").slice(0, descriptionCharacters) || null,
    inline:
      part.disposition.value === "inline" || (part.disposition.value === "" && fieldOf(part, "content-id") !== ""),
    ...(method === "" ? {} : { method })
  }
}

/** Returns the charset that an HTML document declares in its first kilobyte. */
const declaredCharset = (bytes: Buffer): string | null =>
  /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{1,40})/iu.exec(bytes.toString("latin1", 0, 1_024))?.[1] ?? null

const textOf = (part: MimePart, into: Collection): string => {
  const bytes = decodeTransfer(part.body, part.encoding, into.charactersLeft * 2 + 1_024)
  const hint = part.type === "text/html" ? declaredCharset(bytes) : null
  const { text, guessed } = decodeText(bytes, part.contentType.params.get("charset") ?? "", hint)
  if (guessed) into.budget.defects.add("The charset of a text part is missing, unknown or wrong.")
  const kept = text.slice(0, into.charactersLeft)
  if (kept.length < text.length || bytes.length >= into.charactersLeft * 2 + 1_024) {
    into.budget.defects.add(`The mail has more than ${textCharactersKept} characters of text; the rest was dropped.`)
  }
  into.charactersLeft -= kept.length
  return kept
}

/**
 * The lines stay as the sender wrote them. Joining the lines of `format=flowed` (RFC 3676) would destroy the marks of
 * quoted lines.
 */
const plainSegment = (part: MimePart, into: Collection): Segment => ({
  plain: visibleText(textOf(part, into)),
  html: null
})

const htmlSegment = (part: MimePart, into: Collection): Segment => {
  const { html, cut } = sanitizeHtml(textOf(part, into))
  if (cut) into.budget.defects.add("The HTML body is too long or has too many tags; the rest was dropped.")
  return { plain: null, html }
}

const isBody = (part: MimePart, into: Collection): boolean => {
  if (part.type !== "text/plain" && part.type !== "text/html") return false
  if (part.disposition.value === "attachment") return false
  // The first text part belongs to the body. A later text part with a file name is an attachment, even if its
  // disposition is `inline`.
  return into.bodies === 0 || fileNameOf(part) === null
}

const joined = (segments: ReadonlyArray<Segment>, pick: (segment: Segment) => string | null): string | null => {
  const found = segments.map(pick).filter((text) => text !== null)
  return found.length === 0 ? null : found.join("\n")
}

/** Alternatives (RFC 2046 section 5.1.4). The first alternative with plain text and the last one with HTML are used. */
const alternative = (children: ReadonlyArray<ReadonlyArray<Segment>>): ReadonlyArray<Segment> => {
  const plains = children.find((segments) => segments.some((segment) => segment.plain !== null))
  const htmls = children.findLast((segments) => segments.some((segment) => segment.html !== null))
  const plain = joined(plains ?? [], (segment) => segment.plain)
  const html = joined(htmls ?? [], (segment) => segment.html)
  return plain === null && html === null ? [] : [{ plain, html }]
}

/**
 * Converts an attached message to text: its main headers, then its body, as mail programs write a forwarded message.
 */
const messageSegments = (part: MimePart, into: Collection, depth: number): ReadonlyArray<Segment> => {
  const inner = readPart(decodeTransfer(part.body, part.encoding), into.budget, depth)
  const { from, to, subject, headers } = readEnvelope(readableFields(inner, charsetOf(inner)), headerDecoding)
  const date = headers.find(({ name }) => name === "date")?.value ?? ""
  const people = (list: typeof from): string =>
    list.map(({ name, email }) => (name === null ? email : `${name} <${email}>`)).join(", ")
  const lines: ReadonlyArray<readonly [string, string]> = [
    ["From", people(from)],
    ["Date", date],
    ["Subject", subject],
    ["To", people(to.slice(0, 20))]
  ]
  const block = lines.filter(([, value]) => value !== "").map(([label, value]) => `${label}: ${value}`)
  const heading = ["---------- Forwarded message ----------", ...block, ""].join("\n")
  return [{ plain: heading, html: null }, ...collect(inner, into, depth + 1)]
}

const evidence = new Set(["message/delivery-status", "message/global-delivery-status", "message/feedback-report"])
const headersOnly = new Set(["text/rfc822-headers", "text/rfc822-header", "message/rfc822-headers"])

const collectLeaf = (part: MimePart, into: Collection, messages: number): ReadonlyArray<Segment> => {
  into.leaves.push(part)
  if (isBody(part, into)) {
    into.bodies++
    return [part.type === "text/html" ? htmlSegment(part, into) : plainSegment(part, into)]
  }
  if (evidence.has(part.type) || (into.isReport && (headersOnly.has(part.type) || part.type === "message/rfc822")))
    return []
  if (part.body.length > 0 || !part.type.startsWith("text/")) into.attached.push(part)
  const readable =
    part.type === "message/rfc822" && part.disposition.value !== "attachment" && messages < deepestMessage
  return readable ? messageSegments(part, into, messages) : []
}

const collect = (part: MimePart, into: Collection, messages: number): ReadonlyArray<Segment> => {
  if (part.children.length === 0) {
    // A multipart without parts is read as a text part.
    return collectLeaf(part.type.startsWith("multipart/") ? { ...part, type: "text/plain" } : part, into, messages)
  }
  const children = part.children.map((child) => collect(child, into, messages))
  return part.type === "multipart/alternative" ? alternative(children) : children.flat()
}

const hasEvidence = (part: MimePart): boolean => evidence.has(part.type) || part.children.some(hasEvidence)

const readable = ({ plain, html }: Segment): string => {
  if (plain !== null && (plain.trim() !== "" || html === null)) return plain
  return html === null ? "" : htmlToText(html)
}

const emptyCollection = (root: MimePart, budget: Budget, charactersLeft: number): Collection => ({
  budget,
  attached: [],
  leaves: [],
  charactersLeft,
  bodies: 0,
  isReport: hasEvidence(root)
})

/**
 * Returns the decoded content of an attachment; null when there is no such attachment. `index` is its position in the
 * list of `readBody`.
 */
export const readAttachment = (root: MimePart, budget: Budget, index: number): Buffer | null => {
  // The list of attachments does not depend on the text, so no text is decoded.
  const into = emptyCollection(root, budget, 0)
  collect(root, into, 0)
  const part = into.attached[index]
  return part === undefined ? null : decodeTransfer(part.body, part.encoding)
}

/**
 * Collects the text, the HTML and the list of attachments of a mail. The list contains descriptions without content.
 */
export const readBody = (root: MimePart, budget: Budget): MimeBody => {
  const into = emptyCollection(root, budget, textCharactersKept)
  const segments = collect(root, into, 0)
  const hasHtml = segments.some(({ html }) => html !== null)
  const html = hasHtml ? segments.map((segment) => segment.html ?? textToHtml(segment.plain ?? "")).join("\n") : null
  const text = segments.map(readable).join("\n")
  const { attached, leaves } = into
  return { text, html, attachments: attached.map(attachmentOf), leaves }
}
