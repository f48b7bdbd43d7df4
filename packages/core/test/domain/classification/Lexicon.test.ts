import { describe, expect, it } from "vitest"
import { compileLexicon, findPhrases } from "../../../src/domain/classification/lexicon/Lexicon.ts"
import { tokensOf } from "../../../src/domain/classification/lexicon/Tokens.ts"

const found = (phrases: string, text: string): ReadonlyArray<string> => {
  const tokens = tokensOf(text)
  return findPhrases(compileLexicon([{ support: phrases }]), tokens).map(({ from, to }) =>
    tokens.words.slice(from, to + 1).join(" ")
  )
}

describe("tokensOf", () => {
  it("removes accents and apostrophes, and separates elided words", () => {
    expect(tokensOf("Qu'est-ce que l’ÉTÉ? I don't, Größe").words).toEqual([
      "qu",
      "est",
      "ce",
      "que",
      "l",
      "ete",
      "i",
      "dont",
      "grosse"
    ])
    expect(tokensOf("I DON'T").words).toEqual(["i", "dont"])
    expect(tokensOf("").words).toEqual([])
  })

  it("numbers clauses and sentences", () => {
    const { clauses, sentences } = tokensOf("a b, c but d. e")
    expect(clauses).toEqual([0, 0, 1, 2, 2, 3])
    expect(sentences).toEqual([0, 0, 0, 0, 0, 1])
  })

  it("reads only the beginning of a very long text", () => {
    expect(tokensOf("a ".repeat(20_000)).words.length).toBe(10_000)
  })
})

describe("findPhrases", () => {
  it("finds words, stems and phrases with a gap", () => {
    expect(found("roof leak*", "The roof leaks, the roof is red, roof leakage")).toEqual(["roof leaks", "roof leakage"])
    expect(found("cancel*", "cancelling is not can")).toEqual(["cancelling"])
    expect(found("knocked .. out", "knocked out")).toEqual(["knocked out"])
    expect(found("knocked .. out", "knocked a b c out")).toEqual(["knocked a b c out"])
    expect(found("knocked .. out", "knocked a b c d out")).toEqual([])
  })

  it("finds no phrase across clauses", () => {
    expect(found("roof leaks", "on the roof, leaks")).toEqual([])
    expect(found("knocked .. out", "he knocked, then went out")).toEqual([])
    expect(found("knocked .. out", "he knocked it, out")).toEqual([])
  })

  it("counts a phrase of two languages as one entry", () => {
    const lexicon = compileLexicon([{ support: "problem" }, { support: "problem" }])
    expect(findPhrases(lexicon, tokensOf("problem")).length).toBe(1)
  })

  it.each(["..", ".. a", "a ..", "ab*"])("rejects the phrase %j", (phrase) => {
    expect(() => compileLexicon([{ support: phrase }])).toThrow(phrase)
  })
})
