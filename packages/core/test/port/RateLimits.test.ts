import { assert, layer } from "@effect/vitest"
import { keysKept, RateLimits } from "@leadloom/core/port/RateLimits"
import { Effect, Layer } from "effect"

const rule = { limit: 2, windowMillis: 1_000 }

const scene = (title: string, test: () => Effect.Effect<void, unknown, RateLimits>) =>
  layer(Layer.fresh(RateLimits.layerMemory))("RateLimits in memory", (it) => it.effect(title, test))

scene("counts each key by itself and begins again when the window has ended", () =>
  Effect.gen(function* () {
    const { consume } = yield* RateLimits
    const allowed = (key: string, now: number) => Effect.map(consume(key, rule, now), (result) => result.allowed)
    assert.deepStrictEqual(
      [yield* allowed("a", 0), yield* allowed("a", 1), yield* allowed("a", 999), yield* allowed("b", 999)],
      [true, true, false, true]
    )
    assert.isTrue(yield* allowed("a", 1_000))
    assert.strictEqual((yield* consume("a", rule, 1_500)).remaining, 0)
    assert.isFalse(yield* allowed("a", 1_999))
  })
)

scene("counts every one of many requests at once", () =>
  Effect.gen(function* () {
    const { consume } = yield* RateLimits
    const results = yield* Effect.forEach(Array.from({ length: 50 }), () => consume("a", { ...rule, limit: 20 }, 0), {
      concurrency: "unbounded"
    })
    assert.strictEqual(results.filter((result) => result.allowed).length, 20)
  })
)

scene("forgets finished windows, never running ones, below the limit", () =>
  Effect.gen(function* () {
    const { consume } = yield* RateLimits
    yield* consume("long", { limit: 1, windowMillis: 1_000_000 }, 0)
    const many = keysKept * 1.5
    yield* Effect.forEach(Array.from({ length: many }), (_, index) => consume(`k${index}`, rule, index), {
      discard: true
    })
    assert.isFalse((yield* consume("long", { limit: 1, windowMillis: 1_000_000 }, many)).allowed)
    assert.strictEqual((yield* consume(`k${many - 1}`, rule, many)).remaining, 0)
  })
)

scene("gives up the oldest windows rather than growing past its limit", () =>
  Effect.gen(function* () {
    const { consume } = yield* RateLimits
    const long = { limit: 1, windowMillis: 1_000_000 }
    yield* Effect.forEach(Array.from({ length: keysKept + 1 }), (_, index) => consume(`k${index}`, long, index), {
      discard: true
    })
    assert.isTrue((yield* consume("k0", long, keysKept + 1)).allowed)
    assert.isFalse((yield* consume(`k${keysKept - 1}`, long, keysKept + 1)).allowed)
  })
)
