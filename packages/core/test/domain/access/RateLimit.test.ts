import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  consumeRate,
  exactLimit,
  type RateLimitRule,
  type RateLimitState
} from "../../../src/domain/access/RateLimit.ts"

const rule = { limit: 2, windowMillis: 60_000 }
const full: RateLimitState = [
  { at: 0, count: 1 },
  { at: 500, count: 1 }
]

/** Returns the times at which requests were allowed. */
const allowedAt = (of: RateLimitRule, times: ReadonlyArray<number>): ReadonlyArray<number> => {
  let state: RateLimitState = []
  return times.filter((now) => {
    const next = consumeRate(state, of, now)
    state = next.state
    return next.result.allowed
  })
}

describe("consumeRate", () => {
  it("allows requests up to the limit, then one more for each request that leaves the window", () => {
    const first = consumeRate([], rule, 1_000_500)
    const second = consumeRate(first.state, rule, 1_010_000)
    const third = consumeRate(second.state, rule, 1_060_499)
    const fourth = consumeRate(third.state, rule, 1_060_500)
    const fifth = consumeRate(fourth.state, rule, 1_060_501)
    const base = { limit: 2, resetAtSeconds: 1_061 }
    expect(first.result).toEqual({ ...base, allowed: true, remaining: 1, retryAfterSeconds: 0 })
    expect(second.result).toEqual({ ...base, allowed: true, remaining: 0, retryAfterSeconds: 0 })
    expect(third.result).toEqual({ ...base, allowed: false, remaining: 0, retryAfterSeconds: 1 })
    expect(fourth.result).toEqual({ ...base, allowed: true, remaining: 0, resetAtSeconds: 1_070, retryAfterSeconds: 0 })
    expect(fifth.result).toEqual({
      ...base,
      allowed: false,
      remaining: 0,
      resetAtSeconds: 1_070,
      retryAfterSeconds: 10
    })
  })

  it("returns the wait in whole seconds, rounded up", () => {
    expect(consumeRate(full, rule, 501).result.retryAfterSeconds).toBe(60)
    expect(consumeRate(full, rule, 58_999).result.retryAfterSeconds).toBe(2)
    expect(consumeRate(full, rule, 59_000).result.retryAfterSeconds).toBe(1)
  })

  it("rejects every request at a limit of 0", () => {
    expect(consumeRate([], { limit: 0, windowMillis: 1_000 }, 5).result).toEqual({
      allowed: false,
      limit: 0,
      remaining: 0,
      resetAtSeconds: 2,
      retryAfterSeconds: 1
    })
  })

  it("keeps earlier requests when the clock is set back", () => {
    expect(consumeRate(full, rule, -100_000).result.allowed).toBe(false)
    const back = consumeRate([{ at: 100_000, count: 1 }], rule, 10_000)
    expect(back.result.allowed).toBe(true)
    expect(back.state).toEqual([{ at: 100_000, count: 2 }])
  })

  it("waits until the count is below a lowered limit", () => {
    const used: RateLimitState = [
      { at: 1_000, count: 3 },
      { at: 9_000, count: 2 }
    ]
    const { result } = consumeRate(used, rule, 10_000)
    expect(result).toMatchObject({ allowed: false, remaining: 0, resetAtSeconds: 69, retryAfterSeconds: 59 })
    expect(consumeRate(used, { ...rule, limit: 3 }, 10_000).result).toMatchObject({ resetAtSeconds: 61 })
  })

  it("keeps at most a thousand entries per rule, and errs only towards a longer wait", () => {
    const many = { limit: 100_000, windowMillis: 60_000 }
    let state: RateLimitState = []
    for (let now = 0; now < 60_000; now += 7) state = consumeRate(state, many, now).state
    expect(state.length).toBeLessThanOrEqual(exactLimit + 1)
    expect(state.reduce((sum, { count }) => sum + count, 0)).toBe(Math.ceil(60_000 / 7))
    const [one, , other] = [1, 60_000, 60_060].map((now) => consumeRate([{ at: 60, count: 100_000 }], many, now).result)
    expect([one?.allowed, other?.allowed]).toEqual([false, true])
  })

  it("equals a limiter that remembers every request, for any requests and rules", () => {
    const waits = fc.array(fc.integer({ min: 0, max: 800 }), { maxLength: 80 })
    fc.assert(
      fc.property(waits, fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 2_000 }), (steps, limit, size) => {
        const times = steps.map((_, index) => steps.slice(0, index + 1).reduce((sum, step) => sum + step, 1_000))
        const model: Array<number> = []
        for (const now of times) {
          if (model.filter((at) => at > now - size).length < limit) model.push(now)
        }
        expect(allowedAt({ limit, windowMillis: size }, times)).toEqual(model)
      })
    )
  })

  it("reports the correct remaining count and waiting time", () => {
    const waits = fc.array(fc.integer({ min: 0, max: 800 }), { maxLength: 60 })
    fc.assert(
      fc.property(waits, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 2_000 }), (steps, limit, size) => {
        const of = { limit, windowMillis: size }
        let state: RateLimitState = []
        let now = 1_000
        for (const step of steps) {
          now += step
          const { result, state: next } = consumeRate(state, of, now)
          state = next
          let probe = state
          let left = 0
          for (; left <= limit; left++) {
            const more = consumeRate(probe, of, now)
            if (!more.result.allowed) break
            probe = more.state
          }
          expect(result.remaining).toBe(left)
          expect(result.retryAfterSeconds > 0).toBe(!result.allowed)
          expect(consumeRate(state, of, result.resetAtSeconds * 1_000).result.allowed).toBe(true)
          expect(consumeRate(state, of, now + result.retryAfterSeconds * 1_000).result.allowed).toBe(
            result.allowed ? left > 0 : true
          )
        }
      })
    )
  })
})
