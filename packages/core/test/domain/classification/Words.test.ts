import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Vocabulary from "../../../src/domain/classification/Vocabulary.ts"
import {
  countPhrases,
  countWords,
  countWordsIn,
  hasPhrase,
  indexWords,
  phraseOf,
  wordsOf
} from "../../../src/domain/classification/Words.ts"

describe("Words", () => {
  it("keeps letters and digits of any script, in lower case", () => {
    expect(wordsOf("Don’t WAIT – 24/7, für Größe! 我们")).toBe(" dont wait 24 7 für größe 我们 ")
    expect(wordsOf("")).toBe("  ")
  })

  it("finds only whole words and phrases, in any spelling", () => {
    const index = indexWords("How much? The price-list, please.")
    for (const phrase of ["how", "How much?", "PRICE LIST", "please", "much the", "list please"]) {
      expect(hasPhrase(index, phraseOf(phrase))).toBe(true)
    }
    for (const phrase of ["lease", "list price", "how price", "price lis", "", "please do", "x how"]) {
      expect(hasPhrase(index, phraseOf(phrase))).toBe(false)
    }
    expect(countPhrases(index, ["price", "list", "lis"].map(phraseOf))).toBe(2)
  })

  it("finds a phrase at every position of the normalised text", () => {
    const words = fc.array(fc.constantFrom("a", "b", "ab"), { maxLength: 6 }).map((list) => list.join(" "))
    fc.assert(
      fc.property(words, words, (text, phrase) => {
        const expected = phrase === "" ? text === "" : ` ${text} `.includes(` ${phrase} `)
        expect(hasPhrase(indexWords(text), phraseOf(phrase))).toBe(expected)
      }),
      { numRuns: 500 }
    )
  })

  it("treats ASCII like any other text", () => {
    const unicode = (text: string): string =>
      ` ${text
        .slice(0, 20_000)
        .toLowerCase()
        .replace(/['’]/gu, "")
        .replace(/[^\p{L}\p{N}]+/gu, " ")
        .trim()} `
    const letters = fc.constantFrom("a", "Z", "0", "'", "’", " ", "-", "_", "\n", "é", "İ", "K", "²", "я", "\ud83d")
    const texts = fc.oneof(
      fc.string({ unit: "binary-ascii" }),
      fc.array(letters).map((parts) => parts.join("")),
      fc.constant(`${"it's ".repeat(5_000)}é`)
    )
    fc.assert(
      fc.property(texts, (text) => {
        expect(wordsOf(text)).toBe(unicode(text))
        expect(countWordsIn(text)).toBe(countWords(unicode(text)))
      }),
      { numRuns: 500 }
    )
  })

  it("counts as many words as splitting the text returns", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "bc", " ", "!", "'")), (parts) => {
        const words = wordsOf(parts.join(""))
        expect(countWords(words)).toBe(words.split(" ").filter((word) => word !== "").length)
      })
    )
  })

  it("reads only the beginning of a very long text", () => {
    expect(hasPhrase(indexWords(`${"a ".repeat(20_000)}price`), phraseOf("price"))).toBe(false)
  })
})

describe("Vocabulary", () => {
  it("has no duplicates within a list", () => {
    for (const phrases of Object.values(Vocabulary)) {
      expect(phrases.length).toBeGreaterThan(5)
      expect(phrases.every((phrase) => phrase.text !== "")).toBe(true)
      expect(new Set(phrases.map((phrase) => phrase.text)).size).toBe(phrases.length)
    }
  })
})
