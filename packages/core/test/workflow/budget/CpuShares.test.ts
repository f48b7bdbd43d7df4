import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import {
  makeCpuShares,
  maxCostlyPerTenant,
  maxDetachedPerTenant,
  slackSteps
} from "../../../src/workflow/budget/CpuShares.ts"

describe("processor shares", () => {
  it("make a tenant with high use wait while others have work, and admit it when they have none", () => {
    const { admit, charge } = makeCpuShares()
    charge("costly", 10 * slackSteps, 0)
    charge("cheap", 1, 0)
    assert.deepStrictEqual(admit(["cheap", "costly", "new"], 0), ["cheap", "new"])
    assert.deepStrictEqual(admit(["costly"], 0), ["costly"])
    assert.deepStrictEqual(admit(["cheap", "costly"], 60_000), ["cheap", "costly"], "it is forgotten with time")
  })

  it("admit tenants with similar use alike, however high it is", () => {
    const { admit, charge } = makeCpuShares()
    charge("one", 50 * slackSteps, 0)
    charge("two", 50 * slackSteps + 1_000, 0)
    assert.deepStrictEqual(admit(["one", "two"], 0), ["one", "two"])
  })

  it.effect("stop admitting a tenant at its limit of running work, and admit it again below", () =>
    Effect.gen(function* () {
      for (const [kind, max] of [
        ["costly", maxCostlyPerTenant],
        ["outside", maxDetachedPerTenant]
      ] as const) {
        const { admit, outside } = makeCpuShares()
        const end = yield* Deferred.make<void>()
        const begin = Effect.forkChild(outside("one", kind, Deferred.await(end)), { startImmediately: true })
        for (let count = 1; count < max; count++) yield* begin
        assert.deepStrictEqual(admit(["one", "two"], 0), ["one", "two"])
        const last = yield* begin
        assert.deepStrictEqual(admit(["one", "two"], 0), ["two"])
        assert.deepStrictEqual(admit(["one"], 0), [])
        yield* Deferred.succeed(end, undefined)
        yield* Fiber.join(last)
        yield* Effect.yieldNow
        assert.deepStrictEqual(admit(["one", "two"], 0), ["one", "two"])
      }
    })
  )

  it.effect("run costly work one at a time, the tenant with the lowest use first", () =>
    Effect.gen(function* () {
      const { alone, charge } = makeCpuShares()
      charge("costly", 5, 0)
      charge("cheap", 1, 0)
      const order: Array<string> = []
      const open = yield* Deferred.make<void>()
      const work = (tenantId: string) =>
        Effect.forkChild(
          alone(
            tenantId,
            Effect.andThen(
              Effect.sync(() => void order.push(tenantId)),
              Deferred.await(open)
            )
          ),
          { startImmediately: true }
        )
      const running = [yield* work("costly"), yield* work("costly"), yield* work("cheap")]
      const left = yield* work("new")
      assert.deepStrictEqual(order, ["costly"])
      yield* Fiber.interrupt(left)
      yield* Deferred.succeed(open, undefined)
      yield* Effect.forEach(running, (fiber) => Fiber.join(fiber))
      assert.deepStrictEqual(order, ["costly", "cheap", "costly"])
    })
  )

  it.effect("release the lock when its holder fails or is interrupted", () =>
    Effect.gen(function* () {
      const { alone } = makeCpuShares()
      yield* Effect.exit(alone("one", Effect.die("broken")))
      const stuck = yield* Effect.forkChild(alone("one", Effect.never), { startImmediately: true })
      const waiting = yield* Effect.forkChild(alone("two", Effect.succeed("done")), { startImmediately: true })
      yield* Fiber.interrupt(stuck)
      assert.strictEqual(yield* Fiber.join(waiting), "done")
    })
  )
})
