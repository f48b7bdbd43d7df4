import { maxMarkLineLength, type BodyLine, withoutRules } from "./BodyLine.ts"
import { dateLeads, wroteEndings, wroteWords } from "./QuoteMarks.ts"

/**
 * The certainty that a line introduces a quote. `sure`: history follows, even without quote marks. `likely`: history
 * follows only if the next lines have quote marks.
 */
export type AttributionStrength = "sure" | "likely" | "none"

/** The maximum number of lines of an attribution that a mail program has wrapped. */
export const attributionLines = 4

const escapeWord = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
const oneOf = (words: ReadonlyArray<string>): string =>
  words
    .toSorted((a, b) => b.length - a.length)
    .map(escapeWord)
    .join("|")

const wrote = new RegExp(`(?:^|[^\\p{L}\\p{N}])(?:${oneOf(wroteWords)})(?![\\p{L}\\p{N}])`, "iu")
const wroteAtEnd = new RegExp(
  `(?:(?:^|[^\\p{L}\\p{N}])(?:${oneOf(wroteWords)})|(?:${oneOf(wroteEndings)}))[ \\t\\u00a0]*[:：]?$`,
  "iu"
)
const wroteUnspaced = new RegExp(oneOf(wroteEndings), "u")
const datedLead = new RegExp(`^(?:${oneOf(dateLeads)})[ \\u00a0,-]|^(?:在|於|于)`, "iu")
/** Matches a numeric date, or a day and a year around the name of a month, in any language that uses these digits. */
const calendar =
  /\d{4}[-/.년年] ?\d{1,2}|\d{1,2}[-/.] ?\d{1,2}[-/.] ?\d{2,4}|(?<!\d)\d{1,2}\D{1,20}(?:19|20)\d{2}(?!\d)/
const clock = /(?<!\d)\d{1,2}[:.h]\d{2}(?!\d)/
const date = new RegExp(`\\d{1,2}[:.h]\\d{2}(?!\\d)|${calendar.source}`, "u")
/** Matches a date at the start of a line, after at most two words: `Tuesday, March 5`. */
const dateFirst = new RegExp(`^(?:[\\p{L}.]{1,14}[.,]? ){0,2}(?:\\d{1,2}[ .,]|${calendar.source})`, "u")
/** Matches an address in brackets with at most 40 characters after it. */
const addressAtEnd = /[<[(](?:mailto:)?[^\s<>[\]()]{1,100}@[^\s<>[\]()]{1,100}[>\])].{0,40}$/iu
const angled = /<(?:mailto:)?[^\s<>]{1,100}@[^\s<>]{1,100}>/iu
const address = /[^\s<>[\]()]{1,100}@[^\s<>[\]()]{1,100}/u
const nameWord = "[\\p{Lu}\\p{Lo}][\\p{L}\\p{M}.,'’-]{0,29}"
const senderName = `(?:"[^"]{1,60}"|${nameWord}(?: ${nameWord}){0,5})`
const senderAddress =
  "(?:<(?:mailto:)?[^\\s<>]{1,100}@[^\\s<>]{1,100}>|\\[mailto:[^\\s\\]]{1,100}\\]|\\([^\\s()]{1,100}@[^\\s()]{1,100}\\))"
/** Matches a line with only a name, an address in brackets and `wrote`: `Jo Smith <mailto:jo@x.io> wrote:`. */
const senderWrote = new RegExp(`^${senderName}? ?${senderAddress},? (?:${oneOf(wroteWords)}) ?[:：]$`, "u")
/** Matches a name directly followed by `wrote`, as in `Jo Smith wrote on 3/4/24 10:12:`. */
const senderFirst = new RegExp(`^${senderName} (?:${oneOf(wroteWords)})(?![\\p{L}\\p{N}])`, "u")
/**
 * Matches an address without brackets at the end of a line: `Mar 4, 2024, 10:12 by jo@x.io:`. One character before the
 * `@` is sufficient, and matching it is faster than matching the whole address.
 */
