import { assert, layer } from "@effect/vitest"
import { Deliveries } from "@leadloom/core/internal/port/repository/webhook/Deliveries"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { Subscriptions } from "@leadloom/core/internal/port/repository/webhook/Subscriptions"
import type { DeliveryRow, LogEntry } from "@leadloom/core/internal/domain/webhook/Delivery"
import { expireEvents } from "@leadloom/core/internal/workflow/webhook/ExpireEvents"
import { untried } from "@leadloom/core/internal/domain/webhook/DeliveryState"
import { never } from "@leadloom/core/internal/domain/webhook/Subscription"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { StoreLayer } from "../StoreLayer.ts"
import { eventRecord, freshTenant, noon } from "../Records.ts"
import { subscriptionRecord } from "./SubscriptionsSuite.ts"

const rowOf = (of: DeliveryRow, sequence: number, parts: Partial<DeliveryRow> = {}): DeliveryRow => ({
  ...of,
  sequence,
  ...parts
})

const entry = (sequence: number): LogEntry => ({ sequence, at: noon + sequence, status: 200, millis: 4 })

/** Creates a subscription in a new tenant, and a function that creates deliveries of it. */
const opened = Effect.gen(function* () {
  const of = subscriptionRecord(freshTenant(), 1)
  yield* (yield* Subscriptions).insert(of)
  return { deliveries: yield* Deliveries, of, row: untried(of, 1) }
})

const sequences = (rows: ReadonlyArray<{ readonly sequence: number }>) => rows.map(({ sequence }) => sequence)

