import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { makeBreaker, openMillis, outagesBeforeOpen } from "../../src/llm/Breaker.ts"
import { permanentFailure, LlmFailure, llmFailureOfRequest } from "../../src/llm/LlmFailure.ts"
import { LlmRequestFailure } from "../../src/llm/LlmHttp.ts"

const away = Effect.fail(llmFailureOfRequest(new LlmRequestFailure({ kind: "lost", reason: "away" })))

const failing = (breaker: ReturnType<typeof makeBreaker>, times: number) =>
  Effect.replicateEffect(Effect.result(breaker.through(away)), times)

/** How long a request is told to stay away; null: it went through. */
const stayAway = (breaker: ReturnType<typeof makeBreaker>) =>
  Effect.map(Effect.result(breaker.through(Effect.void)), (result) =>
    Result.isSuccess(result) ? null : result.failure.retryAfterMillis
  )

describe("a circuit breaker", () => {
  it.effect("opens after five outages in a row and says how long it stays so", () =>
    Effect.gen(function* () {
      const breaker = makeBreaker()
      yield* failing(breaker, outagesBeforeOpen - 1)
      assert.isNull(yield* stayAway(breaker))
      yield* failing(breaker, outagesBeforeOpen)
      assert.strictEqual(yield* stayAway(breaker), openMillis)
      yield* TestClock.adjust(openMillis - 1)
      assert.strictEqual(yield* stayAway(breaker), 1)
    })
  )

  it.effect("does not open for what is not the server's fault", () =>
    Effect.gen(function* () {
      const breaker = makeBreaker()
      yield* Effect.replicateEffect(Effect.result(breaker.through(Effect.fail(permanentFailure("no")))), 20)
      assert.isNull(yield* stayAway(breaker))
    })
  )

  it.effect("lets one request try, opens again when it fails and closes when it succeeds", () =>
    Effect.gen(function* () {
      const breaker = makeBreaker()
      yield* failing(breaker, outagesBeforeOpen)
      yield* TestClock.adjust(openMillis)
      yield* failing(breaker, 1)
      assert.strictEqual(yield* stayAway(breaker), openMillis)
      yield* TestClock.adjust(openMillis)
      const probe = yield* Effect.forkChild(breaker.through(Effect.sleep(500)), { startImmediately: true })
      assert.strictEqual(yield* stayAway(breaker), 1_000)
      yield* TestClock.adjust(500)
      yield* Fiber.join(probe)
      assert.isNull(yield* stayAway(breaker))
      yield* failing(breaker, outagesBeforeOpen - 1)
      assert.isNull(yield* stayAway(breaker))
    })
  )

  it.effect("lets another try when the one that tried was interrupted", () =>
    Effect.gen(function* () {
      const breaker = makeBreaker()
      yield* failing(breaker, outagesBeforeOpen)
      yield* TestClock.adjust(openMillis)
      const probe = yield* Effect.forkChild(breaker.through(Effect.never), { startImmediately: true })
      yield* Fiber.interrupt(probe)
      assert.isNull(yield* stayAway(breaker))
    })
  )

  it.effect("fails in a way that is worth asking again later", () =>
    Effect.gen(function* () {
      const breaker = makeBreaker()
      yield* failing(breaker, outagesBeforeOpen)
      const failure = yield* Effect.flip(breaker.through(Effect.void))
      assert.instanceOf(failure, LlmFailure)
      assert.deepInclude({ ...failure }, { later: true, again: false, outage: false })
    })
  )
})
