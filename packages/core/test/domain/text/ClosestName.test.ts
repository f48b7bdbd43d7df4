import { describe, expect, it } from "vitest"
import { closestName } from "../../../src/domain/text/ClosestName.ts"

describe("closestName", () => {
  it("prefers the most similar name and returns null for names with little in common", () => {
    expect(closestName("HOST", ["PORT", "HOSTS", "HOST"])).toBe("HOST")
    expect(closestName("ABCD", ["ABCXY"])).toBe("ABCXY")
    expect(closestName("ABCD", ["AXYZ"])).toBeNull()
  })

  it("returns null for a text that is too long for a name", () => {
    expect(closestName("A".repeat(65), ["A".repeat(65)])).toBeNull()
  })
})
