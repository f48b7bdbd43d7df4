/** The length above which a line is running text. Such lines are not searched for quotes, headers or signatures. */
export const maxMarkLineLength = 400

/**
 * One line of a mail's text. `start` and `end` count UTF-16 units from the start of the whole text. `end` is after the
 * line break.
 */
export interface BodyLine {
  readonly start: number
  readonly end: number
  /** The line without its break, direction marks and outer white space, cut at `maxMarkLineLength` + 1 units. */
  readonly content: string
  /** The original length of the line, without its break. */
  readonly width: number
  /** The white space before the content. */
  readonly indent: number
  /** True if the line has its own quote mark (`>`, `>>`). */
  readonly quoted: boolean
}

const mark = /^(?:>|&gt;)/i
const widestIndentOfMark = 3
/** Marks of writing direction. Mail programs add them around names and addresses. */
const directions = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

const lineAt = (text: string, start: number, end: number): BodyLine => {
  let last = end
  while (last > start && (text.charCodeAt(last - 1) === 10 || text.charCodeAt(last - 1) === 13)) last--
  const raw = text.slice(start, Math.min(last, start + maxMarkLineLength + 1))
  const content = raw.replace(directions, "").trim()
  const indent = raw.length - raw.trimStart().length
  const quoted = indent <= widestIndentOfMark && mark.test(content)
  return { start, end, content, width: last - start, indent, quoted }
}

const ruleMarks = "-_=*~–— \t"

/** Returns the text without the dashes and similar characters that mail programs put around it. */
export const withoutRules = (text: string): string => {
  let from = 0
  let to = text.length
  while (from < to && ruleMarks.includes(text.charAt(from))) from++
  while (to > from && ruleMarks.includes(text.charAt(to - 1))) to--
  return text.slice(from, to)
}

const splitLines = (text: string): ReadonlyArray<BodyLine> => {
  const lines: Array<BodyLine> = []
  let start = 0
  while (start < text.length) {
    const feed = text.indexOf("\n", start)
    const end = feed === -1 ? text.length : feed + 1
    lines.push(lineAt(text, start, end))
    start = end
  }
  return lines
}

const depthOf = (content: string): number => /^(?:>[ \t]?)+/.exec(content)?.[0].replace(/[^>]/g, "").length ?? 0

/** The end of an address that a mail program wrapped onto the next line: `>:` or `> wrote:`. */
const addressEnd = /^>[^>]{0,40}[:：]$/
const opensAddress = (content: string): boolean => content.lastIndexOf("<") > content.lastIndexOf(">")

/**
 * Removes the quote flag from lines that only look quoted:
 *
 * - A single `>From ` between unquoted lines is the mbox escape (RFC 4155).
 * - `>:` below a line with an open `<` is the end of an address.
 * - `>>> ` in a text without `>` or `>>` lines is a Python prompt.
 */
const unmark = (lines: ReadonlyArray<BodyLine>): ReadonlyArray<BodyLine> => {
  const depths = lines.map((line) => (line.quoted ? depthOf(line.content) : 0))
  const prompting = depths.includes(3) && depths.every((depth) => depth === 0 || depth === 3)
  return lines.map((line, at) => {
    if (!line.quoted) return line
    const [above, below] = [lines[at - 1], lines[at + 1]]
    const escaped = line.content.startsWith(">From ") && above?.quoted !== true && below?.quoted !== true
    const prompt = prompting && line.content.startsWith(">>>")
    const broken = addressEnd.test(line.content) && above?.quoted === false && opensAddress(above.content)
    return escaped || prompt || broken ? { ...line, quoted: false } : line
  })
}

/** Splits a text into lines and marks those with a `>`. Linear in the length of the text. */
export const bodyLines = (text: string): ReadonlyArray<BodyLine> => unmark(splitLines(text))
