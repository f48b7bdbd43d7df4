// Quoted text: splits a mail into the author's text, quoted history and signature. Only the text and the
// client-specific markup of one mail are used, never other mails. Tests: `packages/core/test/domain/email/quoted`.

import { attributionStart } from "./Attribution.ts"
import { bodyLines, type BodyLine } from "./BodyLine.ts"
import { withCitations } from "./CitationMark.ts"
import { coversRest, historyMarkAt, withRulesAbove } from "./HistoryStart.ts"
import { quotedHtmlLine } from "./QuotedHtml.ts"
import { isLinkAlone } from "./DeviceLine.ts"
import { isDeviceLine, signatures, type TextRun } from "./SignOff.ts"

/**
 * The kind of a part of a mail's text. `signature` includes lines added by phones and apps, and everything below `-- `.
 * Not detected: footers of lists and providers without `-- `, disclaimers, and OpenPGP armour.
 */
export type SpanKind = "visible" | "quoted" | "signature"

/** One part of the text. Offsets count UTF-16 units; `end` is exclusive. */
export interface BodySpan {
  readonly kind: SpanKind
  readonly start: number
  readonly end: number
}

/** The parts of a mail's text. The spans cover the full text without gaps or overlaps. */
export interface SplitBody {
  /**
   * The author's text. It is blank only if the whole text is blank. Its parts are trimmed and joined with a blank line.
   */
  readonly visible: string
  readonly quoted: string
  readonly signature: string
  readonly spans: ReadonlyArray<BodySpan>
  /**
   * True if the author writes between quotes. Then show all spans in order, because the author's text is not
   * understandable without the quotes.
   */
  readonly interleaved: boolean
}

/** In UTF-16 units. Longer texts are not split. */
export const maxSplitTextLength = 262_144

type Kinds = Array<SpanKind>

const fill = (kinds: Kinds, kind: SpanKind, from: number, to: number): void => {
  for (let at = from; at < to; at++) kinds[at] = kind
}

const nextQuotedLines = (lines: ReadonlyArray<BodyLine>): ReadonlyArray<number> => {
  const next = Array.from<number>({ length: lines.length }).fill(-1)
  for (let at = lines.length - 1; at >= 0; at--) next[at] = lines[at]?.quoted === true ? at : (next[at + 1] ?? -1)
  return next
}

/** Marks history without quote marks as quoted, from the line that introduces it to the end. */
const foldUnmarked = (lines: ReadonlyArray<BodyLine>, kinds: Kinds, hint: number): void => {
  const nextQuoted = nextQuotedLines(lines)
  let written = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]
    if (line === undefined || line.content === "" || line.quoted) continue
    const mark = historyMarkAt(lines, at)
    const covers = coversRest(lines, mark ?? { from: at, to: at }, nextQuoted) && (mark !== null || at === hint)
    if (covers && written) return fill(kinds, "quoted", withRulesAbove(lines, mark?.from ?? at), lines.length)
    if (mark === null) {
      written = true
      continue
    }
    if (!covers) fill(kinds, "quoted", withRulesAbove(lines, mark.from), mark.to + 1)
    at = Math.max(at, mark.to)
  }
}

/** Marks the attribution above every run of quoted lines. */
const foldAttributions = (lines: ReadonlyArray<BodyLine>, kinds: Kinds): void => {
  for (let at = 1; at < lines.length; at++) {
    if (kinds[at] !== "quoted" || lines[at]?.quoted !== true || lines[at - 1]?.quoted === true) continue
    let above = at - 1
    while (above >= 0 && above > at - 3 && lines[above]?.content === "") above--
    const start = above >= 0 && kinds[above] === "visible" ? attributionStart(lines, above) : -1
    if (start !== -1) fill(kinds, "quoted", start, at)
  }
}

const visibleRuns = (lines: ReadonlyArray<BodyLine>, kinds: Kinds): ReadonlyArray<TextRun> => {
  const runs: Array<TextRun> = []
  for (let at = 0; at < lines.length; at++) {
    if (kinds[at] !== "visible") continue
    const from = at
    while (kinds[at] === "visible" && at < lines.length) at++
    if (lines.slice(from, at).some((line) => line.content !== "")) runs.push({ from, to: at })
  }
  return runs
}

