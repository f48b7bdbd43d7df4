import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { consumeRate, type RateLimitState } from "../../src/limit/RateLimit.ts"

const rule = { limit: 2, windowMillis: 60_000 }

describe("consumeRate", () => {
  it("allows the limit, then refuses until the window has passed", () => {
    const first = consumeRate(undefined, rule, 1_000_500)
    const second = consumeRate(first.state, rule, 1_010_000)
    const third = consumeRate(second.state, rule, 1_060_499)
    const fourth = consumeRate(third.state, rule, 1_060_500)
    const base = { limit: 2, resetAtSeconds: 1_061 }
    expect(first.result).toEqual({ ...base, allowed: true, remaining: 1, retryAfterSeconds: 0 })
    expect(second.result).toEqual({ ...base, allowed: true, remaining: 0, retryAfterSeconds: 0 })
    expect(third.result).toEqual({ ...base, allowed: false, remaining: 0, retryAfterSeconds: 1 })
    expect(fourth.result).toEqual({
      limit: 2,
      resetAtSeconds: 1_121,
      allowed: true,
      remaining: 1,
      retryAfterSeconds: 0
    })
  })

  it("tells how long to wait in whole seconds, rounded up", () => {
    const full = { startedAt: 0, count: 2 }
    expect(consumeRate(full, rule, 1).result.retryAfterSeconds).toBe(60)
    expect(consumeRate(full, rule, 58_999).result.retryAfterSeconds).toBe(2)
    expect(consumeRate(full, rule, 59_000).result.retryAfterSeconds).toBe(1)
  })

  it("refuses everything under a limit of zero", () => {
    expect(consumeRate(undefined, { limit: 0, windowMillis: 1_000 }, 5).result).toMatchObject({
      allowed: false,
      remaining: 0,
      retryAfterSeconds: 1
    })
  })

  it("keeps counting in the same window when the clock is set back", () => {
    const full = { startedAt: 100_000, count: 2 }
    expect(consumeRate(full, rule, 10_000).result.allowed).toBe(false)
  })

  it("leaves nothing when the limit is lowered below what is used", () => {
    expect(consumeRate({ startedAt: 0, count: 9 }, rule, 1).result).toMatchObject({ allowed: false, remaining: 0 })
  })

  it("never allows more than the limit within one window, and always allows again after it", () => {
    const waits = fc.array(fc.integer({ min: 0, max: 800 }), { maxLength: 60 })
    fc.assert(
      fc.property(waits, fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 2_000 }), (steps, limit, size) => {
        let state: RateLimitState | undefined
        let now = 1_000
        const windows = new Map<number, number>()
        for (const step of steps) {
          now += step
          const before: RateLimitState | undefined = state
          const next = consumeRate(before, { limit, windowMillis: size }, now)
          state = next.state
          const { allowed, remaining, resetAtSeconds, retryAfterSeconds } = next.result
          if (allowed) windows.set(state.startedAt, (windows.get(state.startedAt) ?? 0) + 1)
          if (before === undefined || now >= before.startedAt + size) expect(allowed).toBe(true)
          expect(state.startedAt).toBeLessThanOrEqual(now)
          expect(remaining).toBe(limit - state.count)
          expect(remaining).toBeGreaterThanOrEqual(0)
          expect(resetAtSeconds * 1000).toBeGreaterThan(now)
          expect(retryAfterSeconds > 0).toBe(!allowed)
          if (!allowed) {
            const waited = now + retryAfterSeconds * 1000
            expect(consumeRate(state, { limit, windowMillis: size }, waited).result.allowed).toBe(true)
          }
        }
        expect(Math.max(0, ...windows.values())).toBeLessThanOrEqual(limit)
        const starts = [...windows.keys()]
        expect(starts.every((at, index) => index === 0 || at >= (starts[index - 1] ?? 0) + size)).toBe(true)
      })
    )
  })
})
