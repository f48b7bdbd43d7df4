import { assert, describe, it } from "@effect/vitest"
import { refused, unavailable } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { requestedWait } from "@leadloom/core/internal/domain/provider/ProviderBehavior"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { makeCircuitBreaker, openMillis, outagesBeforeOpen } from "../../src/provider/CircuitBreaker.ts"
import type { ProviderResponse } from "../../src/provider/Provider.ts"
import type { Around } from "../../src/provider/ProviderClient.ts"

const response = (status: number): ProviderResponse => ({ status, headers: {}, body: new Uint8Array() })
const fine = Effect.succeed(response(200))
const away = Effect.fail(unavailable("model", "away"))

const failing = (circuitBreaker: Around, times: number, request = away) =>
  Effect.replicateEffect(Effect.result(circuitBreaker(request)), times)

/** Returns the wait that a request is told; null when it passed. */
const stayAway = (circuitBreaker: Around) =>
  Effect.map(Effect.result(circuitBreaker(fine)), (result) =>
    Result.isSuccess(result) ? null : requestedWait(result.failure)
  )

describe("a circuit breaker", () => {
  it.effect("opens after five consecutive outages and reports its duration", () =>
    Effect.gen(function* () {
      const circuitBreaker = yield* makeCircuitBreaker("model")
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
      const circuitBreaker = yield* makeCircuitBreaker("model")
      yield* Effect.replicateEffect(Effect.result(circuitBreaker(Effect.fail(refused("model", "no")))), 20)
      assert.isNull(yield* stayAway(circuitBreaker))
    })
  )

  it.effect("lets one request probe the server, and opens or closes by its result", () =>
    Effect.gen(function* () {
      const circuitBreaker = yield* makeCircuitBreaker("model")
      yield* failing(circuitBreaker, outagesBeforeOpen)
      yield* TestClock.adjust(openMillis)
      yield* failing(circuitBreaker, 1)
      assert.strictEqual(yield* stayAway(circuitBreaker), openMillis)
      yield* TestClock.adjust(openMillis)
      const probe = yield* Effect.forkChild(circuitBreaker(Effect.delay(fine, 500)), { startImmediately: true })
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
      const circuitBreaker = yield* makeCircuitBreaker("model")
      yield* failing(circuitBreaker, outagesBeforeOpen)
      yield* TestClock.adjust(openMillis)
      const probe = yield* Effect.forkChild(circuitBreaker(Effect.never), { startImmediately: true })
      yield* Fiber.interrupt(probe)
      assert.isNull(yield* stayAway(circuitBreaker))
    })
  )

  it.effect("fails with an error that can be retried later", () =>
    Effect.gen(function* () {
      const circuitBreaker = yield* makeCircuitBreaker("model")
      yield* failing(circuitBreaker, outagesBeforeOpen)
      const failure = yield* Effect.flip(circuitBreaker(fine))
      assert.deepInclude({ ...failure.reason }, { _tag: "Unavailable", code: "held_back" })
    })
  )

  it.effect("opens after responses that report an outage, and not after rate limits", () =>
    Effect.gen(function* () {
      const circuitBreaker = yield* makeCircuitBreaker("model")
      yield* Effect.replicateEffect(circuitBreaker(Effect.succeed(response(429))), 20)
      assert.isNull(yield* stayAway(circuitBreaker))
      yield* Effect.replicateEffect(circuitBreaker(Effect.succeed(response(503))), outagesBeforeOpen)
      assert.strictEqual(yield* stayAway(circuitBreaker), openMillis)
    })
  )
})
