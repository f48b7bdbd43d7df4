import type { SearchQuery, Term } from "./SearchQuery.ts"
import { addressMark, foldAddress, phoneMark } from "./Token.ts"
import { digitsOf, type Word, wordsOf } from "./Word.ts"

/** A highlighted range from `start` to before `end`, in UTF-16 units of the text. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** A plain text with highlighted ranges. */
export interface Snippet {
  readonly text: string
  readonly ranges: ReadonlyArray<Range>
}

/** The occurrences of a query in a text, with their quality. */
export interface Match {
  readonly ranges: ReadonlyArray<Range>
  /**
   * The quality: the sum over the words of the query, 1 for an equal word and 0.6 for an equal start. If adjacent words
   * of the query are adjacent in the text, 1 is added.
   */
  readonly quality: number
}

const isMark = ({ text }: Term): boolean => text.startsWith(phoneMark) || text.startsWith(addressMark)

/** Returns the terms of a query that are words. Omits the terms for fragments of addresses and numbers. */
export const wordTerms = (searchQuery: SearchQuery): ReadonlyArray<Term> =>
  searchQuery.flatMap((terms) => terms.filter((term) => !isMark(term)))

/** Compares a word with a term: 1 for equal, 0.6 for an equal start, 0 otherwise. */
const likeness = (word: Word, { isPrefix, text }: Term): number => {
  if (word.dense) return word.text.includes(text) ? 1 : 0
  if (word.text === text) return 1
  return isPrefix && word.text.startsWith(text) ? 0.6 : 0
}

/**
 * Returns the range of a pair of characters within a word in a script without spaces (`Word.dense`). If normalisation
 * has changed the word's length, returns the range of the whole word.
 */
const placeIn = (word: Word, text: string): Range => {
  const at = word.end - word.start === word.text.length ? word.text.indexOf(text) : -1
  return at < 0 ? { start: word.start, end: word.end } : { start: word.start + at, end: word.start + at + text.length }
}

/** Sorts ranges and joins those that touch. */
const joined = (ranges: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const result: Array<Range> = []
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = result.at(-1)
    if (last !== undefined && range.start <= last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) }
    } else result.push(range)
  }
  return result
}

/** The maximum number of ranges in one text. */
const rangeLimit = 64

/** Finds the words of a query in a text. */
export const matchWords = (text: string, terms: ReadonlyArray<Term>): Match => {
  const best = terms.map(() => 0)
  const ranges: Array<Range> = []
  let sideBySide = 0
  let before = -2
  for (const word of wordsOf(text)) {
    let here = -2
    for (const [index, term] of terms.entries()) {
      const like = likeness(word, term)
      if (like === 0) continue
      best[index] = Math.max(best[index] ?? 0, like)
      if (index === before + 1) sideBySide = Math.max(sideBySide, 1)
      here = index
      if (ranges.length < rangeLimit) {
        ranges.push(word.dense ? placeIn(word, term.text) : { start: word.start, end: word.end })
      }
    }
    before = here
  }
  const found = best.reduce((sum, like) => sum + like, 0)
  return { ranges: joined(ranges), quality: found + (terms.length > 1 ? sideBySide : 0) }
}

/** Matches the address fragment of a query with an address. A query without such a fragment does not match. */
export const matchAddress = (text: string, searchQuery: SearchQuery): Match => {
  const fragment = searchQuery.flat().find((term) => term.text.startsWith(addressMark))
  const folded = foldAddress(text)
  const at = fragment === undefined ? -1 : folded.indexOf(fragment.text.slice(addressMark.length))
  if (fragment === undefined || at < 0) return { ranges: [], quality: 0 }
  const length = fragment.text.length - addressMark.length
  const isSame = folded.length === text.length
  return {
    ranges: [isSame ? { start: at, end: at + length } : { start: 0, end: text.length }],
    quality: length === folded.length ? 2 : at === 0 ? 0.8 : 0.4
  }
}

/** Finds a fragment of a phone number in a number of any spelling. */
export const matchPhone = (text: string, searchQuery: SearchQuery): Match => {
  const fragment = searchQuery.flat().find((term) => term.text.startsWith(phoneMark))
  if (fragment === undefined) return { ranges: [], quality: 0 }
  const [digits, part] = [digitsOf(text), fragment.text.slice(phoneMark.length)]
  if (!digits.includes(part)) return { ranges: [], quality: 0 }
  return { ranges: [{ start: 0, end: text.length }], quality: digits === part ? 2 : digits.endsWith(part) ? 0.8 : 0.4 }
}

/** The maximum length of a snippet, and the maximum length of its part before the first match, in UTF-16 units. */
const snippetLength = 200
const snippetLead = 50

const isHalf = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}

/** Returns the part of a text around the first match, as one line of plain text without markup. */
export const snippetOf = (text: string, { ranges }: Pick<Match, "ranges">): Snippet => {
  const first = ranges[0]?.start ?? 0
  let start = Math.max(0, first - snippetLead)
  // Start at the next word.
  const gap = start === 0 ? -1 : text.slice(start, first).search(/\s/u)
  if (gap >= 0) start += gap + 1
  if (isHalf(text, start)) start += 1
  let end = Math.min(text.length, start + snippetLength)
  if (isHalf(text, end)) end -= 1
  const inside = ranges
    .filter((range) => range.start < end && range.end > start)
    .map((range) => ({ start: Math.max(range.start, start) - start, end: Math.min(range.end, end) - start }))
  // Each replacement keeps the length of the text, so the ranges stay valid.
  return {
    text: text
      .slice(start, end)
      .toWellFormed()
      .replaceAll(/[\s\p{Cc}]/gu, " "),
    ranges: inside
  }
}
