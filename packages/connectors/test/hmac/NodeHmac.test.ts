import { javascriptMac } from "@leadloom/core/internal/port/system/Hmac"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nodeMac } from "../../src/hmac/NodeHmac.ts"

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

describe("nodeMac", () => {
  it("matches RFC 4231, test case 2", () => {
    const mac = nodeMac(Buffer.from("Jefe"))
    const expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    expect(hex(mac("what do ya want for nothing?"))).toBe(expected)
    expect(hex(mac("what do ya ", Buffer.from("want for nothing?")))).toBe(expected)
  })

  it("equals the JavaScript implementation for any key and message", () => {
    const part = fc.oneof(fc.string({ unit: "grapheme" }), fc.uint8Array({ maxLength: 200 }))
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), fc.array(part, { maxLength: 4 }), (key, parts) => {
        const [native, plain] = [nodeMac(key), javascriptMac(key)]
        // Computed twice, because the first message must leave no state in the key.
        for (let time = 0; time < 2; time++) expect(hex(native(...parts))).toBe(hex(plain(...parts)))
      })
    )
  })
})
