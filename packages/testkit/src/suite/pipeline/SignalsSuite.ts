import { assert, layer } from "@effect/vitest"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { StoreLayer } from "../StoreLayer.ts"
import { fairQueueSuite } from "./FairQueueSuite.ts"
import { freshTenant, idOf, noon, signalRecord } from "../Records.ts"

/** Tests the port `Signals` on a store. Each test has its own store, because workers claim from all tenants. */
export const signalsSuite = (name: string, store: StoreLayer): void => {
  const scene = (title: string, test: () => Effect.Effect<void, unknown, Signals | Transactions>) =>
    layer(Layer.fresh(store))(`Signals on ${name}`, (it) => it.effect(title, test))

  fairQueueSuite(`Signals on ${name}`, store, {
    queue: (tenantId, number, dueAt) =>
      Effect.flatMap(Signals, (signals) => signals.enqueue(signalRecord(tenantId, number), noon + dueAt, 0)),
    claim: (limit, now, leaseUntil) =>
      Effect.map(
        Effect.flatMap(Signals, (signals) => signals.claim(limit, noon + now, noon + leaseUntil)),
        (claimed) => claimed.map(({ signalId, tenantId }) => ({ tenantId, number: Number(signalId.slice(4)) }))
      )
  })
  scene("extends a lease, and never shortens it or extends an ended one", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const tenantId = freshTenant()
      yield* signals.enqueue(signalRecord(tenantId, 1), noon, 0)
      yield* signals.claim(1, noon, noon + 30)
      yield* signals.hold(tenantId, idOf("sig", 1), noon + 60)
      yield* signals.hold(tenantId, idOf("sig", 1), noon + 40)
      assert.deepStrictEqual(yield* signals.claim(1, noon + 59, noon + 90), [])
      assert.strictEqual((yield* signals.claim(1, noon + 60, noon + 90)).length, 1)
      yield* signals.finish(tenantId, idOf("sig", 1), "done", noon + 61)
      yield* signals.hold(tenantId, idOf("sig", 1), noon + 99)
      assert.strictEqual(yield* signals.backlog, 0)
    })
  )
  scene("returns due signals once, oldest first, across tenants", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const [one, other] = [freshTenant(), freshTenant()]
      yield* signals.enqueue(signalRecord(one, 2, { leadId: idOf("lead", 1) }), noon, 0)
      yield* signals.enqueue(signalRecord(other, 1), noon, 0)
      yield* signals.enqueue(signalRecord(one, 3), noon + 10, 0)
      assert.strictEqual(yield* signals.backlog, 3)
      assert.deepStrictEqual(yield* signals.claim(10, noon - 1, noon + 30), [])
      assert.deepStrictEqual(yield* signals.claim(10, noon, noon + 30), [
        signalRecord(other, 1, { attempts: 1, unfinished: 1 }),
        signalRecord(one, 2, { attempts: 1, unfinished: 1, leadId: idOf("lead", 1) })
      ])
      assert.deepStrictEqual(yield* signals.claim(10, noon, noon + 30), [])
      assert.deepStrictEqual(yield* signals.claim(10, noon + 10, noon + 40), [
        signalRecord(one, 3, { attempts: 1, unfinished: 1 })
      ])
    })
  )
  scene("returns at most the requested number, longest due first", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const tenantId = freshTenant()
      yield* Effect.forEach([1, 2, 3, 4], (number) => signals.enqueue(signalRecord(tenantId, number), noon - number, 0))
      const numbers = (claimed: ReadonlyArray<{ readonly signalId: string }>) =>
        claimed.map(({ signalId }) => Number(signalId.slice(4)))
      assert.deepStrictEqual(numbers(yield* signals.claim(3, noon, noon + 99)), [2, 3, 4])
      assert.deepStrictEqual(numbers(yield* signals.claim(3, noon, noon + 99)), [1])
    })
  )
  scene("gives a signal to another worker after the first lease ends", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const tenantId = freshTenant()
      yield* signals.enqueue(signalRecord(tenantId, 1), noon, 0)
      yield* signals.claim(1, noon, noon + 30)
      assert.deepStrictEqual(yield* signals.claim(1, noon + 29, noon + 59), [])
      assert.deepStrictEqual(yield* signals.claim(1, noon + 30, noon + 60), [
        signalRecord(tenantId, 1, { attempts: 2, unfinished: 2 })
      ])
    })
  )
  scene("reserves a signal for the caller that queued it, until its lease ends", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const tenantId = freshTenant()
      yield* signals.enqueue(signalRecord(tenantId, 1, { attempts: 1, unfinished: 1 }), noon, noon + 30)
      assert.strictEqual(yield* signals.backlog, 1)
      assert.deepStrictEqual(yield* signals.claim(1, noon + 29, noon + 99), [])
      assert.deepStrictEqual(yield* signals.claim(1, noon + 30, noon + 99), [
        signalRecord(tenantId, 1, { attempts: 2, unfinished: 2 })
      ])
    })
  )
  scene("ends a signal once, even after its lease ended", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const [one, other] = [freshTenant(), freshTenant()]
      yield* signals.enqueue(signalRecord(one, 1), noon, 0)
      yield* signals.enqueue(signalRecord(one, 2), noon, 0)
      yield* signals.claim(2, noon, noon + 30)
      assert.isFalse(yield* signals.finish(other, idOf("sig", 1), "done", noon))
      assert.isTrue(yield* signals.finish(one, idOf("sig", 1), "done", noon + 40))
      assert.isFalse(yield* signals.finish(one, idOf("sig", 1), "failed", noon + 41))
      assert.isTrue(yield* signals.finish(one, idOf("sig", 2), "failed", noon + 40))
      assert.isFalse(yield* signals.finish(one, idOf("sig", 9), "done", noon))
      assert.strictEqual(yield* signals.backlog, 0)
      assert.deepStrictEqual(yield* signals.claim(9, noon + 999, noon + 1_000), [])
    })
  )
  scene("returns a released signal from its new due time on", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const [one, other] = [freshTenant(), freshTenant()]
      yield* signals.enqueue(signalRecord(one, 1), noon, 0)
      yield* signals.claim(1, noon, noon + 30)
      yield* signals.release(other, idOf("sig", 1), noon, "another tenant")
      yield* signals.release(one, idOf("sig", 1), noon + 10, "the provider is down")
      assert.deepStrictEqual(yield* signals.claim(1, noon + 9, noon + 99), [])
      assert.deepStrictEqual(yield* signals.claim(1, noon + 10, noon + 99), [
        signalRecord(one, 1, { attempts: 2, unfinished: 1 })
      ])
      yield* signals.finish(one, idOf("sig", 1), "done", noon + 20)
      yield* signals.release(one, idOf("sig", 1), noon, "too late")
      assert.deepStrictEqual(yield* signals.claim(1, noon + 999, noon + 1_000), [])
    })
  )
  scene("counts a start before the work, until the signal is released", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const tenantId = freshTenant()
      const claim = (at: number) =>
        Effect.map(signals.claim(1, noon + at, noon + at + 10), ([signal]) => signal?.unfinished)
      yield* signals.enqueue(signalRecord(tenantId, 1), noon, 0)
      assert.strictEqual(yield* claim(0), 1)
      yield* signals.release(tenantId, idOf("sig", 1), noon + 5, "the model is away")
      assert.strictEqual(yield* claim(5), 1, "given back: nothing is left of the first start")
      assert.strictEqual(yield* claim(15), 2, "the lease ended: nobody gave it back")
      yield* signals.release(tenantId, idOf("sig", 1), noon + 20, "the worker stopped")
      assert.strictEqual(yield* claim(20), 2, "the start that did not finish stays counted")
    })
  )
  scene(
    "queues a suspect signal after the other signals of its tenant, and counts a start only when its work begins",
    () =>
      Effect.gen(function* () {
        const signals = yield* Signals
        const [one, other] = [freshTenant(), freshTenant()]
        const claim = (at: number) => signals.claim(1, noon + at, noon + at + 30)
        const suspect = (attempts: number, unfinished: number) =>
          signalRecord(one, 1, { attempts, unfinished, suspect: true })
        yield* signals.enqueue(signalRecord(one, 1), noon, 0)
        yield* claim(0)
        yield* signals.enqueue(signalRecord(one, 2), noon + 35, 0)
        assert.deepStrictEqual(yield* claim(30), [signalRecord(one, 1, { attempts: 2, unfinished: 2 })])
        yield* signals.putAside(other, idOf("sig", 1), noon)
        yield* signals.putAside(one, idOf("sig", 1), noon + 40)
        assert.deepStrictEqual(yield* claim(40), [signalRecord(one, 2, { attempts: 1, unfinished: 1 })])
        assert.deepStrictEqual(yield* claim(40), [suspect(3, 1)])
        assert.deepStrictEqual(yield* claim(70), [suspect(4, 1)], "taken, but not begun: no start")
        assert.isFalse(yield* signals.begin(other, idOf("sig", 1)))
        assert.isTrue(yield* signals.begin(one, idOf("sig", 1)))
        yield* signals.finish(one, idOf("sig", 2), "done", noon + 80)
        assert.deepStrictEqual(yield* claim(100), [suspect(5, 2)])
        yield* signals.finish(one, idOf("sig", 1), "failed", noon + 101)
        assert.isFalse(yield* signals.begin(one, idOf("sig", 1)))
        yield* signals.putAside(one, idOf("sig", 1), noon + 101)
        assert.deepStrictEqual(yield* claim(200), [])
      })
  )
  scene("claims from the admitted tenants, and from others once they are admitted", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const [costly, cheap] = [freshTenant(), freshTenant()]
      for (const number of [1, 2, 3]) yield* signals.enqueue(signalRecord(costly, number), noon, 0)
      for (const number of [4, 5]) yield* signals.enqueue(signalRecord(cheap, number), noon, 0)
      const seen: Array<ReadonlyArray<string>> = []
      const claimed = yield* signals.claim(10, noon, noon + 30, (due) => {
        seen.push(due.toSorted())
        return due.filter((tenantId) => tenantId !== costly)
      })
      assert.deepStrictEqual(
        claimed.map(({ signalId }) => signalId),
        [idOf("sig", 4), idOf("sig", 5)]
      )
      assert.deepStrictEqual(seen, [[costly, cheap].toSorted()])
      assert.deepStrictEqual(yield* signals.claim(10, noon, noon + 30, () => []), [])
      assert.strictEqual((yield* signals.claim(10, noon, noon + 30, (due) => due)).length, 3)
    })
  )
  scene("gives every signal to exactly one of many concurrent workers", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const tenantId = freshTenant()
      yield* Effect.forEach(Array.from({ length: 50 }), (_, number) =>
        signals.enqueue(signalRecord(tenantId, number), noon, 0)
      )
      const claims = yield* Effect.forEach(Array.from({ length: 20 }), () => signals.claim(3, noon, noon + 30), {
        concurrency: "unbounded"
      })
      const ids = claims.flat().map(({ signalId }) => signalId)
      assert.deepStrictEqual([ids.length, new Set(ids).size], [50, 50])
    })
  )
  scene("wakes a waiting worker when a signal is due, even if it was due before the wait", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const { atomically } = yield* Transactions
      const tenantId = freshTenant()
      const waiting = yield* Effect.forkChild(signals.wait(60_000), { startImmediately: true })
      yield* atomically(tenantId, signals.enqueue(signalRecord(tenantId, 1), noon, 0))
      yield* Fiber.join(waiting)
      yield* atomically(tenantId, signals.enqueue(signalRecord(tenantId, 2), noon, 0))
      yield* signals.wait(60_000)
      yield* signals.claim(9, noon, noon + 30)
      yield* signals.release(tenantId, idOf("sig", 1), noon, "again")
      yield* signals.wait(60_000)
      const again = yield* Effect.forkChild(signals.wait(60_000), { startImmediately: true })
      yield* TestClock.adjust(59_999)
      assert.isUndefined(again.pollUnsafe(), "woken twice for the same signal")
    })
  )
  scene("ends a wait at the timeout, and not for a claimed signal", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const waiting = yield* Effect.forkChild(signals.wait(1_000), { startImmediately: true })
      yield* signals.enqueue(signalRecord(freshTenant(), 1), noon, noon + 30_000)
      yield* TestClock.adjust(999)
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust(1)
      yield* Fiber.join(waiting)
    })
  )
}
