import { assert, layer } from "@effect/vitest"
import type { IdempotencyRecord } from "@leadloom/core/internal/domain/access/IdempotencyRecord"
import { IdempotencyRecords } from "@leadloom/core/internal/port/repository/tenant/IdempotencyRecords"
import { Effect, Layer } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"

const record = (changes: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  tenantId: "acme",
  credential: "key_1",
  route: "POST /things",
  key: "k",
  fingerprint: "f",
  state: "running",
  answer: null,
  leaseUntil: 50,
  createdAt: 10,
  ...changes
})

/** Tests the port `IdempotencyRecords` on a store. */
export const idempotencyRecordsSuite = (name: string, store: StoreLayer): void =>
  layer(Layer.fresh(store))(`IdempotencyRecords on ${name}`, (it) => {
    it.effect("keeps the latest record per tenant, credential, route and key", () =>
      Effect.gen(function* () {
        const { find, put, remove } = yield* IdempotencyRecords
        const others = [{ tenantId: "" }, { credential: "admin" }, { route: "POST /others" }, { key: "K" }].map(record)
        for (const other of others) yield* put(other)
        assert.isNull(yield* find(record()))
        yield* put(record())
        const last = record({ state: "answered", answer: "sealed ä", fingerprint: "g", leaseUntil: 60, createdAt: 20 })
        yield* put(last)
        assert.deepStrictEqual(yield* find(record()), last)
        yield* remove(record())
        assert.isNull(yield* find(record()))
        for (const other of others) assert.deepStrictEqual(yield* find(other), other)
      })
    )

    it.effect("deletes the answers of one tenant, and deletes the oldest records first", () =>
      Effect.gen(function* () {
        const { expire, find, forgetAnswers, put } = yield* IdempotencyRecords
        const answered = { state: "answered", answer: "sealed" } as const
        const [mine, running, theirs] = [
          record({ tenantId: "one", key: "a", ...answered }),
          record({ tenantId: "one", key: "b", createdAt: 30 }),
          record({ tenantId: "two", key: "a", ...answered })
        ]
        for (const one of [mine, running, theirs]) yield* put(one)
        yield* forgetAnswers("one")
        assert.deepStrictEqual(yield* find(mine), { ...mine, state: "done", answer: null })
        assert.deepStrictEqual([yield* find(running), yield* find(theirs)], [running, theirs])
        yield* put(record({ tenantId: "one", key: "c", createdAt: 20 }))
        assert.strictEqual(yield* expire("one", 30, 1), 1)
        assert.isNull(yield* find(mine))
        assert.strictEqual(yield* expire("one", 30, 9), 1)
        assert.strictEqual(yield* expire("one", 30, 9), 0)
        assert.deepStrictEqual([yield* find(running), yield* find(theirs)], [running, theirs])
      })
    )
  })
