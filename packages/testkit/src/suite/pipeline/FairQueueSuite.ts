import { assert, layer } from "@effect/vitest"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, Layer } from "effect"
import type { Store, StoreLayer } from "../StoreLayer.ts"
import { freshTenant } from "../Records.ts"

/** A claimed item, by its number in the queue. */
export interface Claimed {
  readonly tenantId: string
  readonly number: number
}

/** A queue with work of several tenants. Times are milliseconds after `noon`. */
export interface FairQueue {
  readonly queue: (tenantId: string, number: number, dueAt: number) => Effect.Effect<void, StoreUnavailable, Store>
  readonly claim: (
    limit: number,
    now: number,
    leaseUntil: number
  ) => Effect.Effect<ReadonlyArray<Claimed>, StoreUnavailable, Store>
}

const upTo = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

/** Tests that a backlog of one tenant does not delay the others, for any queue of workers. */
export const fairQueueSuite = (name: string, store: StoreLayer, { claim, queue }: FairQueue): void => {
  const scene = (title: string, test: () => Effect.Effect<void, unknown, Store>) =>
    layer(Layer.fresh(store))(name, (it) => it.effect(title, test))

  scene("gives each tenant an equal share of a batch, and unused places to the others", () =>
    Effect.gen(function* () {
      const [busy, small, steady] = [freshTenant(), freshTenant(), freshTenant()]
      const queueMany = (tenantId: string, from: number, count: number) =>
        Effect.forEach(upTo(count), (index) => queue(tenantId, from + index, from + index))
      yield* queueMany(busy, 0, 40)
      yield* queueMany(small, 100, 2)
      yield* queueMany(steady, 200, 40)
      const claimed = yield* claim(12, 999, 2_000)
      const numbers = (tenantId: string) =>
        claimed.filter((item) => item.tenantId === tenantId).map(({ number }) => number)
      assert.deepStrictEqual(numbers(busy), [0, 1, 2, 3, 4])
      assert.deepStrictEqual(numbers(small), [100, 101])
      assert.deepStrictEqual(numbers(steady), [200, 201, 202, 203, 204])
      yield* Effect.forEach(upTo(6), () => claim(12, 999, 2_000))
      assert.deepStrictEqual(yield* claim(12, 999, 2_000), [])
      yield* queueMany(busy, 300, 20)
      assert.strictEqual((yield* claim(12, 999, 2_000)).length, 12, "a tenant that is alone gets the whole batch")
    })
  )
  scene("reaches every tenant, whatever the others have queued", () =>
    Effect.gen(function* () {
      const tenants = upTo(10).map(freshTenant)
      yield* Effect.forEach(tenants, (tenantId, index) =>
        Effect.forEach(upTo(index % 3 === 0 ? 30 : 1), (number) => queue(tenantId, index * 100 + number, -number))
      )
      const served = new Set<string>()
      for (let batch = 0; batch < 3; batch++) {
        const claimed = yield* claim(4, 0, 30)
        assert.strictEqual(claimed.length, 4)
        for (const { tenantId } of claimed) served.add(tenantId)
      }
      assert.deepStrictEqual([...served].toSorted(), tenants.toSorted())
    })
  )
  scene("finds the one tenant with due work among many with waiting work", () =>
    Effect.gen(function* () {
      const tenants = upTo(40).map(freshTenant)
      yield* Effect.forEach(tenants, (tenantId) => queue(tenantId, 1, 99))
      const late = tenants[33] ?? ""
      yield* queue(late, 2, 0)
      assert.deepStrictEqual(yield* claim(4, 0, 30), [{ tenantId: late, number: 2 }])
      assert.deepStrictEqual(yield* claim(4, 0, 30), [])
      const rest = yield* Effect.forEach(upTo(11), () => claim(4, 99, 200))
      assert.strictEqual(new Set(rest.flat().map(({ number, tenantId }) => `${tenantId} ${number}`)).size, 41)
    })
  )
}
