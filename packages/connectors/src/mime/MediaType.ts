import { decodeWords } from "postal-mime"
import { decodeText } from "./Charset.ts"
import { withReadableWords } from "./EncodedWord.ts"

/** A structured header value, for example `text/plain; charset="utf-8"` (RFC 2045 section 5.1, RFC 2183). */
export interface Parameterised {
  /** The part before the first semicolon, in lower case. */
  readonly value: string
  /**
   * The parameters by lower-case name. Continuations and percent codes (RFC 2231) are resolved. Of several parameters
   * with one name, the first counts.
   */
  readonly params: ReadonlyMap<string, string>
}

/** The maximum length of a value, and the maximum number of parameters. */
const maxValueLength = 8_192
const maxParameters = 60

/** Comments outside quotes, as in `text/plain (yes, really)`. A comment directly after a value belongs to the value. */
const comments = /("(?:\\.|[^"\\])*"?)|(^|[\s;])\([^()]*\)/gsu

const pieces = /((?:"(?:\\.|[^"\\])*"?|[^;"])*)(?:;|$)/gsu

const unquote = (text: string): string => {
  const trimmed = text.trim()
  const quoted = /^"((?:\\.|[^"\\])*)"?/su.exec(trimmed)
  return quoted === null ? trimmed : (quoted[1] ?? "").replace(/\\(["\\])/gu, "$1")
}

interface Section {
  readonly index: number
  readonly encoded: boolean
  readonly text: string
}

const percentBytes = (text: string): Buffer =>
  Buffer.from(
    text.replace(/%([\dA-F]{2})/giu, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    "latin1"
  )

/** Joins the sections of one parameter. Percent codes are bytes in the charset of the first section. */
const joinSections = (sections: ReadonlyArray<Section>): string => {
  const ordered = sections.toSorted((a, b) => a.index - b.index)
  const opening = ordered[0]
  const declared = opening?.encoded === true ? /^([^']*)'[^']*'/u.exec(opening.text) : null
  const charset = declared?.[1] ?? "utf-8"
  const bytes = ordered.map(({ encoded, text }, i) => {
    const body = i === 0 && declared !== null ? text.slice(declared[0].length) : text
    return encoded ? percentBytes(body) : Buffer.from(body, "latin1")
  })
  return decodeText(Buffer.concat(bytes), charset).text
}

/**
 * Decodes raw 8-bit bytes (given as Latin-1 characters) and encoded words, although parameters should not contain them.
 */
const readPlain = (text: string): string => {
  const decoded = /[\x80-\xFF]/u.test(text) ? decodeText(Buffer.from(text, "latin1"), "").text : text
  return decoded.includes("=?") ? decodeWords(withReadableWords(decoded)) : decoded
}

/** Parses a structured header value, given as Latin-1 characters of its bytes. Never throws. */
export const parseParameterised = (raw: string): Parameterised => {
  const text = raw
    .slice(0, maxValueLength)
    .replace(comments, (_, quoted: string | undefined, lead: string | undefined) => quoted ?? lead ?? "")
  const [value = "", ...rest] = [...text.matchAll(pieces)].map((match) => match[1] ?? "")
  const plain = new Map<string, string>()
  const sections = new Map<string, Array<Section>>()
  for (const piece of rest.slice(0, maxParameters)) {
    const equals = piece.indexOf("=")
    const name = piece.slice(0, Math.max(0, equals)).trim().toLowerCase()
    if (equals <= 0 || name === "") continue
    const content = unquote(piece.slice(equals + 1))
    const continued = /^([^*]+)(?:\*(\d{1,3}))?(\*)?$/u.exec(name)
    const base = continued?.[1] ?? name
    if (continued?.[2] === undefined && continued?.[3] === undefined) {
      if (!plain.has(name)) plain.set(name, content)
      continue
    }
    const list = sections.get(base) ?? []
    sections.set(base, list)
    list.push({ index: Number(continued[2] ?? 0), encoded: continued[3] === "*", text: content })
  }
  const params = new Map([...plain].map(([name, content]) => [name, readPlain(content)]))
  for (const [name, list] of sections) params.set(name, joinSections(list))
  return { value: value.trim().toLowerCase(), params }
}
