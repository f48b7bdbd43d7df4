import { assert, layer } from "@effect/vitest"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { Usages } from "@leadloom/core/internal/port/repository/tenant/Usages"
import { Context, Effect, Exit, Fiber, Latch } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { freshTenant } from "../Records.ts"

const Caller = Context.Reference<string>("testkit/port/Caller", { defaultValue: () => "nobody" })

/** Tests the port `Transactions` on any store, including one in memory: order, outcomes and the caller's services. */
export const transactionsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Transactions on ${name}`, (it) => {
    it.effect("returns the outcome of a unit to its caller", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const tenantId = freshTenant()
        assert.strictEqual(yield* atomically(tenantId, Effect.succeed(42)), 42)
        assert.strictEqual(yield* Effect.flip(atomically(tenantId, Effect.fail("no"))), "no")
        assert.isTrue(Exit.hasDies(yield* Effect.exit(atomically(tenantId, Effect.die("bug")))))
        assert.isTrue(Exit.hasInterrupts(yield* Effect.exit(atomically(tenantId, Effect.interrupt))))
        assert.strictEqual(yield* atomically(tenantId, atomically(tenantId, Effect.succeed("inner"))), "inner")
      })
    )
    it.effect("runs each unit with the services of its caller", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const tenantId = freshTenant()
        const names = ["one", "two", "three"]
        const seen = yield* Effect.forEach(
          names,
          (caller) =>
            Effect.provideService(atomically(tenantId, Effect.andThen(Effect.yieldNow, Caller)), Caller, caller),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(seen, names)
      })
    )
    it.effect("runs units one after another, including units that yield", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const tenantId = freshTenant()
        let inside = 0
        let max = 0
        const unit = Effect.gen(function* () {
          inside += 1
          max = Math.max(max, inside)
          yield* Effect.yieldNow
          yield* atomically(tenantId, Effect.yieldNow)
          inside -= 1
        })
        yield* Effect.forEach(Array.from({ length: 50 }), () => atomically(tenantId, unit), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual([inside, max], [0, 1])
      })
    )
    it.effect("continues after units that fail, have a defect or are interrupted", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const tenantId = freshTenant()
        const usages = yield* Usages
        const started = Latch.makeUnsafe(false)
        const stuck = yield* Effect.forkChild(atomically(tenantId, Effect.andThen(started.open, Effect.never)))
        yield* started.await
        const next = yield* Effect.forkChild(atomically(tenantId, usages.consume(tenantId, "actions", "2026-03", 5)))
        yield* Fiber.interrupt(stuck)
        assert.isTrue(yield* Fiber.join(next))
        yield* Effect.exit(atomically(tenantId, Effect.die("bug")))
        yield* Effect.exit(atomically(tenantId, Effect.fail("no")))
        assert.isTrue(yield* atomically(tenantId, usages.consume(tenantId, "actions", "2026-03", 5)))
        assert.deepStrictEqual(yield* usages.read(tenantId, "2026-03"), {
          actions: 2,
          ai_calls: 0,
          ai_input_tokens: 0,
          ai_output_tokens: 0
        })
      })
    )
    it.effect("does not start the unit of an interrupted caller", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const tenantId = freshTenant()
        const [holding, free] = [Latch.makeUnsafe(false), Latch.makeUnsafe(false)]
        let ran = false
        const first = yield* Effect.forkChild(atomically(tenantId, Effect.andThen(holding.open, free.await)))
        yield* holding.await
        const second = yield* Effect.forkChild(
          atomically(
            tenantId,
            Effect.sync(() => {
              ran = true
            })
          ),
          { startImmediately: true }
        )
        yield* Fiber.interrupt(second)
        yield* free.open
        yield* Fiber.join(first)
        yield* atomically(tenantId, Effect.void)
        assert.isFalse(ran)
      })
    )
  })
