import type { BodyLine } from "./BodyLine.ts"
import { isRule } from "./HistoryStart.ts"
import { closings, deviceFrames, deviceLeads, deviceNames } from "./QuoteMarks.ts"

/** More lines than this under a delimiter are text, whatever the delimiter says. */
export const longestSignature = 25
const longestCard = 6
const widestCardLine = 60
const widestDeviceLine = 90
const mostDeviceWords = 9

/** A run of lines of the writer's own text: `from` inclusive, `to` exclusive. */
export interface TextRun {
  readonly from: number
  readonly to: number
}

/** `-- ` (RFC 3676, section 4.3), also with the blank trimmed. */
const delimiter = /^--$/

const filled = (lines: ReadonlyArray<BodyLine>, from: number, to: number): number => {
  let count = 0
  for (let at = from; at < to && count <= longestSignature; at++) if (lines[at]?.content !== "") count++
  return count
}

const delimited = (lines: ReadonlyArray<BodyLine>, run: TextRun): number => {
  for (let at = run.from; at < run.to; at++) {
    const line = lines[at]
    if (line !== undefined && delimiter.test(line.content) && filled(lines, at + 1, run.to) <= longestSignature)
      return at
  }
  return run.to
}

/** A line by a phone or an app: its words, the name of a device or an app, and no second clause. */
const isDevice = (content: string): boolean => {
  const words = content
    .replace(/<[^<>]*>|\(https?:[^()]*\)/g, "")
    .replace(/[.\s]+$/u, "")
    .toLowerCase()
  if (words.length > widestDeviceLine || /[,;!?]/.test(words) || words.split(" ").length > mostDeviceWords) return false
  const leads = deviceLeads.some((lead) => words.startsWith(lead))
  const framed = deviceFrames.some(([lead, tail]) => words.startsWith(lead) && words.endsWith(tail))
  return (leads || framed) && deviceNames.some((device) => words.includes(device))
}

const name =
  /^[-–—~*]{0,2} ?(?:\p{Lu}[\p{L}'’.-]*|(?:de|da|di|van|von|der|den|la|le|del|dos|und|and|&) ?)(?: +(?:\p{Lu}[\p{L}'’.,-]*|de|da|di|van|von|der|den|la|le|del|dos|of|and|&|at|for)){0,7}$/u
const contact = /@|https?:|www\.|\.(?:com|org|net|de|fr|it|es|nl|uk|io)\b|(?:\d[ ().+/-]{0,3}){7,}/i
const isCardLine = (content: string): boolean =>
  content.length <= widestCardLine && !/[?!:;]$/.test(content) && (name.test(content) || contact.test(content))

const isClosing = (content: string): boolean =>
  content.length <= 40 && closings.has(content.toLowerCase().replace(/[\s,.!-]+$/u, ""))

/** True when the text above a blank line announces what follows, which then is content: "My details:". */
const introduced = (lines: ReadonlyArray<BodyLine>, blank: number): boolean => {
  let above = blank
  while (above > 0 && above > blank - 3 && lines[above]?.content === "") above--
  return /[:：]$/.test(lines[above]?.content ?? "")
}

/**
 * Where a closing with a name under it, or a block with a name and at least two ways to reach it, begins; only at the
 * very end of the text. Anything that reads like a sentence in the block keeps it visible.
 */
const card = (lines: ReadonlyArray<BodyLine>, run: TextRun): number => {
  let reached = 0
  let seen = 0
  for (let at = run.to - 1; at >= run.from; at--) {
    const content = lines[at]?.content ?? ""
    if (content === "") {
      const block = lines[at + 1]?.content ?? ""
      if (reached >= 2 && name.test(block) && !contact.test(block)) return introduced(lines, at) ? run.to : at + 1
      continue
    }
    if (seen > 0 && isClosing(content)) return at
    if (++seen > longestCard || !isCardLine(content)) return run.to
    if (contact.test(content)) reached++
  }
  return run.to
}

/** Where the signature and the footers of a run of text begin; `run.to` when it has none. */
export const signatureStart = (lines: ReadonlyArray<BodyLine>, run: TextRun, last: boolean): number => {
  const cut = delimited(lines, run)
  if (!last) return cut
  let end = cut
  while (end > run.from && (lines[end - 1]?.content === "" || isDevice(lines[end - 1]?.content ?? ""))) end--
  const start = card(lines, { from: run.from, to: end })
  return start < end ? start : cut
}

/** True for a line a phone or an app added, standing alone between blank lines or the ends of the run. */
export const isDeviceLine = (lines: ReadonlyArray<BodyLine>, at: number, run: TextRun): boolean => {
  const alone = (neighbour: number): boolean =>
    neighbour < run.from || neighbour >= run.to || (lines[neighbour]?.content ?? "") === ""
  return alone(at - 1) && (alone(at + 1) || isRule(lines[at + 1]?.content ?? "")) && isDevice(lines[at]?.content ?? "")
}
