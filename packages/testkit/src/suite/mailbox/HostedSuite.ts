import { assert, layer } from "@effect/vitest"
import type { QueuedErrand } from "@leadloom/core/domain/job/Errand"
import { Errands } from "@leadloom/core/port/repository/webhook/Errands"
import { SignIns } from "@leadloom/core/port/repository/conversation/Grants"
import { Effect, Layer } from "effect"
import type { StoreLayer } from "../World.ts"
import { fairQueueSuite } from "../pipeline/FairQueueSuite.ts"
import { freshTenant, idOf, noon } from "../Records.ts"

const errandRecord = (tenantId: string, number: number, changes: Partial<QueuedErrand> = {}): QueuedErrand => ({
  tenantId,
  errandId: `fetch:${String(number).padStart(6, "0")}`,
  attempts: 0,
  dueAt: noon + number,
  createdAt: noon,
  reason: null,
  errand: { kind: "fetch", grantId: idOf("grant", 1), providerMessageId: `<ä ${number}>`, historical: false },
  ...changes
})

/** What `Errands` promises, on any store. Every test has a queue of its own: workers take from all tenants. */
export const errandsSuite = (name: string, store: StoreLayer): void => {
  const scene = (title: string, test: () => Effect.Effect<void, unknown, Errands>) =>
    layer(Layer.fresh(store))(`Errands on ${name}`, (it) => it.effect(title, test))

  fairQueueSuite(`Errands on ${name}`, store, {
    queue: (tenantId, number, dueAt) =>
      Effect.flatMap(Errands, (errands) => errands.put(errandRecord(tenantId, number, { dueAt: noon + dueAt }))),
    claim: (limit, now, leaseUntil) =>
      Effect.map(
        Effect.flatMap(Errands, (errands) => errands.claim(limit, noon + now, noon + leaseUntil)),
        (taken) => taken.map(({ errandId, tenantId }) => ({ tenantId, number: Number(errandId.slice(6)) }))
      )
  })

  scene("keeps an errand once under its id, and hands it out with its attempt", () =>
    Effect.gen(function* () {
      const errands = yield* Errands
      const [one, other] = [freshTenant(), freshTenant()]
      const errand = errandRecord(one, 1)
      yield* errands.put(errand)
      yield* errands.put({ ...errand, dueAt: noon + 9, errand: { kind: "revoke", providerGrantId: "p" } })
      yield* errands.put(errandRecord(other, 1, { dueAt: noon + 50 }))
      assert.strictEqual(yield* errands.backlog, 2)
      const taken = yield* errands.claim(9, noon + 10, noon + 40)
      assert.deepStrictEqual(taken, [{ ...errand, attempts: 1, dueAt: noon + 40 }])
      assert.deepStrictEqual(yield* errands.claim(9, noon + 39, noon + 90), [])
    })
  )

  scene("counts those of a tenant whose ids begin alike, also while somebody does them", () =>
    Effect.gen(function* () {
      const errands = yield* Errands
      const [one, other] = [freshTenant(), freshTenant()]
      for (const errandId of ["a:b", "a:b:1", "a:b:2é", "a:b;1", "a:", "A:b:1"])
        yield* errands.put({ ...errandRecord(one, 1), errandId })
      yield* errands.put({ ...errandRecord(other, 1), errandId: "a:b:3" })
      yield* errands.claim(2, noon + 10, noon + 40)
      assert.strictEqual(yield* errands.waiting(one, "a:b:"), 2)
      assert.strictEqual(yield* errands.waiting(one, "a:b:1"), 1)
      assert.strictEqual(yield* errands.waiting(one, "a:"), 5)
      assert.strictEqual(yield* errands.waiting(other, "b"), 0)
    })
  )

  scene("does an errand once more that is asked for again while somebody does it", () =>
    Effect.gen(function* () {
      const errands = yield* Errands
      const errand = errandRecord(freshTenant(), 1)
      yield* errands.renew(errand)
      const [first] = yield* errands.claim(1, noon + 10, noon + 40)
      yield* errands.renew(errand)
      assert.isFalse(yield* errands.finish(first ?? assert.fail()))
      assert.deepStrictEqual(yield* errands.claim(1, noon + 39, noon + 90), [])
      yield* errands.hurry(errand.tenantId, errand.errandId, noon + 20)
      const [second] = yield* errands.claim(1, noon + 20, noon + 60)
      assert.deepStrictEqual(second, { ...errand, attempts: 3, dueAt: noon + 60 })
      assert.isTrue(yield* errands.finish(second ?? assert.fail()))
    })
  )

  scene("lets only the attempt that holds an errand end it or put it off", () =>
    Effect.gen(function* () {
      const errands = yield* Errands
      const tenantId = freshTenant()
      yield* errands.put(errandRecord(tenantId, 1))
      const [old] = yield* errands.claim(1, noon + 10, noon + 20)
      const [held] = yield* errands.claim(1, noon + 20, noon + 30)
      const [mine, stale] = [held ?? assert.fail(), old ?? assert.fail()]
      assert.isFalse(yield* errands.finish(stale))
      assert.isFalse(yield* errands.release(stale, noon, stale.errand, "late"))
      const next = { kind: "catch_up", grantId: idOf("grant", 1), since: noon, page: null } as const
      assert.isTrue(yield* errands.release(mine, noon + 100, next, "away"))
      assert.deepStrictEqual(yield* errands.claim(1, noon + 99, noon + 130), [])
      yield* errands.hurry(tenantId, mine.errandId, noon + 90)
      yield* errands.hurry(tenantId, "nothing", noon)
      const [third] = yield* errands.claim(1, noon + 90, noon + 130)
      assert.deepStrictEqual([third?.attempts, third?.reason, third?.errand], [3, "away", next])
      assert.isTrue(yield* errands.finish(third ?? assert.fail()))
      assert.isFalse(yield* errands.finish(third ?? assert.fail()))
      assert.strictEqual(yield* errands.backlog, 0)
    })
  )
}

