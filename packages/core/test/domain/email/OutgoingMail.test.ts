import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  replySubject,
  cappedReferences,
  headerLine,
  recipientsOf,
  maxReferences
} from "../../../src/domain/email/OutgoingMail.ts"

describe("a header line", () => {
  it("contains no control character, for any input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(headerLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029]/u)
      })
    )
    expect(headerLine("Hello\r\nBcc: all@x.example")).toBe("Hello Bcc: all@x.example")
  })
})

describe("the subject of an answer", () => {
  it.each([
    ["A roof", "Re: A roof"],
    ["Re: A roof", "Re: A roof"],
    ["RE : A roof", "RE : A roof"],
    ["AW: Ein Dach", "Re: AW: Ein Dach"],
    [null, "Re:"]
  ])("to %j is %j", (subject, answer) => {
    expect(replySubject(subject)).toBe(answer)
  })
})

describe("references", () => {
  it("keep the root and the newest ids, without duplicates", () => {
    const ids = Array.from({ length: 100 }, (_, index) => `${index}@x`)
    const capped = cappedReferences([...ids, "99@x"])
    expect(capped).toHaveLength(maxReferences)
    expect([capped[0], capped[1], capped.at(-1)]).toEqual(["0@x", "81@x", "99@x"])
    expect(cappedReferences([])).toEqual([])
  })
})

describe("recipients", () => {
  it("are counted once across all fields", () => {
    const of = (email: string) => ({ email, name: null })
    expect(recipientsOf({ to: [of("a@x")], cc: [of("b@x"), of("a@x")], bcc: [of("c@x")] })).toEqual([
      "a@x",
      "b@x",
      "c@x"
    ])
  })
})
