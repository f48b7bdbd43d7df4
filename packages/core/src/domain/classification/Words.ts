/** Text beyond this many characters is not looked into: who has not said it by then does not mean it. */
const maxTextLength = 20_000

/** Whether a text has anything but ASCII in it. */
const beyondAscii = /[\u0080-\uffff]/

/** Letters and digits of every language are told by tables, which take several times as long as those of ASCII. */
const spaced = (text: string): string =>
  beyondAscii.test(text)
    ? text.replace(/['’]/gu, "").replace(/[^\p{L}\p{N}]+/gu, " ")
    : text.replaceAll("'", "").replace(/[^a-z0-9]+/g, " ")

/**
 * A text as words for looking phrases up: lower case, apostrophes dropped (`don't` is `dont`), everything else that is
 * neither letter nor digit turned into one space, a space at both ends. Works for languages that put spaces between
 * words.
 */
export const wordsOf = (text: string): string => ` ${spaced(text.slice(0, maxTextLength).toLowerCase()).trim()} `

/** A word or several, ready to be looked up. */
export interface Phrase {
  /** In the form of `wordsOf`, without the outer spaces. */
  readonly text: string
  readonly firstWord: string
  readonly isOneWord: boolean
}

/** A phrase from words in any spelling. */
export const phraseOf = (text: string): Phrase => {
  const words = wordsOf(text).trim()
  const [firstWord = ""] = words.split(" ")
  return { text: words, firstWord, isOneWord: firstWord === words }
}

/** A text in which many phrases are looked up: one pass over it, then one look into a set a phrase. */
export interface WordIndex {
  readonly words: string
  readonly set: ReadonlySet<string>
}

/** Indexes a text. */
export const indexWords = (text: string): WordIndex => {
  const words = wordsOf(text)
  return { words, set: new Set(words.trim().split(" ")) }
}

/** Whether the phrase stands in the text, as whole words one after another. */
export const hasPhrase = ({ words, set }: WordIndex, phrase: Phrase): boolean =>
  set.has(phrase.firstWord) && (phrase.isOneWord || words.includes(` ${phrase.text} `))

/** How many of the phrases stand in the text. */
export const countPhrases = (index: WordIndex, phrases: ReadonlyArray<Phrase>): number => {
  let count = 0
  for (const phrase of phrases) if (hasPhrase(index, phrase)) count++
  return count
}

/** Number of words. */
export const countWords = (words: string): number => {
  let spaces = 0
  for (let at = words.indexOf(" "); at >= 0; at = words.indexOf(" ", at + 1)) spaces++
  return words.trim() === "" ? 0 : spaces - 1
}

const apostrophe = 0x27

/** Whether a character of ASCII is a letter or a digit. */
const isWordCode = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39)

/** Number of words in a text: what `countWords` says of its `wordsOf`, which is not made where ASCII is enough. */
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