const isLinkBelow = (lines: ReadonlyArray<BodyLine>, at: number, run: TextRun): boolean =>
  at + 1 < run.to && isLinkAlone(lines[at + 1]?.content ?? "")

/**
 * Marks signatures and footers, from the last run upwards. If a whole run is a signature, the run above it becomes the
 * end of the author's text.
 */
const foldSignatures = (lines: ReadonlyArray<BodyLine>, kinds: Kinds): void => {
  let last = true
  for (const run of visibleRuns(lines, kinds).toReversed()) {
    for (const { from, to } of signatures(lines, run, last)) fill(kinds, "signature", from, to)
    for (let at = run.from; at < run.to; at++) {
      if (isDeviceLine(lines, at, run)) fill(kinds, "signature", at, isLinkBelow(lines, at, run) ? at + 2 : at + 1)
      last &&= kinds[at] !== "visible" || lines[at]?.content === ""
    }
  }
}

/** Assigns a kind to every line. Blank lines take the kind of the line above, so only the first span can be blank. */
const kindsOf = (lines: ReadonlyArray<BodyLine>, hint: number): Kinds => {
  const kinds: Kinds = lines.map((line) => (line.quoted ? "quoted" : "visible"))
  foldUnmarked(lines, kinds, hint)
  foldAttributions(lines, kinds)
  foldSignatures(lines, kinds)
  for (let at = 1; at < lines.length; at++) if (lines[at]?.content === "") kinds[at] = kinds[at - 1] ?? "visible"
  return kinds
}

const spansOf = (lines: ReadonlyArray<BodyLine>, kinds: Kinds): ReadonlyArray<BodySpan> => {
  const spans: Array<BodySpan> = []
  lines.forEach((line, at) => {
    const kind = kinds[at] ?? "visible"
    const last = spans.at(-1)
    if (last?.kind === kind) spans[spans.length - 1] = { kind, start: last.start, end: line.end }
    else spans.push({ kind, start: line.start, end: line.end })
  })
  return spans
}

const withoutOuterBlanks = (part: string): string => {
  const first = part.search(/\S/)
  if (first === -1) return ""
  return part
    .slice(part.lastIndexOf("\n", first) + 1)
    .trimEnd()
    .replaceAll("\r\n", "\n")
}

const gathered = (text: string, spans: ReadonlyArray<BodySpan>, kind: SpanKind): string =>
  spans
    .filter((span) => span.kind === kind)
    .map((span) => withoutOuterBlanks(text.slice(span.start, span.end)))
    .filter((part) => part !== "")
    .join("\n\n")

const whole = (text: string): SplitBody => ({
  visible: text,
  quoted: "",
  signature: "",
  spans: text === "" ? [] : [{ kind: "visible", start: 0, end: text.length }],
  interleaved: false
})

const isInterleaved = (text: string, spans: ReadonlyArray<BodySpan>): boolean => {
  const written = spans.filter((span) => span.kind !== "signature" && text.slice(span.start, span.end).trim() !== "")
  const answers = written.filter((span, at) => span.kind === "visible" && written[at - 1]?.kind === "quoted")
  return answers.length > 1 || (answers.length === 1 && written.at(-1)?.kind === "quoted")
}

/**
 * Splits the plain text of a mail into the author's text, quoted history and signature. `html` is the HTML part of the
 * same mail, if any. Markup of mail clients in it reveals history that has no marks in the plain text.
 *
 * Never fails, and takes linear time. A lost line is worse than a visible quote, so only clear history is hidden. Below
 * a clear introduction, all text counts as history, even without quote marks. The whole text stays visible if it is
 * longer than `maxSplitTextLength`, or if no visible text would remain.
 */
export const splitQuoted = (text: string, html?: string | null): SplitBody => {
  if (text.length > maxSplitTextLength) return whole(text)
  const lines = withCitations(bodyLines(text))
  const hint = html === undefined || html === null ? -1 : quotedHtmlLine(lines, html)
  const spans = spansOf(lines, kindsOf(lines, hint))
  const visible = gathered(text, spans, "visible")
  if (visible === "") return whole(text)
  return {
    visible,
    quoted: gathered(text, spans, "quoted"),
    signature: gathered(text, spans, "signature"),
    spans,
    interleaved: isInterleaved(text, spans)
  }
}
