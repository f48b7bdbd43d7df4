import { describe, expect, it } from "vitest"
import { type Tier, tierOf } from "../../../src/domain/lead/Score.ts"

describe("tierOf", () => {
  it.each<[number, Tier]>([
    [100, "hot"],
    [70, "hot"],
    [69, "warm"],
    [40, "warm"],
    [39, "cold"],
    [0, "cold"]
  ])("puts %d into %s by default", (score, tier) => {
    expect(tierOf(score)).toBe(tier)
  })

  it("applies the tenant's thresholds", () => {
    expect([90, 89, 10, 9].map((score) => tierOf(score, { hot: 90, warm: 10 }))).toEqual([
      "hot",
      "warm",
      "warm",
      "cold"
    ])
  })
})
