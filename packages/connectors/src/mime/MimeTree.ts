import { type HeaderBlock, missingBlankLine, splitHeaders } from "@leadloom/core/internal/domain/email/MailHeaders"
import type { MailHeader } from "@leadloom/core/internal/domain/email/ParsedMail"
import { type Parameterised, parseParameterised } from "./MediaType.ts"

/** Limits against hostile mail: the nesting depth of parts, and the number of parts. Real mail stays far below them. */
export const deepestNesting = 24
export const partsRead = 500
export const headerBytesRead = 1_048_576

/** The maximum length of a boundary in bytes. RFC 2046 section 5.1.1 allows 70. */
const maxBoundaryLength = 256

/** One part of a mail (RFC 2045): its headers, and either sub-parts or a body in transfer encoding. */
export interface MimePart {
  readonly fields: ReadonlyArray<MailHeader>
  /** `type/subtype` in lower case; `text/plain` when the part names none. */
  readonly type: string
  readonly contentType: Parameterised
  readonly disposition: Parameterised
  readonly encoding: string
  readonly body: Buffer
  readonly children: ReadonlyArray<MimePart>
}

/** The remaining limits and the errors found while one mail is read. */
export interface Budget {
  parts: number
  readonly defects: Set<string>
}

/** Creates the budget for one mail. */
export const newBudget = (): Budget => ({ parts: partsRead, defects: new Set() })

const valueOf = (fields: ReadonlyArray<MailHeader>, name: string): string =>
  fields.find((field) => field.name === name)?.value ?? ""

/**
 * Separates the headers from the body. Bytes are read as Latin-1, so that a position in the text equals the position in
 * the bytes.
 */
const headerBlock = (bytes: Buffer): HeaderBlock => {
  // Most headers are short. At first, only the first 8 KB of the mail are converted to a string.
  const start = bytes.toString("latin1", 0, Math.min(bytes.length, 8_192))
  const block = splitHeaders(start)
  const cutShort = block.bodyStart >= start.length || block.defects.includes(missingBlankLine)
  if (!cutShort || start.length === bytes.length) return block
  const longer = splitHeaders(bytes.toString("latin1", 0, Math.min(bytes.length, headerBytesRead)))
  if (longer.bodyStart < headerBytesRead) return longer
  return { ...longer, defects: [...longer.defects, `The headers are longer than ${headerBytesRead} bytes.`] }
}

const isLineEnd = (byte: number | undefined): boolean => byte === undefined || byte === 0x0a || byte === 0x0d

/** One delimiter line: its start, the start of the next line, and whether it closes the multipart. */
interface Delimiter {
  readonly start: number
  readonly next: number
  readonly closes: boolean
}

const delimiterAt = (body: Buffer, start: number, length: number): Delimiter | null => {
  if (start > 0 && !isLineEnd(body[start - 1])) return null
  let end = start + length
  const closes = body[end] === 0x2d && body[end + 1] === 0x2d
  if (closes) end += 2
  while (body[end] === 0x20 || body[end] === 0x09) end++
  if (end < body.length && !isLineEnd(body[end])) return null
  const next = body[end] === 0x0d && body[end + 1] === 0x0a ? end + 2 : end + 1
  return { start, next: Math.min(next, body.length), closes }
}

/**
 * Returns the bytes between two delimiters, without the line end that belongs to the second one (RFC 2046 section
 * 5.1.1).
 */
const between = (body: Buffer, from: number, to: number): Buffer => {
  let end = to
  if (end > from && body[end - 1] === 0x0a) end--
  if (end > from && body[end - 1] === 0x0d) end--
  return body.subarray(Math.min(from, end), end)
}

const splitMultipart = (body: Buffer, boundary: string, budget: Budget): ReadonlyArray<Buffer> => {
  const marker = Buffer.from(`--${boundary}`, "latin1")
  const parts: Array<Buffer> = []
  let from = -1
  for (let at = body.indexOf(marker); at >= 0; at = body.indexOf(marker, at + marker.length)) {
    const delimiter = delimiterAt(body, at, marker.length)
    if (delimiter === null) continue
    if (from >= 0) parts.push(between(body, from, delimiter.start))
    if (delimiter.closes) return parts
    if (parts.length >= budget.parts) {
      budget.defects.add(`The mail has more than ${partsRead} parts; the rest was dropped.`)
      return parts
    }
    from = delimiter.next
  }
  if (from < 0) return parts
  budget.defects.add("A multipart body has no closing boundary.")
  return [...parts, body.subarray(from)]
}

