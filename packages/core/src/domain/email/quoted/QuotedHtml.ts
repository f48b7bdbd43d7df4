import type { BodyLine } from "./BodyLine.ts"

/** In UTF-16 units. Longer HTML is not searched for markup of quotes. */
export const maxQuotedHtmlLength = 1_048_576

/** Markup of elements that contain quoted history: words of a class, or a whole attribute. */
const containerClass =
  /\b(?:gmail_quote|yahoo_quoted|protonmail_quote|tutanota_quote|moz-forward-container|zmail_extra)/i
const container = /type\s*=\s*["']?cite\b|data-marker\s*=\s*["']?__QUOTED_TEXT__/i
/** Markup of elements that precede quoted history: words of an id or class, or a style. */
const openingId =
  /\b(?:divRplyFwdMsg|appendonsend|mail-editor-reference-message-container|OLK_SRC_BODY_SECTION|zwchr|stopSpelling|replySplit|isForwardContent)/i
const openingClass = /\b(?:moz-cite-prefix|OutlookMessageHeader|ms-outlook-mobile-reference-message)/i
const opening = /border-top:\s*solid\s+#(?:E1E1E1|B5C4DF)\s+1\.0pt/i
const maxTagLength = 600
/** The number of letters and digits on each side of the markup that are compared with the plain text. */
const compared = 24
const minCompared = 8

const entities: Readonly<Record<string, string>> = { amp: "", lt: "", gt: "", quot: "", nbsp: "", apos: "" }

const squeeze = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase()

const entity = (whole: string, name: string): string => {
  const code = /^#x([0-9a-f]{1,6})$/i.exec(name)?.[1]
  const point = code === undefined ? Number(/^#(\d{1,7})$/.exec(name)?.[1]) : Number.parseInt(code, 16)
  if (Number.isInteger(point) && point <= 0x10ffff) return String.fromCodePoint(point)
  return entities[name.toLowerCase()] ?? whole
}

/** Returns the visible letters and digits of an HTML fragment. */
const shown = (html: string): string => {
  let text = ""
  let at = 0
  while (at < html.length) {
    const tag = html.indexOf("<", at)
    text += html.slice(at, tag === -1 ? html.length : tag)
    if (tag === -1) break
    const hidden = /^<(style|script|title)\b/i.exec(html.slice(tag, tag + 8))?.[1]
    const from = hidden === undefined ? tag : html.indexOf(`</${hidden}`, tag)
    const end = from === -1 ? -1 : html.indexOf(">", from)
    if (end === -1) break
    at = end + 1
  }
  return squeeze(text.replace(/&([#\w]{1,10});/g, entity))
}

interface Attribute {
  /** Matches the name of the attribute and its `=`. */
  readonly assigned: RegExp
  /** Matches the name of the attribute, its `=`, and the start of a quoted value. */
  readonly opened: RegExp
}

const classAttribute: Attribute = { assigned: /class\s*=/i, opened: /class\s*=\s*$/i }
const idAttribute: Attribute = { assigned: /id\s*=/i, opened: /id\s*=\s*$/i }

/**
 * Returns whether the value of an attribute contains a word. An unquoted value is taken to extend to the next quote
 * character in the tag.
 */
const holds = (tag: string, { assigned, opened }: Attribute, word: RegExp): boolean => {
  if (!word.test(tag)) return false
  const parts = tag.split(/["']/)
  return parts.some((part, at) => {
    if (at > 0 && opened.test(parts[at - 1] ?? "")) return word.test(part)
    const from = part.search(assigned)
    return from !== -1 && word.test(part.slice(from))
  })
}

const isOpening = (tag: string): boolean =>
  holds(tag, idAttribute, openingId) || holds(tag, classAttribute, openingClass) || opening.test(tag)

const isContainer = (tag: string): boolean => holds(tag, classAttribute, containerClass) || container.test(tag)

interface HtmlMark {
  readonly start: number
  /**
   * The end of the quoting element. If the markup precedes the history instead of containing it, the end of the HTML.
   */
  readonly end: number
}

/** Returns the end of the element that starts at `start`, by counting tags with its name. */
const elementEnd = (html: string, name: string, start: number): number => {
  const tags = new RegExp(`<(/?)${name}(?=[\\s>/])`, "gi")
  tags.lastIndex = start
  let depth = 0
  for (let found = tags.exec(html); found !== null; found = tags.exec(html)) {
    depth += found[1] === "/" ? -1 : 1
    if (depth === 0) return found.index
  }
  return html.length
}

const firstMark = (html: string): HtmlMark | null => {
  const tags = /<(div|blockquote|span|table|p|hr|a)(?=[\s>/])/gi
  for (let found = tags.exec(html); found !== null; found = tags.exec(html)) {
    const close = html.indexOf(">", found.index)
    if (close === -1) return null
    const tag = html.slice(found.index, Math.min(close, found.index + maxTagLength))
    if (isOpening(tag)) return { start: found.index, end: html.length }
    if (isContainer(tag)) return { start: found.index, end: elementEnd(html, found[1] ?? "div", found.index) }
    tags.lastIndex = close
  }
  return null
}

/**
 * Returns the first line of the history that the HTML part marks. The visible letters and digits on both sides of the
 * markup identify the line in the plain text, where they must also be adjacent. Returns -1 if the two parts differ
 * there, or if text follows the quoting element.
 */
export const quotedHtmlLine = (lines: ReadonlyArray<BodyLine>, html: string): number => {
  if (html.length > maxQuotedHtmlLength) return -1
  const mark = firstMark(html)
  if (mark === null || shown(html.slice(mark.end)) !== "") return -1
  const above = shown(html.slice(0, mark.start)).slice(-compared)
  const below = shown(html.slice(mark.start, mark.end)).slice(0, compared)
  if (above === "" || below.length < minCompared) return -1
  let squeezed = ""
  const starts = lines.map((line) => {
    const start = squeezed.length
    squeezed += squeeze(line.content)
    return start
  })
  const place = squeezed.indexOf(above + below)
  if (place === -1) return -1
  const start = place + above.length
  return lines.findIndex((line, at) => line.content !== "" && starts[at] === start)
}
