/** A word of a text, folded, and where it stands: from `start` to before `end`, in UTF-16 units. */
export interface Word {
  readonly text: string
  readonly start: number
  readonly end: number
  /** A run of a script that is written without spaces. */
  readonly dense: boolean
}

/** Longer words are compared by their beginning. UTF-16 units. */
export const wordLength = 40

/** Scripts without spaces between words: what is found in them are pairs of characters. */
const dense =
  "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Bopomofo}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}ー々"
const words = new RegExp(`(?<dense>[${dense}]+)|(?:(?![${dense}])[\\p{L}\\p{N}\\p{M}])+`, "gu")
/** What folding may put into a word: the brackets of ⑴, the stroke of ½. */
const nothingOfAWord = /[^\p{L}\p{N}\p{M}]/gu
const asciiWords = /[a-z0-9]+/gu

/** Accents and points of Latin, Greek, Cyrillic, Hebrew and Arabic. Vowel signs of other scripts stay. */
const marks =
  /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe0f]/gu
const isAscii = /^[\0-\x7f]*$/u

/** Letters that Unicode does not take apart. */
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
 * A text as it is compared: compatibility forms, case and accents folded, so that `Ä`, `ä` and `a` are the same. FROZEN:
 * the index holds what it gave.
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

/** The words of a text in their order. */
export function* wordsOf(text: string): Generator<Word> {
  const plain = isAscii.test(text)
  const source = plain ? text.toLowerCase() : text
  for (const match of source.matchAll(plain ? asciiWords : words)) {
    const [found] = match
    const isDense = match.groups?.["dense"] !== undefined
    const folded = plain ? found : fold(found).replaceAll(nothingOfAWord, "")
    const kept = isDense ? folded : folded.slice(0, wordLength).toWellFormed()
    if (kept !== "") yield { text: kept, start: match.index, end: match.index + found.length, dense: isDense }
  }
}

/** The characters of a dense run two by two; of a single one that one. */
export const pairsOf = (run: string): ReadonlyArray<string> => {
  const characters = Array.from(run)
  return characters.length < 2 ? characters : characters.slice(1).map((next, index) => `${characters[index]}${next}`)
}

/** Digits with what people write between them. */
const phoneLike = /\+?\d(?:[\d\s()./-]{4,28})\d/gu

/** The digits of a number, without the national prefix in brackets. */
export const digitsOf = (text: string): string => text.replaceAll("(0)", "").replaceAll(/\D/gu, "")

/** What looks like a phone number in a text, and where. At most eight. */
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
