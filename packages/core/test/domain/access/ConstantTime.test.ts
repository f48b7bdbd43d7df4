import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { constantTimeEqualBytes, constantTimeEquals } from "../../../src/domain/access/Credential.ts"

const bytes = fc.uint8Array({ maxLength: 4, max: 2 })
const text = fc.string({ maxLength: 4, unit: fc.constantFrom("a", "b", "é", "𝒳") })

describe("ConstantTime", () => {
  it("returns the same result as plain equality for texts and bytes", () => {
    fc.assert(
      fc.property(text, text, bytes, bytes, (a, b, x, y) => {
        expect(constantTimeEquals(a, b)).toBe(a === b)
        expect(constantTimeEqualBytes(x, y)).toBe(Buffer.from(x).equals(y))
      }),
      { numRuns: 1_000 }
    )
    expect(constantTimeEquals("same", "same")).toBe(true)
    expect(constantTimeEqualBytes(Uint8Array.of(0, 1), Uint8Array.of(0, 1))).toBe(true)
    expect(constantTimeEqualBytes(Uint8Array.of(0), Uint8Array.of(0, 0))).toBe(false)
  })
})
