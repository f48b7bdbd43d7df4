import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isoTime } from "../src/schema/Field.ts"

const dateOf = (time: number): string => new Date(time).toISOString()

describe("isoTime", () => {
  it("formats every time of the range like Date", () => {
    fc.assert(
      fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), (time) => {
        expect(isoTime(time)).toBe(dateOf(time))
      })
    )
  })

  it("formats times of days that share a place in the cache", () => {
    const day = 86_400_000
    const times = [0, 512, -512, 1, 513, 0].map((number) => number * day + 45_296_789)
    expect(times.map(isoTime)).toEqual(times.map(dateOf))
  })

  it.each([
    0, -1, 1, 59_999, 60_000, 86_399_999, 86_400_000, -86_400_000, 1.5, -1.5, 8.64e15, -8.64e15, 253_402_300_800_000
  ])("formats %d like Date", (time) => {
    expect(isoTime(time)).toBe(dateOf(time))
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])("rejects %d", (time) => {
    expect(() => isoTime(time)).toThrow(RangeError)
  })
})
