import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { globTest } from "../../../src/domain/rule/Glob.ts"

/** Matches with the equivalent regular expression. */
const byRegExp = (pattern: string, text: string): boolean => {
  const source = [...pattern].map((c) => (c === "*" ? "[^]*" : c === "?" ? "[^]" : c.replace(/\W/u, "\\$&"))).join("")
  return new RegExp(`^${source}$`).test(text)
}

describe("globTest", () => {
  it("returns the same result as the equivalent regular expression", () => {
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", "."), maxLength: 8 })
    const text = fc.string({ unit: fc.constantFrom("a", "b", ".", "\n"), maxLength: 12 })
    fc.assert(
      fc.property(pattern, text, (glob, subject) => {
        expect(globTest(glob)(subject)).toBe(byRegExp(glob, subject))
      }),
      { numRuns: 5_000 }
    )
  })

  it("stays within its bound for the worst pattern and text", () => {
    const worst = globTest(`${"*a".repeat(100)}*b`)
    expect(worst("a".repeat(1_000_000))).toBe(false)
  })

  it("reads only the first 4,096 characters", () => {
    const found = globTest("*needle*")
    expect(found(`${"x".repeat(4_090)}needle`)).toBe(true)
    expect(found(`${"x".repeat(4_091)}needle`)).toBe(false)
    expect(globTest("ab*")(`ab${"x".repeat(5_000)}`)).toBe(true)
  })
})
