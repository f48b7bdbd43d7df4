import type { Budget, Pieces } from "../budget/Budget.ts"
import { searchSteps } from "../rule/TextSearch.ts"
import { lookSteps, plainPasses } from "./PlainText.ts"

/** Letters of other scripts that look like Latin ones (UTS 39), in lower case. Both sides of a comparison are folded. */
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

/** Digits that stand for letters, inside a word that has letters on both sides of them. */
const hiddenDigit = /(?<=\p{L})[01](?=\p{L})/gu

/** What makes words of a text, one after another: one space between them and at both ends. `don't` becomes `dont`. */
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

/** Scripts that are written without spaces between words. */
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** Words of single letters, one after another, as in `f r e e`. */
const spelledOut = /(?<= )(?:[\p{L}\p{N}] ){3,}/gu

/** Shortest phrase that is looked for in what is spelled out: shorter ones come about by accident. */
const spelledLength = 4

/** A phrase, ready to be looked for. */
export interface GuardPhrase {
  readonly firstWord: string
  /** Words with one space between them and at both ends. */
  readonly words: string
  /** The same without spaces. */
  readonly squeezed: string
  /** In a script without spaces between words: it may stand inside of what looks like one. */
  readonly anywhere: boolean
}

/** A phrase in any spelling; null when there is no word in it. */
export const readPhrase = (phrase: string): GuardPhrase | null => {
  const words = wordsOf(phrase)
  const squeezed = words.replaceAll(" ", "")
  const [firstWord = ""] = words.trim().split(" ")
  return squeezed === "" ? null : { firstWord, words, squeezed, anywhere: unspaced.test(squeezed) }
}

/** A text in which phrases are looked for. */
export interface GuardWords {
  readonly words: string
  /** Each word once: most phrases begin with a word that the text does not have. */
  readonly set: ReadonlySet<string>
  readonly squeezed: string
  /** Runs of single letters, each put together, with a space between them. */
  readonly spelled: string
}

/** Steps that reading a text costs a character: it is gone over a dozen times. */
export const wordSteps = 64

const guardWords = (words: string): GuardWords => ({
  words,
  set: new Set(words.trim().split(" ")),
  squeezed: words.replaceAll(" ", ""),
  spelled: Array.from(words.matchAll(spelledOut), ([run]) => run.replaceAll(" ", "")).join(" ")
})

/** Reads a text once for many phrases. */
export const readWords = (text: string): GuardWords => guardWords(wordsOf(text))

/** The same in pieces, each of which spends its part. */
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

/** Whether the phrase stands in the text: as whole words, spelled out letter by letter, or in disguise. */
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
