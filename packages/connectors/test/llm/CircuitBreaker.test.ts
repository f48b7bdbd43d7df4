import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { makeCircuitBreaker, openMillis, outagesBeforeOpen } from "../../src/llm/CircuitBreaker.ts"
import { permanentFailure, LlmFailure, llmFailureOfRequest } from "../../src/llm/LlmFailure.ts"
import { LlmRequestFailure } from "../../src/llm/LlmHttp.ts"

const away = Effect.fail(llmFailureOfRequest(new LlmRequestFailure({ kind: "lost", reason: "away" })))

const failing = (circuitBreaker: ReturnType<typeof makeCircuitBreaker>, times: number) =>
  Effect.replicateEffect(Effect.result(circuitBreaker.through(away)), times)

/** Returns the wait that a request is told; null when it passed. */
const stayAway = (circuitBreaker: ReturnType<typeof makeCircuitBreaker>) =>
  Effect.map(Effect.result(circuitBreaker.through(Effect.void)), (result) =>
    Result.isSuccess(result) ? null : result.failure.retryAfterMillis
  )

describe("a circuit breaker", () => {
  it.effect("opens after five consecutive outages and reports its duration", () =>
    Effect.gen(function* () {
      const circuitBreaker = makeCircuitBreaker()
      yield* failing(circuitBreaker, outagesBeforeOpen - 1)
      assert.isNull(yield* stayAway(circuitBreaker))
      yield* failing(circuitBreaker, outagesBeforeOpen)
      assert.strictEqual(yield* stayAway(circuitBreaker), openMillis)
      yield* TestClock.adjust(openMillis - 1)
      assert.strictEqual(yield* stayAway(circuitBreaker), 1)
    })
  )

  it.effect("stays closed after failures that the server did not cause", () =>
    Effect.gen(function* () {
      const circuitBreaker = makeCircuitBreaker()
      yield* Effect.replicateEffect(Effect.result(circuitBreaker.through(Effect.fail(permanentFailure("no")))), 20)
      assert.isNull(yield* stayAway(circuitBreaker))
    })
  )

  it.effect("lets one request probe the server, and opens or closes by its result", () =>
    Effect.gen(function* () {
      const circuitBreaker = makeCircuitBreaker()
      yield* failing(circuitBreaker, outagesBeforeOpen)
      yield* TestClock.adjust(openMillis)
      yield* failing(circuitBreaker, 1)
      assert.strictEqual(yield* stayAway(circuitBreaker), openMillis)
      yield* TestClock.adjust(openMillis)
      const probe = yield* Effect.forkChild(circuitBreaker.through(Effect.sleep(500)), { startImmediately: true })
      assert.strictEqual(yield* stayAway(circuitBreaker), 1_000)
      yield* TestClock.adjust(500)
      yield* Fiber.join(probe)
      assert.isNull(yield* stayAway(circuitBreaker))
      yield* failing(circuitBreaker, outagesBeforeOpen - 1)
      assert.isNull(yield* stayAway(circuitBreaker))
    })
  )

  it.effect("lets another request probe after the first was interrupted", () =>
    Effect.gen(function* () {
      const circuitBreaker = makeCircuitBreaker()
      yield* failing(circuitBreaker, outagesBeforeOpen)
      yield* TestClock.adjust(openMillis)
      const probe = yield* Effect.forkChild(circuitBreaker.through(Effect.never), { startImmediately: true })
      yield* Fiber.interrupt(probe)
      assert.isNull(yield* stayAway(circuitBreaker))
    })
  )

  it.effect("fails with an error that can be retried later", () =>
    Effect.gen(function* () {
      const circuitBreaker = makeCircuitBreaker()
      yield* failing(circuitBreaker, outagesBeforeOpen)
      const failure = yield* Effect.flip(circuitBreaker.through(Effect.void))
      assert.instanceOf(failure, LlmFailure)
      assert.deepInclude({ ...failure }, { later: true, again: false, outage: false })
    })
  )
})
