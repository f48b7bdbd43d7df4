import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decodeBase64 } from "../../src/http/json/Base64.ts"

describe("base64", () => {
  it("decodes to the encoded bytes, with or without line breaks", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, broken) => {
        const text = Buffer.from(bytes).toString("base64")
        const sent = broken ? text.replace(/.{1,76}/gu, "$&\r\n") : text
        expect(Array.from(decodeBase64(sent) ?? [])).toEqual(Array.from(bytes))
      })
    )
  })

  it.each(["%%%", "abc", "ab=c", "a===", "äöü=", "YWJj!", "YWJj="])("refuses %s", (text) => {
    expect(decodeBase64(text)).toBeNull()
  })
})