/** Tests the port `Deliveries` on a store. */
export const deliveriesSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Deliveries on ${name}`, (it) => {
    it.effect("returns a row as last written", () =>
      Effect.gen(function* () {
        const { deliveries, of, row } = yield* opened
        const attempt = { at: noon, status: 500, millis: 9, error: "It answered 500.", response: "Größe 🙈" }
        const full = rowOf(row, 3, { status: "failed", dueAt: never, tries: 7, attempts: [attempt], updatedAt: noon })
        assert.isNull(yield* deliveries.find(of, 3))
        yield* deliveries.put(rowOf(row, 3))
        yield* deliveries.put(full)
        assert.deepStrictEqual(yield* deliveries.find(of, 3), full)
        assert.isNull(yield* deliveries.find(subscriptionRecord(of.tenantId, 2), 3))
      })
    )
    it.effect("returns the due row with the lowest number first", () =>
      Effect.gen(function* () {
        const { deliveries, of, row } = yield* opened
        assert.deepStrictEqual([yield* deliveries.due(of, never), yield* deliveries.nextDue(of)], [null, never])
        yield* deliveries.put(rowOf(row, 2, { dueAt: 30 }))
        yield* deliveries.put(rowOf(row, 5, { dueAt: 10 }))
        yield* deliveries.put(rowOf(row, 1, { status: "delivered", dueAt: never }))
        assert.strictEqual(yield* deliveries.nextDue(of), 10)
        assert.isNull(yield* deliveries.due(of, 9))
        assert.strictEqual((yield* deliveries.due(of, 10))?.sequence, 5)
        assert.strictEqual((yield* deliveries.due(of, 30))?.sequence, 2)
      })
    )
    it.effect("makes pending rows due or failed, and makes failed rows pending again from a given number", () =>
      Effect.gen(function* () {
        const { deliveries, of, row } = yield* opened
        const open = { dueAt: 500, tries: 3 }
        yield* Effect.forEach([1, 2, 3], (sequence) => deliveries.put(rowOf(row, sequence, open)))
        yield* deliveries.put(rowOf(row, 4, { status: "delivered", dueAt: never, tries: 2 }))
        yield* deliveries.restart(of, 50)
        const restarted = yield* deliveries.find(of, 2)
        assert.deepStrictEqual([restarted?.dueAt, restarted?.tries, restarted?.status], [50, 0, "pending"])
        yield* deliveries.giveUp(of, 60)
        const given = yield* deliveries.find(of, 2)
        assert.deepStrictEqual([given?.dueAt, given?.status, given?.updatedAt], [never, "failed", 60])
        assert.strictEqual(yield* deliveries.nextDue(of), never)
        assert.strictEqual(yield* deliveries.recover(of, 2, 70), 2)
        const states = [...(yield* deliveries.rows(of, { status: null, before: 9, limit: 9 }))].map(
          ({ sequence, status, tries }) => [sequence, status, tries]
        )
        assert.deepStrictEqual(states, [
          [4, "delivered", 2],
          [3, "pending", 0],
          [2, "pending", 0],
          [1, "failed", 0]
        ])
        assert.strictEqual(yield* deliveries.nextDue(of), 70)
      })
    )
    it.effect("lists rows and log entries in pages, highest number first", () =>
      Effect.gen(function* () {
        const { deliveries, of, row } = yield* opened
        yield* deliveries.log(of, [])
        yield* deliveries.log(of, [1, 2, 4].map(entry))
        yield* deliveries.log(of, [5, 7].map(entry))
        const log = { before: 7, limit: 3 }
        assert.deepStrictEqual(yield* deliveries.logged(of, log), [5, 4, 2].map(entry))
        assert.deepStrictEqual(sequences(yield* deliveries.logged(of, { before: 2, limit: 3 })), [1])
        yield* Effect.forEach([3, 6, 8], (sequence) => deliveries.put(rowOf(row, sequence)))
        yield* deliveries.put(rowOf(row, 9, { status: "failed", dueAt: never }))
        const page = { status: null, before: 9, limit: 2 }
        assert.deepStrictEqual(sequences(yield* deliveries.rows(of, page)), [8, 6])
        assert.deepStrictEqual(sequences(yield* deliveries.rows(of, { ...page, status: "pending", before: 6 })), [3])
        assert.deepStrictEqual(sequences(yield* deliveries.rows(of, { ...page, status: "failed", before: 10 })), [9])
      })
    )
  })

const day = 86_400_000

/** Tests the removal of expired events in `Events` on a store. */
export const eventExpirySuite = (name: string, store: StoreLayer): void =>
  layer(Layer.fresh(store))(`Expired events on ${name}`, (it) => {
    it.effect("removes the oldest events and their deliveries, up to the first event that is young enough", () =>
      Effect.gen(function* () {
        const { deliveries, of, row } = yield* opened
        const { tenantId } = of
        const events = yield* Events
        const at = (number: number, timestamp: number) => eventRecord(tenantId, number, { timestamp })
        yield* events.append(tenantId, [at(1, 10), at(2, 20), at(3, 90), at(4, 30), at(5, 95)])
        yield* Effect.forEach([2, 3], (sequence) => deliveries.put(rowOf(row, sequence)))
        yield* deliveries.log(of, [entry(1)])
        yield* deliveries.log(of, [entry(4)])
        assert.strictEqual(yield* events.expire(tenantId, 50, 1), 1)
        assert.deepStrictEqual(yield* events.range(tenantId), { first: 2, last: 5 })
        assert.deepStrictEqual(sequences(yield* deliveries.logged(of, { before: 9, limit: 9 })), [4])
        assert.strictEqual(yield* events.expire(tenantId, 50, 100), 1)
        assert.strictEqual(yield* events.expire(tenantId, 50, 100), 0)
        assert.deepStrictEqual(sequences(yield* events.after(tenantId, 0, 9)), [3, 4, 5])
        assert.deepStrictEqual(sequences(yield* deliveries.rows(of, { status: null, before: 9, limit: 9 })), [3])
        assert.strictEqual(yield* events.expire(tenantId, 100, 100), 3)
        assert.deepStrictEqual(yield* events.range(tenantId), { first: 6, last: 5 })
      })
    )
    it.effect("expire after their age in days in every tenant, and new events continue the numbers", () =>
      Effect.gen(function* () {
        const events = yield* Events
        const [one, other] = [freshTenant(), freshTenant()]
        // This time is far in the future, so all other events of the store are older.
        const now = noon + 1_000 * day
        yield* TestClock.setTime(now)
        const old = { timestamp: now - 30 * day - 1 }
        const young = { timestamp: now - 30 * day }
        yield* events.append(one, [eventRecord(one, 1, old), eventRecord(one, 2, young)])
        yield* events.append(other, [eventRecord(other, 1, old)])
        yield* expireEvents(30)
        assert.deepStrictEqual(sequences(yield* events.after(one, 0, 9)), [2])
        assert.deepStrictEqual(yield* events.range(other), { first: 2, last: 1 })
        assert.strictEqual(yield* expireEvents(30), 0)
        yield* events.append(other, [eventRecord(other, 2, young)])
        assert.deepStrictEqual(sequences(yield* events.after(other, 0, 9)), [2])
      })
    )
  })
