import { addressMark, foldAddress, minDigits, phoneMark, type Token } from "./Token.ts"
import { digitsOf, pairsOf, wordLength, wordsOf } from "./Word.ts"

/** A token that has to be there, or one that begins so. */
export interface Term {
  readonly text: Token
  readonly isPrefix: boolean
}

/** What a query looks for: all terms of one of these lists. Nothing is found by none. */
export type SearchQuery = ReadonlyArray<ReadonlyArray<Term>>

/** Characters of a query that are read, and words of it. More of either only narrows what is found already. */
const queryLength = 1_000
const termLimit = 16

/** The words of a query. The last one is taken for the beginning of a word: it may still be being typed. */
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

/** The digits of a fragment of a phone number as they stand in the international form: without a leading 00 or 0. */
const phoneFragment = (text: string): string | null => {
  if (!isNumber.test(text)) return null
  const digits = digitsOf(text).replace(/^0{1,2}/u, "")
  return digits.length < minDigits ? null : digits.slice(0, wordLength)
}

/** A fragment of an address is one piece. Digits may be one, too. */
const addressFragment = (text: string): string | null => {
  if (/\s/u.test(text)) return null
  const folded = foldAddress(text).slice(0, wordLength).toWellFormed()
  return folded.length < 2 || /^·*$/u.test(folded) ? null : folded
}

/**
 * Reads a query. There is no syntax in it: quotes, operators and whatever else people type are what stands between words,
 * so nothing that is typed can be wrong.
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

/** Whether a set of tokens has what is sought. */
export const isFound = (searchQuery: SearchQuery, tokens: ReadonlySet<Token>): boolean =>
  searchQuery.some((terms) =>
    terms.every(({ isPrefix, text }) =>
      isPrefix ? [...tokens].some((token) => token.startsWith(text)) : tokens.has(text)
    )
  )
