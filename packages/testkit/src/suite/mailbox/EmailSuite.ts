/**
 * Suites of connected email accounts: grants, sends, sign-ins, hosted mail and jobs. The workflow of sending belongs in
 * `suite/sending`.
 */
import { assert, layer } from "@effect/vitest"
import type { Reservation } from "@leadloom/core/internal/domain/sending/Reservation"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Sends } from "@leadloom/core/internal/port/repository/conversation/Sends"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { StoreLayer } from "../StoreLayer.ts"
import { fairQueueSuite } from "../pipeline/FairQueueSuite.ts"
import { freshTenant, grantRecord, idOf, messageRecord, noon, sendRecord, tenantRecord } from "../Records.ts"

/** Tests the port `Grants` on a store. */
export const grantsSuite = (name: string, store: StoreLayer): void => {
  layer(store)(`Grants on ${name}`, (it) => {
    it.effect("keeps one connection per tenant and returns it as stored", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const [one, other] = [freshTenant(), freshTenant()]
        assert.isNull(yield* grants.current(one))
        yield* grants.insert(grantRecord(one, 1))
        yield* grants.insert(grantRecord(other, 1, { aliases: [], signature: null, name: null }))
        const second = yield* Effect.flip(grants.insert(grantRecord(one, 2, { email: "b@mueller.example" })))
        assert.isTrue(second._tag === "ConnectionExists" && second.email === `sales@${one}.example`)
        assert.deepStrictEqual(yield* grants.current(one), grantRecord(one, 1))
        assert.deepStrictEqual(
          yield* grants.current(other),
          grantRecord(other, 1, { aliases: [], signature: null, name: null })
        )
      })
    )
    it.effect("updates and removes only the connection with this id", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const [one, other] = [freshTenant(), freshTenant()]
        yield* grants.insert(grantRecord(one, 1))
        const expired = grantRecord(one, 1, { status: "expired", updatedAt: noon + 1 })
        yield* grants.update(expired)
        assert.deepStrictEqual(yield* grants.current(one), expired)
        for (const failing of [
          grants.update(grantRecord(one, 2)),
          grants.update(grantRecord(other, 1)),
          grants.remove(one, idOf("grant", 2)),
          grants.remove(other, idOf("grant", 1))
        ]) {
          assert.strictEqual((yield* Effect.flip(failing))._tag, "GrantNotFound")
        }
        yield* grants.remove(one, idOf("grant", 1))
        assert.isNull(yield* grants.current(one))
        yield* grants.insert(grantRecord(one, 3))
      })
    )
    it.effect("finds the tenant of a mailbox, in any spelling", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const one = freshTenant()
        const [own, alias, free] = [`${one}@bücher.example`, `alias-${one}@a.example`, `free-${one}@a.example`]
        const grant = grantRecord(one, 1, { email: own, aliases: [alias] })
        yield* grants.insert(grant)
        for (const spelled of [own, `${one.toUpperCase()}+Tag@xn--bcher-kva.EXAMPLE`, alias]) {
          assert.strictEqual(yield* grants.holder(spelled), one)
        }
        assert.isNull(yield* grants.holder(free))
        yield* grants.update({ ...grant, aliases: [free], status: "expired" })
        assert.deepStrictEqual(yield* grants.current(one), { ...grant, status: "expired" })
        yield* grants.setAliases({ ...grant, aliases: [free, `${one}+x@bücher.example`] })
        assert.deepStrictEqual([yield* grants.holder(alias), yield* grants.holder(free)], [null, one])
        yield* Effect.flip(grants.setAliases(grantRecord(one, 9, { aliases: [alias] })))
        yield* Effect.flip(grants.remove(one, idOf("grant", 9)))
        assert.deepStrictEqual([yield* grants.holder(alias), yield* grants.holder(own)], [null, one])
        yield* grants.remove(one, grant.grantId)
        assert.deepStrictEqual([yield* grants.holder(free), yield* grants.holder(own)], [null, null])
      })
    )
    it.effect("connects a mailbox to one tenant", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const [one, other] = [freshTenant(), freshTenant()]
        const [own, alias] = [`${one}@a.example`, `alias-${one}@a.example`]
        yield* grants.insert(grantRecord(one, 1, { email: own, aliases: [alias] }))
        const claims = [
          { email: own },
          { email: `${own.toUpperCase()}` },
          { email: `free-${own}`, aliases: [`alias-${one}+tag@a.example`] }
        ].map((claim) => grantRecord(other, 1, { aliases: [], ...claim }))
        for (const claim of claims) {
          const refused = yield* Effect.flip(grants.insert(claim))
          const [taken] = [...claim.aliases, claim.email]
          assert.deepInclude(refused, { _tag: "AddressTaken", addresses: [taken] })
        }
        assert.isNull(yield* grants.current(other))
        const theirs = grantRecord(other, 1, { email: `free-${own}`, aliases: [] })
        yield* grants.insert(theirs)
        const refused = yield* Effect.flip(grants.setAliases({ ...theirs, aliases: [alias, `new-${own}`] }))
        assert.deepInclude(refused, { _tag: "AddressTaken", addresses: [alias] })
        assert.isNull(yield* grants.holder(`new-${own}`))
        yield* grants.remove(one, idOf("grant", 1))
        yield* grants.setAliases({ ...theirs, aliases: [alias] })
        assert.strictEqual(yield* grants.holder(alias), other)
      })
    )
    it.effect("reserves addresses on a tenant's domain for that tenant", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const tenants = yield* Tenants
        const [one, other, third] = [freshTenant(), freshTenant(), freshTenant()]
        yield* tenants.insert(tenantRecord(one))
        yield* tenants.insert(tenantRecord(other))
        const below = grantRecord(other, 1, { email: `sales@shop.${one}.example`, aliases: [] })
        assert.strictEqual((yield* Effect.flip(grants.insert(below)))._tag, "AddressTaken")
        yield* grants.insert(grantRecord(one, 1))
        const nested = tenantRecord(third, { domain: `shop.${one}.example` })
        yield* tenants.insert(nested)
        const lost = grantRecord(one, 1, { aliases: [`info@shop.${one}.example`] })
        assert.strictEqual((yield* Effect.flip(grants.setAliases(lost)))._tag, "AddressTaken")
        yield* grants.insert(grantRecord(third, 1, { email: `sales@shop.${one}.example`, aliases: [] }))
        yield* tenants.archive(one, noon)
        assert.isNull(yield* grants.holder(`sales@${one}.example`))
        yield* grants.insert(grantRecord(other, 1, { email: `sales@${one}.example`, aliases: [] }))
        assert.strictEqual(yield* grants.holder(`sales@${one}.example`), other)
      })
    )
  })
}

