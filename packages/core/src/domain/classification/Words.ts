/** In characters. The rest of a longer text is ignored, because the important words come first. */
const maxTextLength = 20_000

/** Matches a character outside ASCII. */
const beyondAscii = /[\u0080-\uffff]/

/**
 * Replaces separators with spaces. ASCII text has its own pattern, because Unicode character classes are several times
 * slower than ASCII ones.
 */
const spaced = (text: string): string =>
  beyondAscii.test(text)
    ? text.replace(/['’]/gu, "").replace(/[^\p{L}\p{N}]+/gu, " ")
    : text.replaceAll("'", "").replace(/[^a-z0-9]+/g, " ")

/**
 * Normalises a text for phrase look-ups: converts it to lower case, removes apostrophes (`don't` becomes `dont`),
 * replaces every run of other characters by one space, and adds one space at both ends. Works only for languages that
 * separate words with spaces.
 */
export const wordsOf = (text: string): string => ` ${spaced(text.slice(0, maxTextLength).toLowerCase()).trim()} `

/** One or more words, prepared for look-ups. */
export interface Phrase {
  /** The words in the form of `wordsOf`, without the outer spaces. */
  readonly text: string
  readonly firstWord: string
  readonly isOneWord: boolean
}

/** Creates a phrase from words in any spelling. */
export const phraseOf = (text: string): Phrase => {
  const words = wordsOf(text).trim()
  const [firstWord = ""] = words.split(" ")
  return { text: words, firstWord, isOneWord: firstWord === words }
}

/** A text prepared for many look-ups. The preparation reads the text once. A look-up then checks a set of words. */
export interface WordIndex {
  readonly words: string
  readonly set: ReadonlySet<string>
}

export const indexWords = (text: string): WordIndex => {
  const words = wordsOf(text)
  return { words, set: new Set(words.trim().split(" ")) }
}

/** Returns whether a text contains a phrase as consecutive whole words. */
export const hasPhrase = ({ words, set }: WordIndex, phrase: Phrase): boolean =>
  set.has(phrase.firstWord) && (phrase.isOneWord || words.includes(` ${phrase.text} `))

/** Counts the phrases that occur in a text. */
export const countPhrases = (index: WordIndex, phrases: ReadonlyArray<Phrase>): number => {
  let count = 0
  for (const phrase of phrases) if (hasPhrase(index, phrase)) count++
  return count
}

/** Counts the words of a text in the form of `wordsOf`. */
export const countWords = (words: string): number => {
  let spaces = 0
  for (let at = words.indexOf(" "); at >= 0; at = words.indexOf(" ", at + 1)) spaces++
  return words.trim() === "" ? 0 : spaces - 1
}

const apostrophe = 0x27

/** Returns whether an ASCII character is a letter or digit. */
const isWordCode = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)

/**
 * Counts the words of a text. The result equals `countWords(wordsOf(text))`, but ASCII text is counted without building
 * the normalised text.
 */
export const countWordsIn = (text: string): number => {
  if (beyondAscii.test(text)) return countWords(wordsOf(text))
  const end = Math.min(text.length, maxTextLength)
  let count = 0
  let inside = false
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code === apostrophe) continue
    const isPart = isWordCode(code)
    if (isPart && !inside) count++
    inside = isPart
  }
  return count
}
