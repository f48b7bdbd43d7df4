import { attributionStart } from "./Attribution.ts"
import type { BodyLine } from "./BodyLine.ts"
import { headerPart } from "./HistoryStart.ts"

/** A mark other than `>`: initials or a name (`AB> `, at most twelve letters), a bar that opens no table, a sign. */
const named = /^(\p{L}{1,12}>)/u
const bar = /^\|(?!.*\|$)/u
const sign = /^([):}\]%=~+!»])(?=[\s>|]|$)/u
/** A name that needs no line above it which tells who is cited, when several lines carry it. */
const capitalised = /^\p{Lu}\p{L}{0,11}>(?=[\s>]|$)/u
/** Prompts of shells and tools that look like a name. */
const prompts: ReadonlySet<string> = new Set(
  "C>|CMD>|CLI>|DOS>|FTP>|IDL>|MATLAB>|MGR>|PS>|RMAN>|ROUTER>|SHELL>|SQL>|SWITCH>|TCL>".split("|")
)
/** Supercite (Emacs) names the mark: `>>>>> "Tony" == Tony Hill <tony@example.com> writes:`. */
const supercite = /^>[> ]{0,9}.{0,80}?"(\p{L}{1,12})" ==/u
const widestIndent = 4
/** Indented names set off transcripts too, so they need somebody to be named above them. */
const widestMargin = 1

const markOf = (line: BodyLine): string | undefined => {
  if (line.quoted || line.indent > widestIndent) return undefined
  return named.exec(line.content)?.[1] ?? (bar.test(line.content) ? "|" : sign.exec(line.content)?.[1])
}

/** A sign cites only when the next line has it too. */
const isRepeated = (lines: ReadonlyArray<BodyLine>, at: number, mark: string): boolean => {
  const next = lines[at + 1]
  return !sign.test(mark) || (next !== undefined && markOf(next) === mark)
}

/** True when the line above, a blank one skipped, tells who is cited: an attribution or a header field. */
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
    // One mention and one line make two.
    if (announced !== undefined) once.add(`${announced}>`)
    const mark = markOf(line)
    if (mark === undefined || known.has(mark)) return
    const margin = line.indent <= widestMargin && capitalised.test(line.content) && !prompts.has(mark.toUpperCase())
    if ((margin && once.has(mark)) || (isRepeated(lines, at, mark) && isIntroduced(lines, at))) known.add(mark)
    if (margin) once.add(mark)
  })
  return known
}

/** Marks the lines as quoted that cite with a mark of their writer's own. Linear in the number of lines. */
export const withCitations = (lines: ReadonlyArray<BodyLine>): ReadonlyArray<BodyLine> => {
  const known = citationMarks(lines)
  if (known.size === 0) return lines
  return lines.map((line) => {
    const mark = markOf(line)
    return mark !== undefined && known.has(mark) ? { ...line, quoted: true } : line
  })
}
