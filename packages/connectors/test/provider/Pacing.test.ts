import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { pace } from "../../src/highlevel/HighLevelCrm.ts"
import { makePacing } from "../../src/provider/Pacing.ts"

const { requests: maxRequestsPerWindow, windowMillis } = pace
const makeRateLimiter = () => makePacing(pace)

const times = (count: number, locationId: string, rateLimiter: ReturnType<typeof makePacing>) =>
  Effect.forEach(Array.from({ length: count }), () => rateLimiter.paced(locationId, Clock.currentTimeMillis), {
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
      const refused = rateLimiter.paced(
        "loc-1",
        Effect.fail(ProviderFailure.unavailable("crm", "429", { retryAfterMillis: 12_000 }))
      )
      yield* Effect.ignore(refused)
      const fiber = yield* Effect.forkChild(times(1, "loc-1", rateLimiter))
      yield* TestClock.adjust(12_000)
      assert.deepStrictEqual(yield* Fiber.join(fiber), [12_000])
      const long = rateLimiter.paced(
        "loc-1",
        Effect.fail(ProviderFailure.unavailable("crm", "429", { retryAfterMillis: 60_000 }))
      )
      yield* Effect.ignore(long)
      const answer = yield* Effect.result(times(1, "loc-1", rateLimiter))
      assert.isTrue(Result.isFailure(answer) && answer.failure.reason._tag === "Unavailable")
    })
  )
})
