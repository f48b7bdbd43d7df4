import { inMemoryRateLimits, maxCountedKeys } from "@leadloom/store/internal/limit/InMemoryRateLimits"
import { assert, layer } from "@effect/vitest"
import { RateLimits } from "@leadloom/core/internal/port/system/RateLimits"
import { Effect, Layer } from "effect"

const rule = { limit: 2, windowMillis: 1_000 }

const scene = (title: string, test: () => Effect.Effect<void, unknown, RateLimits>) =>
  layer(Layer.fresh(inMemoryRateLimits))("RateLimits in memory", (it) => it.effect(title, test))

scene("removes finished windows and no running ones below the limit", () =>
  Effect.gen(function* () {
    const { consume } = yield* RateLimits
    yield* consume(null, "long", { limit: 1, windowMillis: 1_000_000 }, 0)
    const many = maxCountedKeys * 1.5
    yield* Effect.forEach(Array.from({ length: many }), (_, index) => consume(null, `k${index}`, rule, index), {
      discard: true
    })
    assert.isFalse((yield* consume(null, "long", { limit: 1, windowMillis: 1_000_000 }, many)).allowed)
    assert.strictEqual((yield* consume(null, `k${many - 1}`, rule, many)).remaining, 0)
  })
)

scene("removes the oldest windows at its limit instead of growing", () =>
  Effect.gen(function* () {
    const { consume } = yield* RateLimits
    const long = { limit: 1, windowMillis: 1_000_000 }
    yield* Effect.forEach(
      Array.from({ length: maxCountedKeys + 1 }),
      (_, index) => consume(null, `k${index}`, long, index),
      {
        discard: true
      }
    )
    assert.isTrue((yield* consume(null, "k0", long, maxCountedKeys + 1)).allowed)
    assert.isFalse((yield* consume(null, `k${maxCountedKeys - 1}`, long, maxCountedKeys + 1)).allowed)
  })
)
