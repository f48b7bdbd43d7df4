import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makePhoneParser, parsePhone, phoneVariants } from "../../../src/domain/address/Phone.ts"

const readable: ReadonlyArray<readonly [text: string, country: string | null, e164: string]> = [
  ["+14155550123", null, "+14155550123"],
  [" (415) 555-0123 ", "US", "+14155550123"],
  ["415 555 0123 ext 9", "us", "+14155550123"],
  ["tel:+1-415-555-0123", "GB", "+14155550123"],
  ["whatsapp:+14155550123", null, "+14155550123"],
  ["0121 234 5678", "GB", "+441212345678"],
  ["00441212345678", "GB", "+441212345678"],
  ["+44 121 234 5678", "US", "+441212345678"],
  ["+15550001111", "US", "+15550001111"],
  ["+52 1 55 1234 5678", "US", "+5215512345678"]
]

const unreadable: ReadonlyArray<readonly [text: string, country: string | null]> = [
  ["", "US"],
  ["72345", "US"],
  ["Acme", "US"],
  ["call me 4155550123", "US"],
  ["4155550123", null],
  ["4155550123", "XX"],
  ["+1234567", null],
  ["+999123456789", null],
  ["1".repeat(65), "US"]
]

describe.each([
  ["parsePhone", parsePhone],
  ["a caching parser", makePhoneParser(4)]
])("%s", (_, parse) => {
  it.each(readable)("reads %j of %s as %s", (text, country, e164) => {
    expect(parse(text, country)).toBe(e164)
    expect(parse(text, country)).toBe(e164)
  })

  it.each(unreadable)("finds no number in %j of %s", (text, country) => {
    expect(parse(text, country)).toBeNull()
    expect(parse(text, country)).toBeNull()
  })
})

describe("makePhoneParser", () => {
  it("returns the same results as the plain parser, with any cache content", () => {
    const cached = makePhoneParser(4)
    const text = fc.oneof(fc.string({ maxLength: 20 }), fc.stringMatching(/^\+?[0-9 ()-]{1,16}$/u))
    const country = fc.constantFrom(null, "US", "GB", "DE", "zz")
    fc.assert(
      fc.property(fc.array(fc.tuple(text, country)), (questions) => {
        for (const [number, of] of questions) expect(cached(number, of)).toBe(parsePhone(number, of))
      })
    )
  })

  it("parses a cached text only once, keeps frequent texts, and respects its capacity", () => {
    const parsedTexts: Array<string> = []
    const cached = makePhoneParser(4, (text) => {
      parsedTexts.push(text)
      return null
    })
    const request = (numbers: string): string => {
      parsedTexts.length = 0
      for (const number of numbers) cached(number, null)
      return parsedTexts.join("")
    }
    expect(request("aaabab")).toBe("ab")
    expect(request("ca")).toBe("c")
    expect(request("dea")).toBe("de")
    expect(request("bc")).toBe("bc")
    expect(request("cb")).toBe("")
  })

  it("caches results per country", () => {
    const cached = makePhoneParser()
    expect(cached("0121 234 5678", "GB")).toBe("+441212345678")
    expect(cached("0121 234 5678", null)).toBeNull()
  })
})

describe("phoneVariants", () => {
  it.each([
    ["+5511987654321", "+551187654321"],
    ["+5511961234567", "+551161234567"],
    ["+5215512345678", "+525512345678"],
    ["+5491123456789", "+541123456789"]
  ])("treats %s and %s as one number, in both directions", (long, short) => {
    expect(phoneVariants(long)).toEqual([short])
    expect(phoneVariants(short)).toEqual([long])
  })

  it.each(["+14155550123", "+551133334444", "+441212345678"])("returns one spelling of %s", (number) => {
    expect(phoneVariants(number)).toEqual([])
  })
})
