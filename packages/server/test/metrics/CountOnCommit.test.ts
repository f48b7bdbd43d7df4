import { assert, describe, it } from "@effect/vitest"
import type { Transactions } from "@leadloom/core/port/system/Transactions"
import { type Context, Effect } from "effect"
import { countOnCommit, countingOnCommit } from "../../src/metrics/CountOnCommit.ts"

/** Runs a unit of work and nothing else. */
const inner: Context.Service.Shape<typeof Transactions> = { atomically: (_tenantId, unit) => unit }

/** Counts, and units of work that run as often as `times` says: those that shared a commit broke them. */
const counting = (times = 1) =>
  Effect.sync(() => {
    let counted = 0
    const transactions = countingOnCommit({
      atomically: (tenantId, unit) =>
        Effect.gen(function* () {
          for (let time = 1; time < times; time++) yield* inner.atomically(tenantId, unit)
          return yield* inner.atomically(tenantId, unit)
        })
    })
    return { ...transactions, count: countOnCommit(() => void (counted += 1)), counted: () => counted }
  })

describe("what is counted", () => {
  it.effect("outside of a unit of work counts at once", () =>
    Effect.gen(function* () {
      const { count, counted } = yield* counting()
      yield* count
      assert.strictEqual(counted(), 1)
    })
  )

  it.effect("within one counts when it is committed, and once however often it was run", () =>
    Effect.gen(function* () {
      const { atomically, count, counted } = yield* counting(3)
      const during = yield* atomically("acme", Effect.andThen(count, Effect.sync(counted)))
      assert.deepStrictEqual([during, counted()], [0, 1])
    })
  )

  it.effect("within one that fails does not count", () =>
    Effect.gen(function* () {
      const { atomically, count, counted } = yield* counting()
      yield* Effect.exit(atomically("acme", Effect.andThen(count, Effect.fail("no"))))
      assert.strictEqual(counted(), 0)
    })
  )

  it.effect("within a unit inside a unit goes the way of both", () =>
    Effect.gen(function* () {
      const { atomically, count, counted } = yield* counting()
      const inside = atomically("acme", count)
      const undone = Effect.exit(atomically("acme", Effect.andThen(count, Effect.fail("no"))))
      yield* atomically("acme", Effect.all([count, undone, inside]))
      assert.strictEqual(counted(), 2)
      yield* Effect.exit(atomically("acme", Effect.andThen(inside, Effect.fail("no"))))
      assert.strictEqual(counted(), 2)
    })
  )
})
