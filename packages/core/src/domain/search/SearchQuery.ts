/**
 * Search queries, index tokens and highlighted matches. The index itself belongs to `store/src/search`, the ranking of
 * results to `workflow/search`.
 * Tests: `packages/core/test/domain/search`, `packages/testkit/src/suite/search`.
 */
import { addressMark, foldAddress, minDigits, phoneMark, type Token } from "./Token.ts"
import { digitsOf, pairsOf, wordLength, wordsOf } from "./Word.ts"

/**
 * A token that must be present in a matching message or contact. With `isPrefix`, a longer token that starts with
 * `text` matches too.
 */
export interface Term {
  readonly text: Token
  readonly isPrefix: boolean
}

/** A search query: alternatives, each a list of terms that must all match. An empty query matches nothing. */
export type SearchQuery = ReadonlyArray<ReadonlyArray<Term>>

/** The maximum length of a query in characters, and the maximum number of its words. The rest is ignored. */
const queryLength = 1_000
const termLimit = 16

/** Returns the words of a query. The last word counts as a prefix, because the person may still be typing it. */
const termsOf = (text: string): ReadonlyArray<Term> => {
  const terms = new Map<string, Term>()
  const words = wordsOf(text)
  for (const [index, word] of words.entries()) {
    const isLast = index === words.length - 1
    for (const token of word.dense ? pairsOf(word.text) : [word.text]) {
      const isPrefix = word.dense ? Array.from(token).length === 1 : isLast
      terms.set(token, { text: token, isPrefix: isPrefix || (terms.get(token)?.isPrefix ?? false) })
    }
  }
  return [...terms.values()].slice(0, termLimit)
}

const isNumber = /^[\d\s+()./-]+$/u

/**
 * Returns a fragment of a phone number as digits in international form, without a leading 0 or 00. Returns null if the
 * text is not a fragment of a phone number.
 */
const phoneFragment = (text: string): string | null => {
  if (!isNumber.test(text)) return null
  const digits = digitsOf(text).replace(/^0{1,2}/u, "")
  return digits.length < minDigits ? null : digits.slice(0, wordLength)
}

/**
 * Returns a fragment of an address in normalised form. Returns null if the text contains spaces. A fragment may consist
 * of digits only.
 */
const addressFragment = (text: string): string | null => {
  if (/\s/u.test(text)) return null
  const folded = foldAddress(text).slice(0, wordLength).toWellFormed()
  return folded.length < 2 || /^·*$/u.test(folded) ? null : folded
}

/**
 * Parses a query. There is no query syntax: quotes, operators and other punctuation count as separators. Every input is
 * therefore valid.
 */
export const parseSearchQuery = (query: string): SearchQuery => {
  const text = query.slice(0, queryLength).toWellFormed().trim()
  const terms = termsOf(text)
  if (terms.length === 0) return []
  const [phone, address] = [phoneFragment(text), addressFragment(text)]
  return [
    terms,
    ...(phone === null ? [] : [[{ text: phoneMark + phone, isPrefix: true }]]),
    ...(address === null ? [] : [[{ text: addressMark + address, isPrefix: true }]])
  ]
}

/** Returns true when a set of tokens matches the query. */
export const isFound = (searchQuery: SearchQuery, tokens: ReadonlySet<Token>): boolean =>
  searchQuery.some((terms) =>
    terms.every(({ isPrefix, text }) =>
      isPrefix ? [...tokens].some((token) => token.startsWith(text)) : tokens.has(text)
    )
  )
