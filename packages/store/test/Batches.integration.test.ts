import { assert, describe, it } from "@effect/vitest"
import { type BatchEntry, ingestBatch } from "@leadloom/core/internal/workflow/pipeline/IngestBatch"
import { readUsage } from "@leadloom/core/internal/workflow/billing/Usage"
import { Batches } from "@leadloom/core/internal/port/repository/pipeline/Batches"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { updateTenant } from "@leadloom/core/internal/workflow/tenant/Tenants"
import { around } from "@leadloom/testkit/suite/Doubles"
import { acme } from "@leadloom/testkit/suite/Scene"
import { Effect } from "effect"
import { temporaryStore } from "./TemporaryStore.ts"

const entries = (count: number): ReadonlyArray<BatchEntry> =>
  Array.from({ length: count }, (_, index) => ({
    _tag: "Request",
    request: {
      message: `Message ${index}`,
      contact: { name: null, email: `person.${index}@customer.example`, phone: null },
      channel: "chat",
      source: "test",
      metadata: {},
      idempotencyKey: null
    }
  }))

const openGrowth = Effect.andThen(acme.open(), updateTenant("acme", { plan: "growth" }))

const receive = Effect.fnUntraced(function* (count: number, idempotencyKey: string | null = null) {
  const tenant = yield* openGrowth.pipe(Effect.catchTag("TenantExists", () => updateTenant("acme", {})))
  return yield* ingestBatch({ tenant, entries: entries(count), idempotencyKey, fingerprint: `${count}` })
})

const usedActions = Effect.map(readUsage("acme", null), ({ counts }) => counts.actions)

describe("a batch on a store", () => {
  it.effect("fails only the request with a defect, and does not count its action", () =>
    Effect.gen(function* () {
      const messages = yield* Messages
      const breaking = Messages.of({
        ...messages,
        insert: (message, keys, fingerprint) =>
          message.body === "Message 3" ? Effect.die(new Error("a bug")) : messages.insert(message, keys, fingerprint)
      })
      const { counts, items } = yield* Effect.provideService(receive(6), Messages, breaking)
      assert.deepInclude(counts, { accepted: 5, refused: 1 })
      assert.deepStrictEqual(items[3]?.item.failure, { reason: "broken", issues: [] })
      assert.strictEqual(yield* (yield* Signals).backlog, 5)
      assert.strictEqual(yield* usedActions, 0)
    }).pipe(Effect.provide(around), Effect.provide(temporaryStore))
  )

  it.effect("keeps accepted requests after a store outage, and continues under the same key", () =>
    Effect.gen(function* () {
      const batches = yield* Batches
      const leaving = Batches.of({
        ...batches,
        addItem: (item) =>
          item.index === 70 ? Effect.fail(new StoreUnavailable({ reason: "gone" })) : batches.addItem(item)
      })
      const broken = yield* Effect.flip(Effect.provideService(receive(120, "key"), Batches, leaving))
      assert.strictEqual(broken._tag, "StoreUnavailable")
      const [left] = yield* batches.page("acme", 1, null)
      if (left === undefined) return assert.fail("the batch is gone")
      const before = yield* batches.items("acme", left.batchId, 120, null)
      assert.isTrue(before.length >= 50 && before.length < 120)
      const { batch, counts, items, replayed, status } = yield* receive(120, "key")
      assert.deepStrictEqual([batch.batchId, replayed, status], [left.batchId, true, "running"])
      assert.deepInclude(counts, { accepted: 120, duplicate: 0, refused: 0 })
      assert.deepStrictEqual(items.slice(0, 50), before.slice(0, 50))
      assert.strictEqual(yield* (yield* Signals).backlog, 120)
      assert.strictEqual(yield* usedActions, 0)
    }).pipe(Effect.provide(around), Effect.provide(temporaryStore))
  )
})
