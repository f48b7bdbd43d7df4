import { assert, layer } from "@effect/vitest"
import { consumeRate, type RateLimitState } from "@leadloom/core/internal/domain/access/RateLimit"
import { RateLimits } from "@leadloom/core/internal/port/system/RateLimits"
import { Effect, Layer } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { freshTenant, noon } from "../Records.ts"

const rule = { limit: 2, windowMillis: 60_000 }

/** Returns reproducible random numbers from 0 to 1 (a linear congruential generator from Numerical Recipes). */
const seeded = (seed: number) => {
  let state = seed
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Tests the port `RateLimits` on a store. */
export const rateLimitsSuite = (name: string, store: StoreLayer): void => {
  const scene = (title: string, test: () => Effect.Effect<void, unknown, RateLimits>) =>
    layer(Layer.fresh(store))(`RateLimits on ${name}`, (it) => it.effect(title, test))

  scene("reports the remaining requests and the next free time, and frees each request when it leaves the window", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimits
      const tenantId = freshTenant()
      const at = (millis: number) => consume(tenantId, "webhook", rule, noon + millis)
      const window = { limit: 2, resetAtSeconds: noon / 1_000 + 60, retryAfterSeconds: 0 }
      assert.deepStrictEqual(yield* at(0), { ...window, allowed: true, remaining: 1 })
      assert.deepStrictEqual(yield* at(1), { ...window, allowed: true, remaining: 0 })
      assert.deepStrictEqual(yield* at(59_999), { ...window, allowed: false, remaining: 0, retryAfterSeconds: 1 })
      assert.deepStrictEqual(yield* at(10_000), { ...window, allowed: false, remaining: 0, retryAfterSeconds: 50 })
      const next = { ...window, resetAtSeconds: noon / 1_000 + 61 }
      assert.deepStrictEqual(yield* at(60_000), { ...next, allowed: true, remaining: 0 })
      assert.deepStrictEqual(yield* at(60_000), { ...next, allowed: false, remaining: 0, retryAfterSeconds: 1 })
      assert.deepStrictEqual(yield* at(200_000), {
        ...window,
        allowed: true,
        remaining: 1,
        resetAtSeconds: noon / 1_000 + 260
      })
    })
  )
  scene("counts each tenant and each key separately, and those without a tenant too", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimits
      const [one, other] = [freshTenant(), freshTenant()]
      const keys = [
        [one, "webhook"],
        [other, "webhook"],
        [null, "webhook"],
        [one, "admin:webhook"]
      ] as const
      for (const remaining of [1, 0, 0]) {
        const results = yield* Effect.forEach(keys, ([tenantId, key]) => consume(tenantId, key, rule, noon))
        assert.deepStrictEqual(
          results.map((result) => result.remaining),
          [remaining, remaining, remaining, remaining]
        )
      }
    })
  )
  scene("counts all concurrent requests, and reports the remaining number to each", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimits
      const tenantId = freshTenant()
      const results = yield* Effect.forEach(
        Array.from({ length: 64 }),
        () => consume(tenantId, "webhook", { ...rule, limit: 20 }, noon),
        { concurrency: "unbounded" }
      )
      const left = results.filter((result) => result.allowed).map((result) => result.remaining)
      assert.deepStrictEqual(
        left.toSorted((one, other) => other - one),
        Array.from({ length: 20 }, (_, index) => 19 - index)
      )
    })
  )
  scene("allows 64 concurrent callers exactly the number that fits into the current window", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimits
      const tenantId = freshTenant()
      const counts: Array<number> = []
      for (const seconds of [0, 20, 59, 60, 79, 80, 119, 120, 300]) {
        const request = consume(tenantId, "webhook", { ...rule, limit: 100 }, noon + seconds * 1_000)
        const results = yield* Effect.all(
          Array.from({ length: 64 }, () => request),
          { concurrency: "unbounded" }
        )
        counts.push(results.filter((result) => result.allowed).length)
      }
      assert.deepStrictEqual(counts, [64, 36, 0, 64, 0, 36, 0, 64, 64])
    })
  )
  scene("allows nothing twice after the clock is set back", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimits
      const tenantId = freshTenant()
      const allowed = (now: number) => Effect.map(consume(tenantId, "webhook", rule, now), (result) => result.allowed)
      assert.deepStrictEqual(
        [yield* allowed(noon), yield* allowed(noon - 90_000), yield* allowed(noon - 80_000)],
        [true, true, false]
      )
    })
  )
  scene("applies the rule of the request, even if it changes within a window", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimits
      const tenantId = freshTenant()
      const allowed = (limit: number) =>
        Effect.map(consume(tenantId, "webhook", { ...rule, limit }, noon), (result) => result.allowed)
      const limits = [3, 3, 1, 3, 3, 4, 4, 0]
      assert.deepStrictEqual(yield* Effect.forEach(limits, allowed), [
        true,
        true,
        false,
        true,
        false,
        true,
        false,
        false
      ])
    })
  )
  scene("decides like core for any requests at any time", () =>
    Effect.gen(function* () {
      const { consume } = yield* RateLimits
      const random = seeded(7)
      for (const windowMillis of [40, 1_000, 60_000]) {
        const tenantId = freshTenant()
        let state: RateLimitState = []
        let now = noon
        for (let step = 0; step < 60; step++) {
          now += Math.floor(random() * windowMillis * 0.4) - Math.floor(windowMillis * 0.02)
          const rule = { limit: [0, 3, 5, 5, 5, 5, 8, 50_000][Math.floor(random() * 8)] ?? 5, windowMillis }
          const expected = consumeRate(state, rule, now)
          state = expected.state
          assert.deepStrictEqual(yield* consume(tenantId, "webhook", rule, now), expected.result)
        }
      }
    })
  )
}
