import { bucketOf, percentileOf } from "@leadloom/core/internal/domain/report/Durations"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

const duration = fc.oneof(fc.nat(100), fc.nat(100_000), fc.nat(600_000_000))

describe("durations", () => {
  it("have stored bucket starts that never change", () => {
    const starts = [0, 1, 19, 20, 21, 22, 59, 60, 3_600, 86_400, 604_800, 31_536_000]
    expect(starts.map(bucketOf)).toEqual([0, 1, 19, 20, 20, 22, 55, 60, 3_345, 85_338, 574_082, 31_438_643])
  })

  it("have percentiles that differ from the exact ones by at most 5 %", () => {
    fc.assert(
      fc.property(fc.array(duration, { minLength: 1, maxLength: 60 }), fc.constantFrom(0.5, 0.9), (all, share) => {
        const exact = all.toSorted((a, b) => a - b)[Math.ceil(all.length * share) - 1] ?? 0
        const found = percentileOf(
          all.map((seconds) => ({ bucket: bucketOf(seconds), count: 1 })),
          share
        )
        expect(Math.abs((found ?? -1) - exact)).toBeLessThanOrEqual(Math.max(1, exact * 0.05))
      })
    )
  })

  it("have no percentiles without values", () => {
    expect(percentileOf([], 0.5)).toBeNull()
  })
})
