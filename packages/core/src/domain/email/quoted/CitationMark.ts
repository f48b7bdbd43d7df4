import { attributionStart } from "./Attribution.ts"
import type { BodyLine } from "./BodyLine.ts"
import { headerPart } from "./HistoryStart.ts"

/**
 * Quote marks other than `>`: initials or a name (`AB> `, at most twelve letters), a bar that is not part of a table,
 * or a special character.
 */
const named = /^(\p{L}{1,12}>)/u
const bar = /^\|(?!.*\|$)/u
const sign = /^([):}\]%=~+!»])(?=[\s>|]|$)/u
/**
 * Matches a capitalised name as a quote mark. If several lines start with the same name, the quote needs no attribution
 * above it.
 */
const capitalised = /^\p{Lu}\p{L}{0,11}>(?=[\s>]|$)/u
/** Shell and tool prompts that look like a name. */
const prompts: ReadonlySet<string> = new Set(
  "C>|CMD>|CLI>|DOS>|FTP>|IDL>|MATLAB>|MGR>|PS>|RMAN>|ROUTER>|SHELL>|SQL>|SWITCH>|TCL>".split("|")
)
/**
 * Matches the line in which Supercite (Emacs) announces its quote mark: `>>>>> "Tony" == Tony Hill <tony@example.com>
 * writes:`.
 */
const supercite = /^>[> ]{0,9}.{0,80}?"(\p{L}{1,12})" ==/u
const widestIndent = 4
/** In characters. Names with a larger indent also occur in transcripts, so they need an attribution above them. */
const widestMargin = 1

const markOf = (line: BodyLine): string | undefined => {
  if (line.quoted || line.indent > widestIndent) return undefined
  return named.exec(line.content)?.[1] ?? (bar.test(line.content) ? "|" : sign.exec(line.content)?.[1])
}

/**
 * Returns whether the mark also starts the next line. Only special characters need such a repetition. For other marks,
 * the result is always true.
 */
const isRepeated = (lines: ReadonlyArray<BodyLine>, at: number, mark: string): boolean => {
  const next = lines[at + 1]
  return !sign.test(mark) || (next !== undefined && markOf(next) === mark)
}

/** Returns whether an attribution or a header field precedes the line, not counting blank lines. */
const isIntroduced = (lines: ReadonlyArray<BodyLine>, at: number): boolean => {
  let above = at - 1
  while (above > at - 4 && lines[above]?.content === "") above--
  const line = lines[above]
  if (line === undefined || line.quoted) return false
  return headerPart(line.content) !== undefined || attributionStart(lines, above) !== -1
}

const citationMarks = (lines: ReadonlyArray<BodyLine>): ReadonlySet<string> => {
  const known = new Set<string>()
  const once = new Set<string>()
  lines.forEach((line, at) => {
    const announced = line.quoted && line.content.includes('" ==') ? supercite.exec(line.content)?.[1] : undefined
    // The announcement counts as the first occurrence of the mark, so one line with the mark is sufficient.
    if (announced !== undefined) once.add(`${announced}>`)
    const mark = markOf(line)
    if (mark === undefined || known.has(mark)) return
    const margin = line.indent <= widestMargin && capitalised.test(line.content) && !prompts.has(mark.toUpperCase())
    if ((margin && once.has(mark)) || (isRepeated(lines, at, mark) && isIntroduced(lines, at))) known.add(mark)
    if (margin) once.add(mark)
  })
  return known
}

/** Marks lines that start with a quote mark other than `>` as quoted. Linear in the number of lines. */
export const withCitations = (lines: ReadonlyArray<BodyLine>): ReadonlyArray<BodyLine> => {
  const known = citationMarks(lines)
  if (known.size === 0) return lines
  return lines.map((line) => {
    const mark = markOf(line)
    return mark !== undefined && known.has(mark) ? { ...line, quoted: true } : line
  })
}
