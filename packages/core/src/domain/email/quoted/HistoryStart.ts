import { attributionLines, attributionStart, sureAttributionEnd } from "./Attribution.ts"
import { type BodyLine, withoutRules } from "./BodyLine.ts"
import { forwardPhrases, headerLabels, replyAbove, separatorPhrases, type HeaderPart } from "./QuoteMarks.ts"

/** A mark that stands above history: its first and last line. */
export interface HistoryMark {
  readonly from: number
  readonly to: number
}

const maxLabelLength = 24
const maxSeparatorLength = 120
/** A separator without rules around its words is no longer than the longest of them. */
const maxPhraseLength = 72
/** Lines a header block may have, continuation lines of long recipient lists included. */
const headerBlockLines = 14
const continuationLines = 4
const clockOrDate = /\d{1,2}[:.]\d{2}|\d{4}/
const address = /[^\s<>[\]()]@[^\s<>[\]()]/u
const rule = /^[-_=*~–—#]{2,}$/u

/** True for a line of nothing but dashes, underscores or the like. */
export const isRule = (content: string): boolean => rule.test(content)

/** The part of a header block a line opens (`*From:* …`, `发件人：…`), or undefined. */
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

/** True when the text of a quoted line is itself the mark of older history. */
export const opensHistory = (content: string): boolean => {
  const bare = content.replace(/^(?:>[ \t]?)+/, "")
  return isSeparator(bare) || headerPart(bare) === "from"
}

/** Words between two rules, whatever the language: above a header block they separate as well. */
const framed = /^[-_=*~–—]{3,} ?[^-_=*~–—\s].{0,60}[^-_=*~–—\s] ?[-_=*~–—]{3,}$/u

interface HeaderBlock {
  readonly to: number
  readonly parts: ReadonlySet<HeaderPart>
  /** An address stands in it. */
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
 * Whether a block is the header of a mail. A journey is told in the same words (`From: Munich`, `To: Berlin`, `Date: …`),
 * so it takes a subject or an address. A sender and a subject alone are what contact forms send.
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

/** A header block as mail programs write it; one with transport headers was pasted by the writer and is none. */
const headerMark = (lines: ReadonlyArray<BodyLine>, from: number): HistoryMark | null => {
  const line = lines[from]
  if (line === undefined || line.quoted || headerPart(line.content) === undefined) return null
  if (headerPart(lines[from - 1]?.content ?? "") !== undefined) return null
  const block = headerBlock(lines, from)
  return namesMail(block) && !block.parts.has("technical") ? { from, to: block.to } : null
}

/** Lotus Notes: the sender's name and the date on lines of their own, then `To:`, `cc:` and `Subject:`. */
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

/** A dated attribution, on a paragraph of its own unless it names an address. */
const attributionMark = (lines: ReadonlyArray<BodyLine>, from: number): HistoryMark | null => {
  const above = lines[from - 1]
  const apart = above === undefined || above.content === "" || above.quoted || isRule(above.content)
  const addressed = (at: number): boolean => at < from + attributionLines && lines[at]?.content.includes("@") === true
  if (!apart && !addressed(from) && !addressed(from + 1)) return null
  const to = sureAttributionEnd(lines, from)
  return to === -1 ? null : { from, to }
}

/** The mark that begins at a line, whichever kind; its lines never include quoted ones. */
export const historyMarkAt = (lines: ReadonlyArray<BodyLine>, from: number): HistoryMark | null =>
  separatorMark(lines, from) ?? headerMark(lines, from) ?? notesMark(lines, from) ?? attributionMark(lines, from)

/** True when the marked run that begins at `run` has an attribution or a mark of its own below line `after`. */
const attributed = (lines: ReadonlyArray<BodyLine>, run: number, after: number): boolean => {
  if (opensHistory(lines[run]?.content ?? "")) return true
  let above = run - 1
  while (above > after && above > run - 3 && lines[above]?.content === "") above--
  if (above <= after) return false
  return attributionStart(lines, above) > after
}

/**
 * Whether everything below a mark is history. It is not when marked lines follow directly (then the marks tell line
 * by line), nor when a dated attribution is followed by marked lines which nothing else explains: then the lines in
 * front of them may be the writer's answer.
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

/** The first line of the blank lines and rules directly above a mark: they belong to the history, not to the text. */
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
