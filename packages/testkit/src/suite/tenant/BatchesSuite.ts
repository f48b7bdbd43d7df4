import { assert, layer } from "@effect/vitest"
import type { Batch, BatchItem, ItemOutcome } from "@leadloom/core/internal/domain/tenant/Batch"
import { Batches } from "@leadloom/core/internal/port/repository/pipeline/Batches"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Effect, Exit } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { freshTenant, idOf, noon, signalRecord } from "../Records.ts"

const batchRecord = (tenantId: string, number: number, changes: Partial<Batch> = {}): Batch => ({
  tenantId,
  batchId: idOf("bat", number),
  idempotencyKey: null,
  fingerprint: "the requests",
  total: 3,
  createdAt: noon + number,
  ...changes
})

const accepted = (number: number): ItemOutcome => ({
  status: "accepted",
  signalId: idOf("sig", number),
  failure: null
})

const itemRecord = (tenantId: string, index: number, outcome: ItemOutcome): BatchItem => ({
  tenantId,
  batchId: idOf("bat", 1),
  index,
  ...outcome
})

const erased: ItemOutcome = { status: "duplicate", signalId: null, failure: null }
const refused: ItemOutcome = {
  status: "failed",
  signalId: null,
  failure: { reason: "invalid", issues: [{ path: "message", message: "This field is required." }] }
}

/** Tests the port `Batches` on a store. */
export const batchesSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Batches on ${name}`, (it) => {
    it.effect("returns batches by id and by key, and keeps tenants apart", () =>
      Effect.gen(function* () {
        const batches = yield* Batches
        const [one, other] = [freshTenant(), freshTenant()]
        const keyed = batchRecord(one, 1, { idempotencyKey: "admin:mine" })
        yield* Effect.forEach([keyed, batchRecord(one, 2), batchRecord(one, 3)], batches.insert)
        assert.deepStrictEqual(yield* batches.get(one, keyed.batchId), keyed)
        assert.deepStrictEqual(yield* batches.ofKey(one, "admin:mine"), keyed)
        assert.isNull(yield* batches.ofKey(one, "mine"))
        assert.isNull(yield* batches.ofKey(other, "admin:mine"))
        assert.strictEqual((yield* Effect.flip(batches.get(other, keyed.batchId)))._tag, "BatchNotFound")
        assert.isTrue(Exit.hasDies(yield* Effect.exit(batches.insert(keyed))))
      })
    )
    it.effect("lists batches newest first, in pages", () =>
      Effect.gen(function* () {
        const batches = yield* Batches
        const tenantId = freshTenant()
        yield* Effect.forEach([2, 1, 3], (number) => batches.insert(batchRecord(tenantId, number)))
        const ids = (found: ReadonlyArray<Batch>) => found.map(({ batchId }) => batchId)
        assert.deepStrictEqual(ids(yield* batches.page(tenantId, 2, null)), [idOf("bat", 3), idOf("bat", 2)])
        assert.deepStrictEqual(ids(yield* batches.page(tenantId, 2, idOf("bat", 2))), [idOf("bat", 1)])
        assert.deepStrictEqual(yield* batches.page(freshTenant(), 2, null), [])
      })
    )
    it.effect("returns the progress of requests, from their signals", () =>
      Effect.gen(function* () {
        const batches = yield* Batches
        const signals = yield* Signals
        const tenantId = freshTenant()
        const outcomes = [accepted(1), accepted(2), accepted(3), accepted(4), accepted(5), erased, refused]
        yield* batches.insert(batchRecord(tenantId, 1, { total: outcomes.length }))
        yield* batches.insert(batchRecord(tenantId, 2))
        const items = outcomes.map((outcome, index) => itemRecord(tenantId, index, outcome))
        yield* Effect.forEach(items, batches.addItem)
        // The signal of the fifth request does not exist any more.
        yield* signals.enqueue(signalRecord(tenantId, 1), noon, 0)
        yield* Effect.forEach([2, 3, 4], (number) =>
          signals.enqueue(signalRecord(tenantId, number, { attempts: 1 }), noon, 0)
        )
        yield* signals.finish(tenantId, idOf("sig", 3), "done", noon)
        yield* signals.finish(tenantId, idOf("sig", 4), "failed", noon)
        const states = ["queued", "running", "done", "failed", "done", "done", "failed"] as const
        const standing = items.map((item, index) => ({ item, state: states[index] ?? ("queued" as const) }))
        const read = (limit: number, after: number | null) => batches.items(tenantId, idOf("bat", 1), limit, after)
        assert.deepStrictEqual(yield* read(10, null), standing)
        assert.deepStrictEqual(yield* read(2, 4), standing.slice(5))
        const [none, all] = yield* batches.counts(tenantId, [idOf("bat", 2), idOf("bat", 1)])
        assert.deepStrictEqual(all, {
          accepted: 5,
          duplicate: 1,
          refused: 1,
          progress: { queued: 1, running: 1, done: 3, failed: 2 }
        })
        assert.strictEqual(none?.accepted, 0)
        assert.isTrue(yield* batches.hasItem(tenantId, idOf("bat", 1), 6))
        assert.isFalse(yield* batches.hasItem(tenantId, idOf("bat", 1), 7))
        assert.isFalse(yield* batches.hasItem(freshTenant(), idOf("bat", 1), 6))
      })
    )
  })