/** What `SignIns` promises, on any store. */
export const signInsSuite = (name: string, store: StoreLayer): void => {
  layer(store)(`SignIns on ${name}`, (it) => {
    it.effect("ends a sign-in once, for the one who began it, in its tenant and in time", () =>
      Effect.gen(function* () {
        const signIns = yield* SignIns
        const [one, other] = [freshTenant(), freshTenant()]
        const signIn = { tenantId: one, stateHash: "hash", principal: "user:jo" }
        yield* signIns.begin({ ...signIn, expiresAt: noon + 10 }, noon)
        assert.isFalse(yield* signIns.end({ ...signIn, principal: "user:sam" }, noon))
        assert.isFalse(yield* signIns.end({ ...signIn, stateHash: "other" }, noon))
        assert.isFalse(yield* signIns.end({ ...signIn, tenantId: other }, noon))
        assert.isFalse(yield* signIns.end(signIn, noon + 10))
        assert.isTrue(yield* signIns.end(signIn, noon + 9))
        assert.isFalse(yield* signIns.end(signIn, noon + 9))
      })
    )
    it.effect("forgets what has expired, of this tenant", () =>
      Effect.gen(function* () {
        const signIns = yield* SignIns
        const [one, other] = [freshTenant(), freshTenant()]
        const signIn = { stateHash: "hash", principal: "admin" }
        yield* signIns.begin({ ...signIn, tenantId: one, expiresAt: noon + 10 }, noon)
        yield* signIns.begin({ ...signIn, tenantId: other, expiresAt: noon + 10 }, noon)
        yield* signIns.begin({ ...signIn, tenantId: one, stateHash: "next", expiresAt: noon + 99 }, noon + 10)
        assert.isFalse(yield* signIns.end({ ...signIn, tenantId: one }, noon))
        assert.isTrue(yield* signIns.end({ ...signIn, tenantId: other }, noon))
        yield* signIns.begin({ ...signIn, tenantId: one, expiresAt: noon + 99 }, noon + 11)
      })
    )
  })
}