const bareAddressAtEnd = /[^\s<>[\]()]@[^\s<>[\]()]{1,100} ?[:：]$/u
/** The number of characters at the end of a line in which `wrote` is searched. No translation of `wrote` is longer. */
const widestVerb = 32

/** The limit of words in an attribution without date and address, such as "John Smith wrote:". */
const bareWords = 8

/** Rates an attribution. The caller must join wrapped lines first. */
export const attributionStrength = (joined: string): AttributionStrength => {
  if (joined.length > maxMarkLineLength) return "none"
  const text = withoutRules(joined)
  const colon = text.endsWith(":") || text.endsWith("：")
  const verbAtEnd = wroteAtEnd.test(text.slice(-widestVerb))
  if (!colon && !verbAtEnd) return "none"
  const verb = verbAtEnd || wrote.test(text) || wroteUnspaced.test(text)
  const dated = date.test(text)
  if (dated && (addressAtEnd.test(text) || (verb && angled.test(text)))) return "sure"
  if (dated && verb && (datedLead.test(text) || dateFirst.test(text))) return "sure"
  if (senderWrote.test(text)) return "sure"
  const exact = colon && clock.test(text) && calendar.test(text)
  if (exact && (senderFirst.test(text) || (dateFirst.test(text) && bareAddressAtEnd.test(text)))) return "sure"
  if (address.test(text) && colon) return "likely"
  if (verb && (dated || text.split(/\s+/, bareWords + 1).length <= bareWords)) return "likely"
  return dated && colon && datedLead.test(text) ? "likely" : "none"
}

const joinedAt = (lines: ReadonlyArray<BodyLine>, from: number, to: number): string | null => {
  let joined = ""
  for (let at = from; at <= to; at++) {
    const line = lines[at]
    if (line === undefined || line.content === "" || line.quoted) return null
    joined += (joined === "" ? "" : " ") + line.content
  }
  return joined
}

const opensWithDate = (joined: string): boolean => datedLead.test(joined) || dateFirst.test(joined)

/**
 * Returns whether several lines can be one wrapped attribution. The joined text must start with a date, or its first
 * line must contain an address. No line except the last may end a sentence. Otherwise the author's own line above an
 * attribution would become part of the attribution.
 */
const isWrapped = (lines: ReadonlyArray<BodyLine>, from: number, to: number, joined: string): boolean => {
  for (let at = from; at < to; at++) if (/[.?!]$/.test(lines[at]?.content ?? "")) return false
  return from === to || opensWithDate(joined) || (lines[from]?.content.includes("<") ?? false)
}

/**
 * Returns the first line of the attribution that ends at line `to`. Returns -1 if line `to` is not the end of an
 * attribution.
 */
export const attributionStart = (lines: ReadonlyArray<BodyLine>, to: number): number => {
  let likely = -1
  let sure = -1
  for (let from = to; from > to - attributionLines && from >= 0; from--) {
    const joined = joinedAt(lines, from, to)
    if (joined === null || joined.length > maxMarkLineLength) break
    if (!isWrapped(lines, from, to, joined)) continue
    const strength = attributionStrength(joined)
    if (strength === "sure" && opensWithDate(joined)) return from
    if (strength === "sure" && sure === -1) sure = from
    if (strength === "likely" && likely === -1) likely = from
  }
  return sure === -1 ? likely : sure
}

/** Returns the last line of a sure attribution that starts at line `from`. Returns -1 if there is none. */
export const sureAttributionEnd = (lines: ReadonlyArray<BodyLine>, from: number): number => {
  for (let to = from; to < from + attributionLines; to++) {
    const joined = joinedAt(lines, from, to)
    if (joined === null || joined.length > maxMarkLineLength) return -1
    if (attributionStrength(joined) === "sure") return attributionStart(lines, to) === from ? to : -1
  }
  return -1
}
