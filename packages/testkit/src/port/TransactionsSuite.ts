import { assert, layer } from "@effect/vitest"
import { Transactions } from "@leadloom/core/port/Transactions"
import { Usages } from "@leadloom/core/port/Usages"
import { Context, Effect, Exit, Fiber, Latch } from "effect"
import type { StoreLayer } from "../workflow/World.ts"
import { freshTenant } from "./Records.ts"

const Caller = Context.Reference<string>("testkit/port/Caller", { defaultValue: () => "nobody" })

/** What `Transactions` promises on any store, memory included: turns, outcomes and the caller's own services. */
export const transactionsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Transactions on ${name}`, (it) => {
    it.effect("gives the caller what its unit came to", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        assert.strictEqual(yield* atomically(Effect.succeed(42)), 42)
        assert.strictEqual(yield* Effect.flip(atomically(Effect.fail("no"))), "no")
        assert.isTrue(Exit.hasDies(yield* Effect.exit(atomically(Effect.die("bug")))))
        assert.isTrue(Exit.hasInterrupts(yield* Effect.exit(atomically(Effect.interrupt))))
        assert.strictEqual(yield* atomically(atomically(Effect.succeed("inner"))), "inner")
      })
    )
    it.effect("runs each unit with the services of its caller", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const names = ["one", "two", "three"]
        const seen = yield* Effect.forEach(
          names,
          (caller) => Effect.provideService(atomically(Effect.andThen(Effect.yieldNow, Caller)), Caller, caller),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(seen, names)
      })
    )
    it.effect("runs units one after another, also such as give way to others", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        let inside = 0
        let most = 0
        const unit = Effect.gen(function* () {
          inside += 1
          most = Math.max(most, inside)
          yield* Effect.yieldNow
          yield* atomically(Effect.yieldNow)
          inside -= 1
        })
        yield* Effect.forEach(Array.from({ length: 50 }), () => atomically(unit), { concurrency: "unbounded" })
        assert.deepStrictEqual([inside, most], [0, 1])
      })
    )
    it.effect("goes on after units that fail, die and are interrupted", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const usages = yield* Usages
        const tenantId = freshTenant()
        const started = Latch.makeUnsafe(false)
        const stuck = yield* Effect.forkChild(atomically(Effect.andThen(started.open, Effect.never)))
        yield* started.await
        const next = yield* Effect.forkChild(atomically(usages.consume(tenantId, "actions", "2026-03", 5)))
        yield* Fiber.interrupt(stuck)
        assert.isTrue(yield* Fiber.join(next))
        yield* Effect.exit(atomically(Effect.die("bug")))
        yield* Effect.exit(atomically(Effect.fail("no")))
        assert.isTrue(yield* atomically(usages.consume(tenantId, "actions", "2026-03", 5)))
        assert.deepStrictEqual(yield* usages.read(tenantId, "2026-03"), { actions: 2, ai_calls: 0 })
      })
    )
    it.effect("does not start the unit of a caller that has gone", () =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const [holding, free] = [Latch.makeUnsafe(false), Latch.makeUnsafe(false)]
        let ran = false
        const first = yield* Effect.forkChild(atomically(Effect.andThen(holding.open, free.await)))
        yield* holding.await
        const second = yield* Effect.forkChild(
          atomically(
            Effect.sync(() => {
              ran = true
            })
          ),
          { startImmediately: true }
        )
        yield* Fiber.interrupt(second)
        yield* free.open
        yield* Fiber.join(first)
        yield* atomically(Effect.void)
        assert.isFalse(ran)
      })
    )
  })
