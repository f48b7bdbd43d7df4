import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { shapeOf } from "../../src/http/validation/BodyShape.ts"

const count = (value: unknown): number => {
  if (typeof value !== "object" || value === null) return 0
  const inner = Object.values(value)
  return 1 + Math.max(0, inner.length - 1) + inner.reduce<number>((sum, one) => sum + count(one), 0)
}

const depth = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0

describe("the shape of a JSON text", () => {
  it("equals that of the parsed value, however strings are escaped", () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: "binary" }), (json) => {
        const value: unknown = JSON.parse(json)
        expect(shapeOf(json, 1_000_000, 1_000)).toEqual({ values: 1 + count(value), depth: depth(value) })
      }),
      { numRuns: 500 }
    )
    const quoted = JSON.stringify({ "a,[{": '\\",[{', b: "\\\\", c: ['"', "\\"] })
    expect(shapeOf(quoted, 100, 100)).toEqual({ values: 6, depth: 2 })
  })

  it("is counted up to the limit only", () => {
    expect(shapeOf(`[${"1,".repeat(1_000_000)}1]`, 10, 10)).toEqual({ values: 11, depth: 1 })
    expect(shapeOf("[".repeat(1_000_000), 1_000, 10)).toEqual({ values: 12, depth: 11 })
  })

  it("is also counted for invalid JSON", () => {
    for (const text of ["", '"', '"\\', "]]]]", '\\\\"', '{"a": "b'])
      expect(shapeOf(text, 10, 10).values).toBeLessThan(4)
  })
})
