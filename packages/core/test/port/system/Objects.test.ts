import fc from "fast-check"
import { expect, it } from "vitest"
import { objectPath } from "../../../src/port/system/Objects.ts"

it("an object keeps its path", () => {
  expect(objectPath("acme", "raw_01k5x2m3n4p5q6r7s8t9v0w1x2")).toBe("acme/raw_01k5x/raw_01k5x2m3n4p5q6r7s8t9v0w1x2")
  expect(objectPath("acme", "raw_01k5x2m3n4p5q6r7s8t9v0w1x2-0")).toBe("acme/raw_01k5x/raw_01k5x2m3n4p5q6r7s8t9v0w1x2-0")
  expect(objectPath("..", "../A")).toBe(".002e.002e/.002e.002e.002f.0041/.002e.002e.002f.0041")
  expect(objectPath("", "")).toBe(".empty/.empty/.empty")
})

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("", ".", "..", "a/b", "a\\b", "A", "a", "é", ".0041")
)

it("no key leaves the folder of its tenant, and no two keys share a path", () => {
  fc.assert(
    fc.property(text, text, text, text, (tenant, key, otherTenant, otherKey) => {
      const path = objectPath(tenant, key)
      expect(path).toMatch(/^(?:[a-z0-9_.-]+\/){2}[a-z0-9_.-]+$/u)
      expect(path.split("/").some((segment) => segment === "." || segment === "..")).toBe(false)
      expect(path === objectPath(otherTenant, otherKey)).toBe(tenant === otherTenant && key === otherKey)
    })
  )
})
