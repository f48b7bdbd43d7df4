import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { matchWords, snippetOf, wordTerms } from "../../../src/domain/search/Highlight.ts"
import { isFound, parseSearchQuery } from "../../../src/domain/search/SearchQuery.ts"
import { tokensOfContact, tokensOfMessage } from "../../../src/domain/search/Token.ts"
import { fold, wordsOf } from "../../../src/domain/search/Word.ts"

const anyText = fc.string({ unit: "binary", maxLength: 300 })
const message = (body: string) =>
  tokensOfMessage({ body, subject: null, actor: "contact", from: null, to: [], cc: [], attachments: [] })
const contact = (fields: { readonly email?: string; readonly phone?: string }) =>
  tokensOfContact({
    name: null,
    company: null,
    notes: null,
    tags: [],
    emails: [],
    phones: [],
    externalIds: [],
    email: null,
    phone: null,
    ...fields
  })
/** The characters that both indexes accept in a token. */
const safe = /^[¤¶]?[\p{L}\p{N}\p{M}·\uFFFD]+$/u

describe("SearchQuery", () => {
  it("ignores differences that people do not distinguish", () => {
    // FROZEN: the index contains these values.
    const folded = ["Ä", "ß", "Łódź", "İstanbul", "ﬁn", "ＡＢＣ", "ｶﾞ", "Ωσ", "ς", "Ёлка", "שָׁלוֹם", "한글", "Ⅳ"].map(fold)
    expect(folded).toEqual(["a", "ss", "lodz", "istanbul", "fin", "abc", "ガ", "ωσ", "σ", "елка", "שלום", "한글", "iv"])
  })

  it("parses any text, and produces nothing that an index would interpret as syntax", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const term of parseSearchQuery(text).flat()) expect(term.text).toMatch(safe)
        for (const token of [...message(text), ...contact({ email: text, phone: text })]) expect(token).toMatch(safe)
      }),
      { numRuns: 500 }
    )
  })

  it("matches a text by all of its first words, and by any of them", () => {
    const words = fc.array(fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(words, (list) => {
        const text = list.join(" ")
        const tokens = message(text)
        for (const query of [text, ...list]) {
          const searchQuery = parseSearchQuery(query)
          if (searchQuery.length > 0) expect([query, isFound(searchQuery, tokens)]).toEqual([query, true])
        }
      })
    )
  })

  it("matches an address by any part of two characters or more", () => {
    fc.assert(
      fc.property(fc.emailAddress(), fc.nat(), fc.nat(), (email, from, length) => {
        const start = from % (email.length - 2)
        const part = email.slice(start, start + 2 + (length % 20))
        const searchQuery = parseSearchQuery(part)
        if (searchQuery.length > 0) expect([part, isFound(searchQuery, contact({ email }))]).toEqual([part, true])
      })
    )
  })

  it("matches a number by any three consecutive digits or more, in any notation", () => {
    const digits = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 10, maxLength: 14 })
    fc.assert(
      fc.property(digits, fc.nat(), fc.constantFrom("", " ", "-", "/", ". "), (list, from, gap) => {
        const start = from % (list.length - 3)
        const query = list.slice(start, start + 3 + (from % 6)).join(gap)
        expect([query, isFound(parseSearchQuery(query), contact({ phone: `+${list.join("")}` }))]).toEqual([
          query,
          true
        ])
      })
    )
  })

  it("marks ranges within the text without overlap, and keeps snippets short", () => {
    fc.assert(
      fc.property(anyText, anyText, (text, query) => {
        const match = matchWords(text, wordTerms(parseSearchQuery(query)))
        const snippet = snippetOf(text, match)
        expect(snippet.text.length).toBeLessThanOrEqual(200)
        expect(snippet.text.isWellFormed()).toBe(true)
        let last = -1
        for (const { end, start } of snippet.ranges) {
          expect(start).toBeGreaterThan(last)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(snippet.text.length)
          last = end
        }
      })
    )
  })

  it("splits a text into words with their positions", () => {
    expect(wordsOf("Ä1 屋根x, ok")).toEqual([
      { text: "a1", start: 0, end: 2, dense: false },
      { text: "屋根", start: 3, end: 5, dense: true },
      { text: "x", start: 5, end: 6, dense: false },
      { text: "ok", start: 8, end: 10, dense: false }
    ])
  })
})
