import type { Budget, Pieces } from "../budget/Budget.ts"
import { searchSteps } from "../rule/TextSearch.ts"
import { lookSteps, plainPasses } from "./PlainText.ts"

/**
 * Letters of other scripts that look like Latin letters (UTS 39), in lower case. They are replaced in phrases and in
 * texts.
 */
const lookalikes: Readonly<Record<string, string>> = {
  а: "a",
  в: "b",
  с: "c",
  ԁ: "d",
  е: "e",
  һ: "h",
  і: "i",
  ј: "j",
  к: "k",
  ӏ: "l",
  м: "m",
  п: "n",
  о: "o",
  р: "p",
  ԛ: "q",
  г: "r",
  ѕ: "s",
  т: "t",
  υ: "u",
  ѵ: "v",
  ԝ: "w",
  х: "x",
  у: "y",
  α: "a",
  β: "b",
  ε: "e",
  η: "n",
  ι: "i",
  κ: "k",
  ν: "v",
  ο: "o",
  ρ: "p",
  τ: "t",
  χ: "x",
  γ: "y",
  ı: "i",
  ɡ: "g",
  ß: "ss",
  ς: "σ",
  "0": "o",
  "1": "l"
}

const lookalike = new RegExp(
  `[${Object.keys(lookalikes)
    .filter((letter) => !/\d/u.test(letter))
    .join("")}]`,
  "gu"
)

/** Matches a digit that replaces a letter, between two letters of one word. */
const hiddenDigit = /(?<=\p{L})[01](?=\p{L})/gu

/**
 * The passes that convert a text to its words, with one space before, between and after them. `don't` becomes `dont`.
 */
const wordPasses: ReadonlyArray<(text: string) => string> = [
  ...plainPasses,
  (text) =>
    text
      .toLowerCase()
      .normalize("NFC")
      .replace(/\u0307/gu, ""),
  (text) => text.replace(lookalike, (letter) => lookalikes[letter] ?? letter),
  (text) => text.replace(hiddenDigit, (letter) => lookalikes[letter] ?? letter),
  (text) => text.replace(/['’‘ʼ`´]/gu, ""),
  (text) => ` ${text.replace(/[^\p{L}\p{M}\p{N}]+/gu, " ").trim()} `
]

const wordsOf = (text: string): string => wordPasses.reduce((read, pass) => pass(read), text)

/** Scripts without spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** Matches a sequence of single letters, as in `f r e e`. */
const spelledOut = /(?<= )(?:[\p{L}\p{N}] ){3,}/gu

/** The minimum length of a phrase that is searched in spelled-out words. Shorter phrases occur in them by accident. */
const spelledLength = 4

/** A phrase prepared for searches. */
export interface GuardPhrase {
  readonly firstWord: string
  /** The words, with one space before, between and after them. */
  readonly words: string
  /** The words without spaces. */
  readonly squeezed: string
  /** True for a phrase in a script without spaces between words. Such a phrase also matches inside a word. */
  readonly anywhere: boolean
}

/** Normalises a phrase. Returns null when the phrase contains no word. */
export const readPhrase = (phrase: string): GuardPhrase | null => {
  const words = wordsOf(phrase)
  const squeezed = words.replaceAll(" ", "")
  const [firstWord = ""] = words.trim().split(" ")
  return squeezed === "" ? null : { firstWord, words, squeezed, anywhere: unspaced.test(squeezed) }
}

/** A text prepared for phrase searches. */
export interface GuardWords {
  readonly words: string
  /** The distinct words. Most phrases are excluded quickly, because their first word is not in this set. */
  readonly set: ReadonlySet<string>
  readonly squeezed: string
  /** The words that are spelled out letter by letter in the text, joined and separated by a space. */
  readonly spelled: string
}

/**
 * The steps of preparing one character of a text. The preparation consists of more than a dozen passes over the text.
 */
export const wordSteps = 64

const guardWords = (words: string): GuardWords => ({
  words,
  set: new Set(words.trim().split(" ")),
  squeezed: words.replaceAll(" ", ""),
  spelled: Array.from(words.matchAll(spelledOut), ([run]) => run.replaceAll(" ", "")).join(" ")
})

/** Prepares a text once for many phrases. */
export const readWords = (text: string): GuardWords => guardWords(wordsOf(text))

/** Prepares a text in pieces. Each piece spends its share of the budget. */
export const readingWords = function* (text: string, budget: Budget): Pieces<GuardWords> {
  const steps = Math.ceil(lookSteps(text, wordSteps) / (wordPasses.length + 1))
  let words = text
  for (const pass of wordPasses) {
    budget.spend(steps)
    words = pass(words)
    yield
  }
  budget.spend(steps)
  return guardWords(words)
}

/** Returns true when the text contains the phrase: as whole words, spelled out letter by letter, or disguised. */
export const containsPhrase = (text: GuardWords, phrase: GuardPhrase, budget?: Budget): boolean => {
  const holds = (where: string, part: string): boolean => {
    budget?.spend(searchSteps(where.length))
    return where.includes(part)
  }
  budget?.spend(8)
  if (text.set.has(phrase.firstWord) && holds(text.words, phrase.words)) return true
  if (phrase.anywhere) return holds(text.squeezed, phrase.squeezed)
  return phrase.squeezed.length >= spelledLength && text.spelled !== "" && holds(text.spelled, phrase.squeezed)
}
