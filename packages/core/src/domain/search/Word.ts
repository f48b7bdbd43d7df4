/** A normalised word and its range in the text, from `start` to before `end`, in UTF-16 units. */
export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
  /** True for a run of characters in a script without spaces between words. */
  readonly dense: boolean
}

/** The maximum length of a word in UTF-16 units. Only the start of a longer word is compared. */
export const wordLength = 40

/** Scripts without spaces between words. Texts in these scripts are indexed as pairs of characters. */
const dense =
  "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー々"
const words = /[\p{L}\p{N}\p{M}]+/gu
const hasDense = new RegExp(`[${dense}]`, "u")
/** Splits a word into runs. A run consists either of characters of these scripts or of other characters. */
const runs = new RegExp(`[${dense}]+|[^${dense}]+`, "gu")
/** Characters that normalisation inserts into a word, such as the brackets of ⑴ and the stroke of ½. */
const nothingOfAWord = /[^\p{L}\p{N}\p{M}]/gu
const asciiWords = /[a-zA-Z0-9]+/gu

/**
 * Accents and points of Latin, Greek, Cyrillic, Hebrew and Arabic, which are removed. Vowel signs of other scripts
 * stay.
 */
const marks =
  /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe0f]/gu
const isAscii = /^[\0-\x7f]*$/u

/** The replacements of letters that Unicode normalisation does not decompose. */
const spelled: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
  ς: "σ"
}
const special = new RegExp(`[${Object.keys(spelled).join("")}]`, "gu")

/**
 * FROZEN, because the index stores the results. Normalises compatibility forms, case and accents, so that `Ä`, `ä` and
 * `a` are equal.
 */
export const fold = (text: string): string =>
  isAscii.test(text)
    ? text.toLowerCase()
    : text
        .normalize("NFKD")
        .toLowerCase()
        .replace(marks, "")
        .replace(special, (letter) => spelled[letter] ?? letter)
        .normalize("NFC")

/** Normalises a part of a text to a word. Returns null when no character remains. */
const asWord = (found: string, start: number, isDense: boolean): Word | null => {
  const end = start + found.length
  if (isAscii.test(found)) return { text: found.toLowerCase().slice(0, wordLength), start, end, dense: isDense }
  const folded = fold(found).replaceAll(nothingOfAWord, "")
  const text = isDense ? folded : folded.slice(0, wordLength).toWellFormed()
  return text === "" ? null : { text, start, end, dense: isDense }
}

/** Returns the words of a text in order. */
export const wordsOf = (text: string): ReadonlyArray<Word> => {
  const found: Array<Word> = []
  const add = (part: string, start: number, isDense: boolean): void => {
    const word = asWord(part, start, isDense)
    if (word !== null) found.push(word)
  }
  const plain = isAscii.test(text)
  for (const { 0: part, index } of text.matchAll(plain ? asciiWords : words)) {
    if (plain || !hasDense.test(part)) add(part, index, false)
    else for (const run of part.matchAll(runs)) add(run[0], index + run.index, hasDense.test(run[0]))
  }
  return found
}

/** Returns all pairs of adjacent characters in a run. If the run has only one character, returns this character. */
export const pairsOf = (run: string): ReadonlyArray<string> => {
  const characters = Array.from(run)
  return characters.length < 2 ? characters : characters.slice(1).map((next, index) => `${characters[index]}${next}`)
}

/** Digits with common separators. */
const phoneLike = /\+?\d(?:[\d\s()./-]{4,28})\d/gu

/** Returns the digits of a number. Omits the national prefix `(0)`. */
export const digitsOf = (text: string): string => text.replaceAll("(0)", "").replaceAll(/\D/gu, "")

/** Returns up to eight possible phone numbers in a text with their ranges. */
export const phonesIn = (text: string): ReadonlyArray<{ digits: string; start: number; end: number }> => {
  const found: Array<{ digits: string; start: number; end: number }> = []
  for (const match of text.matchAll(phoneLike)) {
    const digits = digitsOf(match[0])
    if (digits.length >= 7 && digits.length <= 15) {
      found.push({ digits, start: match.index, end: match.index + match[0].length })
    }
    if (found.length === 8) break
  }
  return found
}
