import { attributionLines, attributionStart, sureAttributionEnd } from "./Attribution.ts"
import { type BodyLine, withoutRules } from "./BodyLine.ts"
import { forwardPhrases, headerLabels, replyAbove, separatorPhrases, type HeaderPart } from "./QuoteMarks.ts"

/** The first and last line of a mark that introduces history. */
export interface HistoryMark {
  readonly from: number
  readonly to: number
}

const maxLabelLength = 24
const maxSeparatorLength = 120
/** The maximum length of a separator that has no dashes around it. The longest known phrase has this length. */
const maxPhraseLength = 72
/**
 * The limit of lines in a header block. It includes the continuation lines of long recipient lists, which have a limit
 * of their own.
 */
const headerBlockLines = 14
const continuationLines = 4
const clockOrDate = /\d{1,2}[:.]\d{2}|\d{4}/
const address = /[^\s<>[\]()]@[^\s<>[\]()]/u
const rule = /^[-_=*~–—#]{2,}$/u

/** Returns whether a line consists only of dashes, underscores or similar characters. */
export const isRule = (content: string): boolean => rule.test(content)

/** Returns the kind of header field that a line starts (`*From:* …`, `发件人：…`). Returns undefined if it starts none. */
export const headerPart = (content: string): HeaderPart | undefined => {
  const colon = content.slice(0, maxLabelLength + 4).search(/[:：]/)
  if (colon < 1) return undefined
  const label = content.slice(0, colon).replace(/[*_>]/g, "").trim().toLowerCase()
  return headerLabels.get(label.replace(/\s+/g, " "))
}

const isSeparator = (content: string): boolean => {
  const ruled = /^[-_=*~–—#]{2,}/u.test(content)
  if (content.length > (ruled ? maxSeparatorLength : maxPhraseLength)) return false
  const phrase = withoutRules(content)
    .replace(/ ?[:：]$/, "")
    .toLowerCase()
  if (forwardPhrases.has(phrase) || replyAbove.test(phrase)) return true
  return ruled && separatorPhrases.has(phrase.replace(/\s+/g, " "))
}

/** Returns whether the text of a quoted line introduces older history. */
export const opensHistory = (content: string): boolean => {
  const bare = content.replace(/^(?:>[ \t]?)+/, "")
  return isSeparator(bare) || headerPart(bare) === "from"
}

/**
 * Matches text between two dashed rules, in any language. If such a line is directly above history, it belongs to the
 * history.
 */
const framed = /^[-_=*~–—]{3,} ?[^-_=*~–—\s].{0,60}[^-_=*~–—\s] ?[-_=*~–—]{3,}$/u

interface HeaderBlock {
  readonly to: number
  readonly parts: ReadonlySet<HeaderPart>
  /** True if the block contains an address. */
  readonly addressed: boolean
}

const headerBlock = (lines: ReadonlyArray<BodyLine>, from: number): HeaderBlock => {
  const parts = new Set<HeaderPart>()
  let to = from
  let continued = 0
  let addressed = false
  for (let at = from; at < from + headerBlockLines; at++) {
    const line = lines[at]
    if (line === undefined || line.content === "" || line.quoted) break
    const part = headerPart(line.content)
    if (part === undefined && ++continued > continuationLines) break
    if (part === undefined) continue
    continued = 0
    parts.add(part)
    addressed ||= address.test(line.content)
    to = at
  }
  return { to, parts, addressed }
}

/**
 * Returns whether a block is the header of a mail. Travel plans use the same words (`From: Munich`, `To: Berlin`,
 * `Date: …`), so a block without a subject must contain an address. Contact forms contain a sender and a subject, so a
 * block with a subject must contain one more field.
 */
const namesMail = ({ addressed, parts }: HeaderBlock): boolean => {
  const named = (["date", "to", "cc"] as const).filter((part) => parts.has(part)).length
  return parts.has("from") && (parts.has("subject") ? named >= 1 : named >= 2 && addressed)
}

const blankLinesAfter = (lines: ReadonlyArray<BodyLine>, from: number): number => {
  let at = from
  while (at < from + 3 && lines[at]?.content === "") at++
  return at
}

/**
 * Returns the mark of a header block that a mail program wrote. A block with transport headers does not count, because
 * the author pasted it.
 */
const headerMark = (lines: ReadonlyArray<BodyLine>, from: number): HistoryMark | null => {
  const line = lines[from]
  if (line === undefined || line.quoted || headerPart(line.content) === undefined) return null
  if (headerPart(lines[from - 1]?.content ?? "") !== undefined) return null
  const block = headerBlock(lines, from)
  return namesMail(block) && !block.parts.has("technical") ? { from, to: block.to } : null
}

/**
 * Returns the mark of Lotus Notes: the sender's name and the date on separate lines, then `To:`, `cc:` and `Subject:`.
 */
const notesMark = (lines: ReadonlyArray<BodyLine>, from: number): HistoryMark | null => {
  const line = lines[from]
  if (line === undefined || line.quoted || headerPart(line.content) !== "to") return null
  const block = headerBlock(lines, from)
  if (!block.parts.has("subject") || block.parts.has("from") || block.parts.has("technical")) return null
  let above = from - 1
  while (above >= from - 2 && lines[above]?.content === "") above--
  const dated = lines[above]
  if (dated === undefined || dated.quoted || dated.content.length > 90 || !clockOrDate.test(dated.content)) return null
  const name = lines[above - 1]
  const named = name !== undefined && name.content !== "" && name.content.length < 70 && !/[.?!]$/.test(name.content)
  return { from: named && !/\p{L}{3}/u.test(dated.content) ? above - 1 : above, to: block.to }
}

const separatorMark = (lines: ReadonlyArray<BodyLine>, from: number): HistoryMark | null => {
  const line = lines[from]
  if (line === undefined || line.quoted || !isSeparator(line.content)) return null
  const next = blankLinesAfter(lines, from + 1)
  const block = headerBlock(lines, next)
  return { from, to: block.parts.size === 0 ? from : block.to }
}

/**
 * Returns the mark of a dated attribution. Unless the attribution contains an address, it must be a separate paragraph.
 */
const attributionMark = (lines: ReadonlyArray<BodyLine>, from: number): HistoryMark | null => {
  const above = lines[from - 1]
  const apart = above === undefined || above.content === "" || above.quoted || isRule(above.content)
  const addressed = (at: number): boolean => at < from + attributionLines && lines[at]?.content.includes("@") === true
  if (!apart && !addressed(from) && !addressed(from + 1)) return null
  const to = sureAttributionEnd(lines, from)
  return to === -1 ? null : { from, to }
}

/** Returns the mark that starts at a line, of any kind. A mark never includes quoted lines. */
export const historyMarkAt = (lines: ReadonlyArray<BodyLine>, from: number): HistoryMark | null =>
  separatorMark(lines, from) ?? headerMark(lines, from) ?? notesMark(lines, from) ?? attributionMark(lines, from)

/**
 * Returns whether the quoted lines that start at `run` have their own attribution or mark between them and line
 * `after`.
 */
const attributed = (lines: ReadonlyArray<BodyLine>, run: number, after: number): boolean => {
  if (opensHistory(lines[run]?.content ?? "")) return true
  let above = run - 1
  while (above > after && above > run - 3 && lines[above]?.content === "") above--
  if (above <= after) return false
  return attributionStart(lines, above) > after
}

/**
 * Returns whether everything below a mark is history. There are two exceptions:
 *
 * - Quoted lines follow the mark directly. Then only these lines are history.
 * - The mark is a dated attribution, and quoted lines without their own attribution follow later. Then the lines
 *   between them may be the author's reply.
 */
export const coversRest = (
  lines: ReadonlyArray<BodyLine>,
  mark: HistoryMark,
  nextQuoted: ReadonlyArray<number>
): boolean => {
  let first = mark.to + 1
  while (first < lines.length && lines[first]?.content === "" && first < mark.to + 20) first++
  if (lines[first] === undefined) return true
  if (lines[first]?.quoted === true) return false
  const run = nextQuoted[first] ?? -1
  const plain =
    headerPart(lines[mark.from]?.content ?? "") === undefined && !isSeparator(lines[mark.from]?.content ?? "")
  return !plain || run === -1 || attributed(lines, run, mark.to)
}

/** Returns the first of the blank lines and rules directly above a mark. These lines belong to the history. */
export const withRulesAbove = (lines: ReadonlyArray<BodyLine>, from: number): number => {
  let start = from
  for (let at = from - 1; at >= 0 && at > from - attributionLines - 2; at--) {
    const line = lines[at]
    if (line === undefined || line.quoted) break
    if (isRule(line.content) || isSeparator(line.content) || framed.test(line.content)) start = at
    else if (line.content !== "") break
  }
  return start
}