/** Tests the port `Sends` on a store. Each test has its own store, because workers claim from all tenants. */
export const sendsSuite = (name: string, store: StoreLayer): void => {
  const scene = (title: string, test: () => Effect.Effect<void, unknown, Messages | Sends | Transactions>) =>
    layer(Layer.fresh(store))(`Sends on ${name}`, (it) => it.effect(title, test))

  fairQueueSuite(`Sends on ${name}`, store, {
    queue: (tenantId, number, dueAt) =>
      Effect.flatMap(Sends, (sends) => sends.reserve(sendRecord(tenantId, number, { dueAt: noon + dueAt }))),
    claim: (limit, now, leaseUntil) =>
      Effect.map(
        Effect.flatMap(Sends, (sends) => sends.claim(limit, noon + now, noon + leaseUntil)),
        (taken) => taken.map(({ messageId, tenantId }) => ({ tenantId, number: Number(messageId.slice(4)) }))
      )
  })

  scene("returns a send by its message and by its key", () =>
    Effect.gen(function* () {
      const sends = yield* Sends
      const [one, other] = [freshTenant(), freshTenant()]
      const send = sendRecord(one, 1, { leadId: idOf("lead", 1), reason: "why" })
      yield* sends.reserve(send)
      assert.deepStrictEqual(yield* sends.find(one, send.messageId), send)
      assert.deepStrictEqual(yield* sends.findByKey(one, send.key), send)
      assert.isNull(yield* sends.find(other, send.messageId))
      assert.isNull(yield* sends.findByKey(other, send.key))
      yield* sends.retireKey(one, send.messageId)
      assert.isNull(yield* sends.findByKey(one, send.key))
      yield* sends.reserve(sendRecord(one, 2, { key: send.key }))
    })
  )

  scene("returns the newest slots of the tenant", () =>
    Effect.gen(function* () {
      const sends = yield* Sends
      const [one, other] = [freshTenant(), freshTenant()]
      yield* Effect.forEach([3, 1, 2], (number) => sends.reserve(sendRecord(one, number)))
      yield* sends.reserve(sendRecord(other, 9))
      assert.deepStrictEqual(yield* sends.slots(one, noon, 2), [noon + 3, noon + 2])
      assert.deepStrictEqual(yield* sends.slots(one, noon + 2, 9), [noon + 3])
    })
  )

  scene("returns due sends once with their attempt, and marks those of a crashed server", () =>
    Effect.gen(function* () {
      const sends = yield* Sends
      const [one, other] = [freshTenant(), freshTenant()]
      yield* sends.reserve(sendRecord(one, 1))
      yield* sends.reserve(sendRecord(other, 2))
      yield* sends.reserve(sendRecord(one, 3, { dueAt: noon + 500 }))
      assert.strictEqual(yield* sends.backlog, 3)
      const [first, second] = yield* sends.claim(9, noon + 10, noon + 40)
      assert.deepStrictEqual(first, sendRecord(one, 1, { attempts: 1, dueAt: noon + 40 }))
      assert.deepStrictEqual(second, sendRecord(other, 2, { attempts: 1, dueAt: noon + 40 }))
      assert.deepStrictEqual(yield* sends.claim(9, noon + 39, noon + 90), [])
      assert.isTrue(yield* sends.handOver(first ?? assert.fail(), noon + 60))
      assert.isFalse(yield* sends.handOver(first ?? assert.fail(), noon + 60))
      const again = yield* sends.claim(1, noon + 59, noon + 90)
      assert.deepStrictEqual(again, [sendRecord(other, 2, { attempts: 2, dueAt: noon + 90 })])
      const lost = yield* sends.claim(1, noon + 60, noon + 90)
      assert.deepStrictEqual(lost, [sendRecord(one, 1, { state: "handed_over", attempts: 1, dueAt: noon + 90 })])
    })
  )

  scene("returns at most the requested number, longest due first, including those of a crashed server", () =>
    Effect.gen(function* () {
      const sends = yield* Sends
      const tenantId = freshTenant()
      yield* Effect.forEach([1, 2, 3, 4], (number) =>
        sends.reserve(sendRecord(tenantId, number, { dueAt: noon - number }))
      )
      const [first] = yield* sends.claim(1, noon, noon + 10)
      assert.isTrue(yield* sends.handOver(first ?? assert.fail(), noon + 10))
      const taken = (claimed: ReadonlyArray<Reservation>) =>
        claimed.map(({ attempts, messageId, state }) => [messageId, state, attempts])
      assert.deepStrictEqual(taken(yield* sends.claim(2, noon + 10, noon + 99)), [
        [idOf("msg", 2), "reserved", 1],
        [idOf("msg", 3), "reserved", 1]
      ])
      assert.deepStrictEqual(taken(yield* sends.claim(9, noon + 10, noon + 99)), [
        [idOf("msg", 1), "reserved", 1],
        [idOf("msg", 4), "handed_over", 1]
      ])
    })
  )

  scene("allows changes only for the current attempt, and ends a send once", () =>
    Effect.gen(function* () {
      const sends = yield* Sends
      const tenantId = freshTenant()
      yield* sends.reserve(sendRecord(tenantId, 1))
      const [old] = yield* sends.claim(1, noon + 10, noon + 20)
      const [held] = yield* sends.claim(1, noon + 20, noon + 30)
      const [mine, stale] = [held ?? assert.fail(), old ?? assert.fail()]
      assert.isFalse(yield* sends.handOver(stale, noon + 90))
      assert.isFalse(yield* sends.release(stale, noon, "late"))
      assert.isFalse(yield* sends.settle(stale, "failed", "late", noon))
      assert.isFalse(yield* sends.settle(mine, "unknown", "never handed over", noon))
      assert.isTrue(yield* sends.handOver(mine, noon + 90))
      assert.isTrue(yield* sends.release(mine, noon + 100, "the relay is away"))
      const [third] = yield* sends.claim(1, noon + 100, noon + 130)
      assert.deepStrictEqual([third?.attempts, third?.reason], [3, "the relay is away"])
      const last = third ?? assert.fail()
      yield* sends.handOver(last, noon + 130)
      assert.isTrue(yield* sends.settle(last, "unknown", "nobody knows", noon + 131))
      assert.isFalse(yield* sends.settle(last, "unknown", "again", noon + 132))
      assert.isFalse(yield* sends.release(last, noon, "too late"))
      assert.isTrue(yield* sends.settle(last, "confirmed", "heard late", noon + 133))
      assert.isFalse(yield* sends.settle(last, "failed", "no", noon + 134))
      const ended: Reservation | null = yield* sends.find(tenantId, last.messageId)
      assert.deepStrictEqual([ended?.state, ended?.reason], ["confirmed", "heard late"])
      assert.deepStrictEqual(yield* sends.claim(9, noon + 9_999, noon + 10_000), [])
      assert.strictEqual(yield* sends.backlog, 0)
    })
  )

  scene("gives every send to exactly one of many concurrent workers", () =>
    Effect.gen(function* () {
      const sends = yield* Sends
      const tenantId = freshTenant()
      yield* Effect.forEach(Array.from({ length: 50 }), (_, number) => sends.reserve(sendRecord(tenantId, number)))
      const claims = yield* Effect.forEach(Array.from({ length: 20 }), () => sends.claim(3, noon + 99, noon + 200), {
        concurrency: "unbounded"
      })
      const ids = claims.flat().map(({ messageId }) => messageId)
      assert.deepStrictEqual([ids.length, new Set(ids).size], [50, 50])
    })
  )

  scene("counts automatic replies of a thread since a person wrote, and of an address since a time", () =>
    Effect.gen(function* () {
      const sends = yield* Sends
      const messages = yield* Messages
      const tenantId = freshTenant()
      const inThread = { threadId: idOf("thr", 1) }
      const actors = ["assistant", "agent", "assistant", "contact", "assistant"] as const
      yield* Effect.forEach(actors, (actor, number) =>
        messages.insert(messageRecord(tenantId, number, { ...inThread, actor }), [])
      )
      yield* messages.insert(messageRecord(tenantId, 9, { threadId: idOf("thr", 2), actor: "assistant" }), [])
      const automatic = { mail: { ...sendRecord(tenantId, 1).mail, automatic: true } }
      yield* Effect.forEach([1, 2, 3], (number) => sends.reserve(sendRecord(tenantId, number, automatic)))
      yield* sends.reserve(sendRecord(tenantId, 4))
      yield* sends.reserve(sendRecord(tenantId, 5, { ...automatic, correspondent: "sam@customer.example" }))
      const counts = yield* sends.replyCounts(tenantId, idOf("thr", 1), "jo@customer.example", noon + 2)
      assert.deepStrictEqual(counts, { inThread: 2, toCorrespondent: 2 })
      const none = yield* sends.replyCounts(freshTenant(), idOf("thr", 1), "jo@customer.example", 0)
      assert.deepStrictEqual(none, { inThread: 0, toCorrespondent: 0 })
    })
  )

  scene("wakes workers for new work, and not for sends of the caller itself", () =>
    Effect.gen(function* () {
      const sends = yield* Sends
      const { atomically } = yield* Transactions
      const tenantId = freshTenant()
      yield* atomically(tenantId, sends.reserve(sendRecord(tenantId, 1)))
      yield* sends.wait(60_000)
      yield* sends.reserve(sendRecord(tenantId, 2, { attempts: 1, dueAt: noon + 99 }))
      const waiting = yield* Effect.forkChild(sends.wait(1_000), { startImmediately: true })
      yield* TestClock.adjust(999)
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust(1)
      yield* Fiber.join(waiting)
    })
  )

  scene("stores the delivery state of a message, and returns the ids of a thread in order", () =>
    Effect.gen(function* () {
      const messages = yield* Messages
      const [one, other] = [freshTenant(), freshTenant()]
      const mail = (number: number, id: string | null) =>
        messageRecord(one, number, { threadId: idOf("thr", 1), internetMessageId: id, timestamp: noon - number })
      yield* messages.insert({ ...mail(1, "c@x"), delivery: "queued" }, [])
      yield* messages.insert(mail(2, "b@x"), [])
      yield* messages.insert(mail(3, null), [])
      yield* messages.insert(mail(4, "a@x"), [])
      yield* messages.setDelivery(other, idOf("msg", 1), "failed")
      assert.strictEqual((yield* messages.find(one, idOf("msg", 1)))?.delivery, "queued")
      yield* messages.setDelivery(one, idOf("msg", 1), "sent")
      assert.strictEqual((yield* messages.find(one, idOf("msg", 1)))?.delivery, "sent")
      assert.isNull((yield* messages.find(one, idOf("msg", 2)))?.delivery)
      assert.deepStrictEqual(yield* messages.idsOfThread(one, idOf("thr", 1), 9), ["a@x", "b@x", "c@x"])
      assert.deepStrictEqual(yield* messages.idsOfThread(one, idOf("thr", 1), 2), ["b@x", "c@x"])
    })
  )
}