/** Guesses the boundary of a multipart with a missing or wrong one: the first line that looks like a delimiter. */
const guessBoundary = (body: Buffer): string | null =>
  /(?:^|\n)--([^\s-][^\r\n]{0,199}?)[ \t]*\r?\n[!-9;-~]+:/u.exec(body.toString("latin1", 0, 16_384))?.[1] ?? null

const childBodies = (body: Buffer, contentType: Parameterised, budget: Budget): ReadonlyArray<Buffer> => {
  // The parameter is decoded text, but boundaries are compared as bytes. A boundary outside ASCII is invalid, so the
  // comparison does not find it.
  const boundary = (contentType.params.get("boundary") ?? "").trimEnd()
  const parts = boundary === "" || boundary.length > maxBoundaryLength ? [] : splitMultipart(body, boundary, budget)
  if (parts.length > 0) return parts
  budget.defects.add("The body of a multipart does not contain its boundary.")
  const guessed = guessBoundary(body)
  return guessed === null ? [] : splitMultipart(body, guessed, budget)
}

/**
 * Returns the effective media type. A malformed type counts as an unknown file. Exceptions are `text`, `plain` and
 * `multipart` without a subtype.
 */
const mediaType = (value: string, fallback: string): string => {
  if (/^[^\s/;]+\/[^\s/;]+$/u.test(value)) return value
  if (value.startsWith("multipart")) return "multipart/mixed"
  return value === "" || /^(?:text|plain)\b/u.test(value) ? fallback : "application/octet-stream"
}

/**
 * Returns whether a part without a type starts like an HTML document. Old mailing programs omit the type of such parts.
 */
const looksLikeHtml = (body: Buffer): boolean =>
  /^\s*<(?:!doctype\s+html|html)\b/iu.test(body.toString("latin1", 0, 200))

/** Reads a part with all its sub-parts. `fallback` is the type of a part without a type. */
export const readPart = (
  bytes: Buffer,
  budget: Budget,
  depth: number = 0,
  fallback: string = "text/plain"
): MimePart => {
  budget.parts--
  const { fields, bodyStart, defects } = headerBlock(bytes)
  for (const defect of defects) budget.defects.add(defect)
  const contentType = parseParameterised(valueOf(fields, "content-type"))
  const body = bytes.subarray(bodyStart)
  const named = mediaType(contentType.value, fallback)
  const type = contentType.value === "" && named === "text/plain" && looksLikeHtml(body) ? "text/html" : named
  const multipart = type.startsWith("multipart/")
  if (multipart && depth >= deepestNesting) budget.defects.add(`Parts are nested deeper than ${deepestNesting} levels.`)
  const bodies = multipart && depth < deepestNesting ? childBodies(body, contentType, budget) : []
  const childType = type === "multipart/digest" ? "message/rfc822" : "text/plain"
  const children: Array<MimePart> = []
  for (const child of bodies) {
    if (budget.parts <= 0) budget.defects.add(`The mail has more than ${partsRead} parts; the rest was dropped.`)
    else children.push(readPart(child, budget, depth + 1, childType))
  }
  return {
    fields,
    type,
    contentType,
    disposition: parseParameterised(valueOf(fields, "content-disposition")),
    encoding: /[\w-]+/u.exec(valueOf(fields, "content-transfer-encoding").toLowerCase())?.[0] ?? "",
    body,
    children
  }
}

/** Returns the first charset in the headers of a mail or of its parts; null when no header names one. */
export const charsetOf = (part: MimePart): string | null => {
  const own = part.contentType.params.get("charset")
  if (own !== undefined && own !== "") return own
  for (const child of part.children) {
    const found = charsetOf(child)
    if (found !== null) return found
  }
  return null
}
