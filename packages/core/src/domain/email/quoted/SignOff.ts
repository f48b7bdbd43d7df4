import type { BodyLine } from "./BodyLine.ts"
import { bare, company, contact, isCardLine, isClosing, isName, isSignedClosing } from "./Card.ts"
import { isDevice, isLinkAlone } from "./DeviceLine.ts"
import { isRule } from "./HistoryStart.ts"

/** The limit of lines below a signature delimiter. If more lines follow, they are text. */
export const maxSignatureLines = 25
/** The limit of lines in a contact card: name, title, company, address and contact data. */
const maxCardLines = 12
const maxFooterLines = 8
/** The limit of blank lines between a closing and the name. */
const widestGap = 2
/** The limit of lines below a closing with its name. A postscript or a disclaimer has fewer lines. */
const maxAfterthoughtLines = 12

/** A run of lines of the author's text. `to` is exclusive. */
export interface TextRun {
  readonly from: number
  readonly to: number
}

/** Matches the signature delimiter `-- ` (RFC 3676, section 4.3), also without its trailing space. */
const delimiter = /^--$/

const filled = (lines: ReadonlyArray<BodyLine>, from: number, to: number): number => {
  let count = 0
  for (let at = from; at < to && count <= maxSignatureLines; at++) if (lines[at]?.content !== "") count++
  return count
}

const delimited = (lines: ReadonlyArray<BodyLine>, run: TextRun): number => {
  for (let at = run.from; at < run.to; at++) {
    const line = lines[at]
    if (line !== undefined && delimiter.test(line.content) && filled(lines, at + 1, run.to) <= maxSignatureLines)
      return at
  }
  return run.to
}

const nextFilled = (lines: ReadonlyArray<BodyLine>, from: number, to: number): number => {
  let at = from
  while (at < to && lines[at]?.content === "") at++
  return at
}

/**
 * Returns the end of the contact card whose name is at line `from`. The card ends before a paragraph that contains a
 * sentence, and before a later paragraph without a company or contact data.
 */
const cardEnd = (lines: ReadonlyArray<BodyLine>, from: number, to: number): number => {
  let end = from
  let seen = 0
  for (let at = from; at < to;) {
    const start = at
    let reported = start === from
    for (; at < to && lines[at]?.content !== ""; at++) {
      const content = bare(lines[at])
      if (++seen > maxCardLines || !isCardLine(content)) return end
      reported ||= contact.test(content) || company.test(content)
    }
    if (!reported) return end
    end = at
    at = nextFilled(lines, at, to)
  }
  return end
}

/**
 * Returns the lines of a closing with its name and contact card; null if there is none. Searches from the end of the
 * run.
 */
const signedClosing = (lines: ReadonlyArray<BodyLine>, run: TextRun): TextRun | null => {
  let seen = 0
  for (let at = run.to - 1; at >= run.from && seen < maxCardLines + maxAfterthoughtLines; at--) {
    const content = bare(lines[at])
    if (content === "") continue
    seen++
    const below = nextFilled(lines, at + 1, run.to)
    if (isSignedClosing(content) && (below >= run.to || cardEnd(lines, below, run.to) === run.to)) {
      return { from: at, to: run.to }
    }
    if (!isClosing(content)) continue
    if (below >= run.to || below - at > widestGap + 1 || !isName(bare(lines[below]))) continue
    const to = cardEnd(lines, below, run.to)
    if (to > below) return { from: at, to }
  }
  return null
}

/**
 * Returns whether the text above a blank line announces the block below it, as "My details:" does. The block is then
 * content and not a signature.
 */
const introduced = (lines: ReadonlyArray<BodyLine>, blank: number): boolean => {
  let above = blank
  while (above > 0 && above > blank - 3 && lines[above]?.content === "") above--
  return /[:：,]$/.test(lines[above]?.content ?? "")
}

/**
 * Returns the start of a contact card at the end of the run: a name and at least two kinds of contact data. Returns the
 * end of the run if there is none.
 */
const cardStart = (lines: ReadonlyArray<BodyLine>, run: TextRun): number => {
  let reached = 0
  let seen = 0
  for (let at = run.to - 1; at >= run.from; at--) {
    const content = bare(lines[at])
    if (content === "") {
      const block = bare(lines[at + 1])
      if (reached >= 2 && isName(block) && !contact.test(block)) return introduced(lines, at) ? run.to : at + 1
      continue
    }
    if (++seen > maxCardLines || !isCardLine(content)) return run.to
    if (contact.test(content)) reached++
  }
  return run.to
}

