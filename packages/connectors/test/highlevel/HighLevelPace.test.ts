import { assert, describe, it } from "@effect/vitest"
import { CrmUnavailable } from "@leadloom/core/domain/crm/CrmFailure"
import { Clock, Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { makePace, paceLimit, paceMillis } from "../../src/highlevel/HighLevelPace.ts"

const times = (count: number, locationId: string, pace: ReturnType<typeof makePace>) =>
  Effect.forEach(Array.from({ length: count }), () => pace.paced(locationId, Clock.currentTimeMillis), {
    concurrency: "unbounded"
  })

describe("the pace of a location", () => {
  it.effect("is a hundred requests in any ten seconds, and no other location waits for it", () =>
    Effect.gen(function* () {
      const pace = makePace()
      const fiber = yield* Effect.forkChild(times(paceLimit + 20, "loc-1", pace))
      const others = yield* times(paceLimit, "loc-2", pace)
      assert.deepStrictEqual(new Set(others), new Set([0]))
      yield* TestClock.adjust(paceMillis)
      const went = yield* Fiber.join(fiber)
      assert.lengthOf(
        went.filter((at) => at === 0),
        paceLimit
      )
      assert.lengthOf(
        went.filter((at) => at === paceMillis),
        20
      )
    })
  )

  it.effect("is silence for as long as a 429 says, and who would wait long comes again later", () =>
    Effect.gen(function* () {
      const pace = makePace()
      const refused = pace.paced("loc-1", Effect.fail(new CrmUnavailable({ reason: "429", waitMillis: 12_000 })))
      yield* Effect.ignore(refused)
      const fiber = yield* Effect.forkChild(times(1, "loc-1", pace))
      yield* TestClock.adjust(12_000)
      assert.deepStrictEqual(yield* Fiber.join(fiber), [12_000])
      const long = pace.paced("loc-1", Effect.fail(new CrmUnavailable({ reason: "429", waitMillis: 60_000 })))
      yield* Effect.ignore(long)
      const answer = yield* Effect.result(times(1, "loc-1", pace))
      assert.isTrue(Result.isFailure(answer) && answer.failure._tag === "CrmUnavailable")
    })
  )
})
