import { assert, layer } from "@effect/vitest"
import { ProviderEvents } from "@leadloom/core/internal/port/repository/webhook/ProviderEvents"
import { Effect, Layer } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"

/** Tests the port `ProviderEvents` on a store. */
export const providerEventsSuite = (name: string, store: StoreLayer): void =>
  layer(Layer.fresh(store))(`ProviderEvents on ${name}`, (it) => {
    it.effect("accepts an event of a provider once, even if another provider uses the same id", () =>
      Effect.gen(function* () {
        const { receive } = yield* ProviderEvents
        assert.isTrue(yield* receive("acme", "stripe", "evt_1", 1))
        assert.isFalse(yield* receive("acme", "stripe", "evt_1", 2))
        assert.isTrue(yield* receive("acme", "twilio", "evt_1", 3))
        assert.isTrue(yield* receive("other", "stripe", "evt_1", 4))
        assert.isTrue(yield* receive("acme", "stripe", "EVT_1", 5))
      })
    )

    it.effect("deletes a given number of the oldest events", () =>
      Effect.gen(function* () {
        const { expire, receive } = yield* ProviderEvents
        for (const at of [10, 20, 30, 40]) yield* receive("ages", "stripe", `evt_${at}`, at)
        yield* receive("another", "stripe", "evt_10", 10)
        assert.strictEqual(yield* expire("ages", 40, 2), 2)
        assert.isTrue(yield* receive("ages", "stripe", "evt_20", 50))
        assert.isFalse(yield* receive("ages", "stripe", "evt_30", 50))
        assert.strictEqual(yield* expire("ages", 40, 100), 1)
        assert.strictEqual(yield* expire("ages", 40, 100), 0)
        assert.isFalse(yield* receive("another", "stripe", "evt_10", 50))
      })
    )
  })
