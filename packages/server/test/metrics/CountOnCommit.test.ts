import { assert, describe, it } from "@effect/vitest"
import type { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { type Context, Effect } from "effect"
import { countOnCommit, countingOnCommit } from "../../src/metrics/CountOnCommit.ts"

/** Runs a unit of work without a transaction. */
const inner: Context.Service.Shape<typeof Transactions> = { atomically: (_tenantId, unit) => unit }

/** Counts, with units of work that run `times` times, because other units of the same commit failed. */
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

describe("an increment", () => {
  it.effect("outside a unit of work counts immediately", () =>
    Effect.gen(function* () {
      const { count, counted } = yield* counting()
      yield* count
      assert.strictEqual(counted(), 1)
    })
  )

  it.effect("inside a unit counts at the commit, once however often the unit ran", () =>
    Effect.gen(function* () {
      const { atomically, count, counted } = yield* counting(3)
      const during = yield* atomically("acme", Effect.andThen(count, Effect.sync(counted)))
      assert.deepStrictEqual([during, counted()], [0, 1])
    })
  )

  it.effect("inside a failed unit does not count", () =>
    Effect.gen(function* () {
      const { atomically, count, counted } = yield* counting()
      yield* Effect.exit(atomically("acme", Effect.andThen(count, Effect.fail("no"))))
      assert.strictEqual(counted(), 0)
    })
  )

  it.effect("inside a nested unit counts if both units commit", () =>
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