const dashedName = /^(?:[-–]{1,2}|— ?)\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*){0,2}$/u
const bullet = /^[-–—*•+] ?\S/u

/**
 * Returns the line of a name with a dash, such as `-Tom`, that is the last paragraph of a run. Returns the end of the
 * run if there is none, or if the line can be a list item.
 */
const dashedStart = (lines: ReadonlyArray<BodyLine>, run: TextRun): number => {
  const at = run.to - 1
  if (at <= run.from || !dashedName.test(lines[at]?.content ?? "")) return run.to
  let above = at - 1
  while (above > run.from && lines[above]?.content === "") above--
  const before = lines[above]?.content ?? ""
  return before === "" || /[:：,]$/.test(before) || bullet.test(before) ? run.to : at
}

const footerWords =
  /mailing[- ]?list|unsubscrib|subscribed|subscription|\blistinfo\b|abmelden|abbestell|désabonn|désinscri|suscripci|disiscri|uitschrijven|odhlás|wypisa|отписа|退订|退訂|配信停止|수신거부|virus|viren|sponsored by/iu
/**
 * Words in the first person. A line with such a word is not a footer: "please unsubscribe me" is the author's own
 * request.
 */
const personal =
  /(?:^|[^\p{L}])(?:I|me|my|we|us|our|ich|mich|mir|mein|wir|uns|je|moi|nous|yo|mio|mij|ik|jag|mig|jeg)(?![\p{L}])/iu

/**
 * Returns whether the lines below a rule are the footer of a list or program. Each line must mention a list or be part
 * of a contact card.
 */
const isFooter = (lines: ReadonlyArray<BodyLine>, from: number, to: number, underscores: boolean): boolean => {
  let reported = underscores
  for (let at = from; at < to; at++) {
    const content = bare(lines[at])
    if (content === "") continue
    if (footerWords.test(content) && !personal.test(content)) reported = true
    else if (!isCardLine(content)) return false
    else if (contact.test(content)) reported = true
  }
  return reported
}

const footerStart = (lines: ReadonlyArray<BodyLine>, run: TextRun): number => {
  let seen = 0
  for (let at = run.to - 1; at >= run.from && seen <= maxFooterLines; at--) {
    const content = lines[at]?.content ?? ""
    if (content === "") continue
    if (isRule(content)) {
      const footer = seen > 0 && isFooter(lines, at + 1, run.to, content.startsWith("_")) && !introduced(lines, at - 1)
      return footer ? at : run.to
    }
    seen++
  }
  return run.to
}

/** Returns the end of a run without its final blank lines, footers, and lines that a phone or app has added. */
const withoutFooters = (lines: ReadonlyArray<BodyLine>, run: TextRun): number => {
  let end = run.to
  for (;;) {
    while (end > run.from && lines[end - 1]?.content === "") end--
    const last = lines[end - 1]?.content ?? ""
    const above = lines[end - 2]?.content ?? ""
    let start = end
    if (isDevice(last)) start = end - 1
    else if (isLinkAlone(last) && isDevice(above)) start = end - 2
    else start = footerStart(lines, { from: run.from, to: end })
    if (start >= end || start < run.from) return end
    end = start
  }
}

/**
 * Returns the signatures and footers of a run, in order. `last` is true if no text of the author follows below the run.
 * If it is false, a contact card or name counts as a signature only after a closing.
 */
export const signatures = (lines: ReadonlyArray<BodyLine>, run: TextRun, last: boolean): ReadonlyArray<TextRun> => {
  const cut = delimited(lines, run)
  const end = withoutFooters(lines, { from: run.from, to: cut })
  const footer: ReadonlyArray<TextRun> = end < run.to ? [{ from: end, to: run.to }] : []
  const text = { from: run.from, to: end }
  const signed = signedClosing(lines, text)
  if (signed !== null) return [signed, ...footer]
  if (!last) return footer
  const start = Math.min(dashedStart(lines, text), cardStart(lines, text))
  return start < end ? [{ from: start, to: end }, ...footer] : footer
}

/**
 * Returns whether a phone or app has added a line. The line must be separated by blank lines or the ends of the run.
 */
export const isDeviceLine = (lines: ReadonlyArray<BodyLine>, at: number, run: TextRun): boolean => {
  const alone = (neighbour: number): boolean =>
    neighbour < run.from || neighbour >= run.to || (lines[neighbour]?.content ?? "") === ""
  const below = lines[at + 1]?.content ?? ""
  return alone(at - 1) && (alone(at + 1) || isRule(below) || isLinkAlone(below)) && isDevice(lines[at]?.content ?? "")
}
