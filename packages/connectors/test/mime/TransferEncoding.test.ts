import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decodeBase64, decodedSize, decodeQuotedPrintable, decodeTransfer } from "../../src/mime/TransferEncoding.ts"

const qp = (text: string): string => decodeQuotedPrintable(Buffer.from(text, "latin1")).toString("utf8")
const b64 = (text: string): string => decodeBase64(Buffer.from(text, "latin1")).toString("utf8")

describe("quoted-printable", () => {
  it.each([
    ["Gr=C3=BC=C3=9Fe", "Grüße"],
    ["gr=c3=bc=c3=9fe", "grüße"],
    ["one =\r\ntwo", "one two"],
    ["one=  \ntwo", "onetwo"],
    ["end=", "end"],
    ["not =XY a code", "not =XY a code"],
    ["a=3Db", "a=b"]
  ])("reads %j", (text, expected) => {
    expect(qp(text)).toBe(expected)
  })

  it("stops at the limit", () => {
    expect(decodeQuotedPrintable(Buffer.from("=41=42=43"), 2).toString()).toBe("AB")
  })
})

describe("base64", () => {
  it.each([
    ["SGVsbG8=", "Hello"],
    ["SGVs\r\nbG8", "Hello"],
    ["SG*Vs bG8=", "Hello"],
    ["SGVsbG8gSGk=\r\nSGVsbG8gSGk=\r\n", "Hello HiHello Hi"],
    ["YQ==YQ==", "aa"],
    ["", ""]
  ])("reads %j", (text, expected) => {
    expect(b64(text)).toBe(expected)
  })

  it("restores the encoded bytes, in lines or as a whole, and predicts their size", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }), (chunks) => {
        const whole = Buffer.concat(chunks)
        const encoded = Buffer.from(chunks.map((chunk) => Buffer.from(chunk).toString("base64")).join("\r\n"))
        expect(decodeBase64(encoded, 4_096).equals(whole)).toBe(true)
        expect(decodedSize(encoded, "base64")).toBe(whole.length)
      })
    )
  })

  it("stops at the limit", () => {
    expect(decodeTransfer(Buffer.from("SGVsbG8="), "base64", 2).toString()).toBe("He")
    expect(decodeTransfer(Buffer.from("Hello"), "7bit", 2).toString()).toBe("He")
  })
})
