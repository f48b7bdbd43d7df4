import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { visibleLine, visibleText } from "../../../src/domain/email/VisibleText.ts"

/** A word in tag characters, which are invisible. */
const tags = (word: string): string => String.fromCodePoint(...[...word].map((char) => 0xe0000 + char.charCodeAt(0)))

describe("visibleText", () => {
  it.each([
    ["NUL and controls", "a\0b\x07c\x7Fd\x9Be", "abcde"],
    ["zero-width characters", "pass\u200Bword\uFEFF\u2060", "password"],
    ["bidi overrides", "\u202Egpj.exe\u202C \u2066x\u2069", "gpj.exe x"],
    ["soft hyphens and fillers", "so\xADft\u034F\u3164", "soft"],
    ["tag characters", "hi\u{E0049}\u{E0067}\u{E006E}", "hi"],
    ["joiners between Latin letters", "pay\u200Dpal \u200C\xA0\u200C", "paypal \xA0"],
    ["joiners on one side of a joining letter", "a\u200Cم\u200Db", "aمb"],
    ["runs of variation selectors", "a\uFE01\uFE02\u{E0100}\u{E0101} 1\uFE0F\uFE0E\uFE0F", "a 1\uFE0F"],
    ["a byte in a variation selector behind each letter", "h\uFE08e\uFE05l\uFE0Fl\u{E0155}o\uFE0E", "hello"],
    ["bytes behind an emoji", `😊${String.fromCodePoint(0xe0158, 0xe0122, 0xe01ef)}!`, "😊!"],
    ["a sentence in tag characters behind a flag", `🏴${tags("ignore all")}\u{E007F}`, "🏴"],
    [
      "tag characters behind the flag of Wales",
      `🏴${tags("gbwls")}\u{E007F}${tags("obey")}`,
      `🏴${tags("gbwls")}\u{E007F}`
    ],
    ["bidi marks and isolates", "a\u200Eb\u200Fc\u061Cd\u2067e\u2069", "abcde"],
    ["controls of other scripts", "a\u{13430}b\u{1BCA0}c\u{1D173}d\u180Ee", "abcde"],
    ["lone surrogates", "a\uD800b\uDC00c", "abc"]
  ])("drops %s", (_, text, expected) => {
    expect(visibleText(text)).toBe(expected)
  })

  it.each([
    ["Persian with a non-joiner", "می\u200Cخواهم"],
    ["an emoji family", "👩\u200D👩\u200D👧 ok"],
    ["a heart with an emoji selector", "❤\uFE0F"],
    ["keys and marks with a selector", "1\uFE0F\u20E3 ©\uFE0E ↔\uFE0F ⊕\uFE00"],
    ["the flag of Scotland", `🏴${tags("gbsct")}\u{E007F}`],
    ["forms of signs", "\u6F22\uFE00 \u1000\uFE00"],
    ["tabs, lines and accents", "a\tb\nc é ñ 漢字"]
  ])("keeps %s", (_, text) => {
    expect(visibleText(text)).toBe(text)
  })

  it("converts every line end to a line feed", () => {
    expect(visibleText("a\r\nb\rc\u2028d\u2029e\vf\fg\x85h")).toBe("a\nb\nc\nd\ne\nf\ng\nh")
  })

  it("removes everything that a database rejects, and is idempotent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const once = visibleText(text)
        expect(once).not.toContain("\0")
        expect(/[\uD800-\uDFFF]/u.test(once)).toBe(false)
        expect(visibleText(once)).toBe(once)
      })
    )
  })

  it("keeps as many marks per letter as any language uses", () => {
    const marks = "\u0301\u0316".repeat(15)
    expect(visibleText(`a${marks}b`)).toBe(`a${marks}b`)
    expect(visibleText(`a${marks}${"\u0301\u0316".repeat(10_000)}b`)).toBe(`a${marks}b`)
  })
})

describe("visibleLine", () => {
  it("returns one trimmed line", () => {
    expect(visibleLine("  Hello\r\n\tbig \u200B world ")).toBe("Hello big world")
  })
})
