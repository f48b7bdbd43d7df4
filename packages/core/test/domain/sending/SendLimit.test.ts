import { describe, expect, it } from "vitest"
import fc from "fast-check"
import { hourMillis, nextSlot, maxSendsPerHour } from "../../../src/domain/sending/SendLimit.ts"

/** Newest first, in the order of the store. */
const newest = (slots: ReadonlyArray<number>, now: number): ReadonlyArray<number> =>
  slots
    .filter((slot) => slot > now - hourMillis)
    .toSorted((one, other) => other - one)
    .slice(0, maxSendsPerHour)

const max = (slots: ReadonlyArray<number>): number =>
  Math.max(0, ...slots.map((start) => slots.filter((slot) => slot >= start && slot < start + hourMillis).length))

/**
 * Arrivals with the time since the last one; `waits` tells whether a request waits for a slot or leaves without one.
 */
const arrivals = fc.array(fc.record({ after: fc.nat({ max: 120_000 }), waits: fc.boolean() }), {
  minLength: 60,
  maxLength: 250
})

const play = (steps: ReadonlyArray<{ readonly after: number; readonly waits: boolean }>) => {
  const slots: Array<number> = []
  let now = 0
  for (const { after, waits } of steps) {
    now += after
    const { rate, slotAt } = nextSlot(newest(slots, now), now)
    if (rate.allowed || waits) slots.push(slotAt)
  }
  return slots
}

describe("the hourly limit of sends", () => {
  it("never allows more than fifty sends in any hour, and keeps the order of requests", () => {
    fc.assert(
      fc.property(arrivals, (steps) => {
        const slots = play(steps)
        expect(max(slots)).toBeLessThanOrEqual(maxSendsPerHour)
        expect(slots).toEqual(slots.toSorted((one, other) => one - other))
      })
    )
  })

  it("accepts every request while fewer than fifty slots of the last hour are used and no send waits", () => {
    fc.assert(
      fc.property(arrivals, (steps) => {
        const slots = play(steps.map((step) => ({ ...step, waits: false })))
        const now = steps.reduce((sum, { after }) => sum + after, 0)
        const inHour = slots.filter((slot) => slot > now - hourMillis).length
        expect(nextSlot(newest(slots, now), now).rate.allowed).toBe(inHour < maxSendsPerHour)
      })
    )
  })

  it("returns the time of the next slot to the second", () => {
    const full = Array.from({ length: maxSendsPerHour }, () => 1_500)
    const { rate, slotAt } = nextSlot(full, 601_000)
    expect([slotAt, rate]).toEqual([
      1_500 + hourMillis,
      { allowed: false, limit: 50, remaining: 0, resetAtSeconds: 3_602, retryAfterSeconds: 3_001 }
    ])
    expect(nextSlot(full, 1_500 + hourMillis).rate.allowed).toBe(true)
    expect(nextSlot(full, 1_499 + hourMillis).rate.allowed).toBe(false)
  })

  it("reports 49 remaining sends after the first one, and the time at which the hour of the oldest ends", () => {
    expect(nextSlot([], 10_000).rate).toEqual({
      allowed: true,
      limit: 50,
      remaining: 49,
      resetAtSeconds: 3_610,
      retryAfterSeconds: 0
    })
  })
})
