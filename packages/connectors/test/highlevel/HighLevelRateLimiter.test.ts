import { assert, describe, it } from "@effect/vitest"
import { CrmUnavailable } from "@leadloom/core/domain/crm/CrmFailure"
import { Clock, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { makeRateLimiter, maxRequestsPerWindow, windowMillis } from "../../src/highlevel/HighLevelRateLimiter.ts"

const times = (count: number, locationId: string, rateLimiter: ReturnType<typeof makeRateLimiter>) =>
  Effect.forEach(Array.from({ length: count }), () => rateLimiter.rateLimited(locationId, Clock.currentTimeMillis), {
    concurrency: "unbounded"
  })

describe("the rate limit of a location", () => {
  it.effect("permits a hundred requests in any ten seconds, independently of other locations", () =>
    Effect.gen(function* () {
      const rateLimiter = makeRateLimiter()
      const fiber = yield* Effect.forkChild(times(maxRequestsPerWindow + 20, "loc-1", rateLimiter))
      const others = yield* times(maxRequestsPerWindow, "loc-2", rateLimiter)
      assert.deepStrictEqual(new Set(others), new Set([0]))
      yield* TestClock.adjust(windowMillis)
      const went = yield* Fiber.join(fiber)
      assert.lengthOf(
        went.filter((at) => at === 0),
        maxRequestsPerWindow
      )
      assert.lengthOf(
        went.filter((at) => at === windowMillis),
        20
      )
    })
  )

  it.effect("pauses after a 429, and fails requests that would wait too long", () =>
    Effect.gen(function* () {
      const rateLimiter = makeRateLimiter()
      const refused = rateLimiter.rateLimited(
        "loc-1",
        Effect.fail(new CrmUnavailable({ reason: "429", waitMillis: 12_000 }))
      )
      yield* Effect.ignore(refused)
      const fiber = yield* Effect.forkChild(times(1, "loc-1", rateLimiter))
      yield* TestClock.adjust(12_000)
      assert.deepStrictEqual(yield* Fiber.join(fiber), [12_000])
      const long = rateLimiter.rateLimited(
        "loc-1",
        Effect.fail(new CrmUnavailable({ reason: "429", waitMillis: 60_000 }))
      )
      yield* Effect.ignore(long)
      const answer = yield* Effect.result(times(1, "loc-1", rateLimiter))
      assert.isTrue(Result.isFailure(answer) && answer.failure._tag === "CrmUnavailable")
    })
  )
})
