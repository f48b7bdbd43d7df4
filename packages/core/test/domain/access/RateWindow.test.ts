import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { consumeRate, type RateLimitState } from "../../../src/domain/access/RateLimit.ts"
import { RateWindow } from "../../../src/domain/access/RateWindow.ts"

describe("RateWindow", () => {
  it("equals consumeRate for any requests and limits, also when the clock is set back", () => {
    const requests = fc.array(fc.record({ step: fc.integer({ min: -300, max: 800 }), limit: fc.nat({ max: 6 }) }), {
      maxLength: 120
    })
    fc.assert(
      fc.property(requests, fc.integer({ min: 1, max: 2_000 }), (asked, windowMillis) => {
        const window = new RateWindow()
        let state: RateLimitState = []
        let now = 1_000
        for (const { limit, step } of asked) {
          now += step
          const expected = consumeRate(state, { limit, windowMillis }, now)
          state = expected.state
          expect(window.consume({ limit, windowMillis }, now)).toEqual(expected.result)
          expect(window.latest).toBe(state.at(-1)?.at ?? null)
        }
      })
    )
  })

  it("equals consumeRate while it releases the memory of thousands of requests", () => {
    const rule = { limit: 900, windowMillis: 1_000 }
    const window = new RateWindow()
    let state: RateLimitState = []
    for (let now = 0; now < 10_000; now++) {
      const expected = consumeRate(state, rule, now)
      state = expected.state
      expect(window.consume(rule, now)).toEqual(expected.result)
    }
  })
})
