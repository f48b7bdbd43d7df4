import { assert, layer } from "@effect/vitest"
import { Holdings } from "@leadloom/core/port/Holdings"
import { Subscriptions } from "@leadloom/core/port/Subscriptions"
import { signDelivery, signStandardWebhook } from "@leadloom/core/webhook/Signing"
import { exampleData } from "@leadloom/core/webhook/ExampleData"
import { fanOut } from "@leadloom/core/webhook/FanOut"
import { Events } from "@leadloom/core/port/Events"
import { recoverDeliveries } from "@leadloom/core/webhook/RecoverDeliveries"
import { redeliver } from "@leadloom/core/webhook/Redeliver"
import { rotateSecret } from "@leadloom/core/webhook/RotateSecret"
import type { DeliveryMode } from "@leadloom/core/webhook/Schedule"
import { sendTestEvent } from "@leadloom/core/webhook/SendTestEvent"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { freshTenant } from "../port/Records.ts"
import { deliverAll, here, pass, receivers, tenantWorld } from "./WebhookWorld.ts"
import { openTenant, type Store, type StoreLayer } from "./World.ts"

type World = ReturnType<typeof tenantWorld>
type Receivers = ReturnType<typeof receivers>

/** `from` to `to`, both included. */
const range = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** A suite whose tests have a tenant each and leave nothing behind that the next one would deliver. */
const scenes = (title: string, store: StoreLayer, write: (scene: Scene) => void): void =>
  layer(store)(title, (it) => {
    write((what, test, mode = "durable") =>
      it.effect(what, () => {
        const world = tenantWorld(freshTenant())
        const told = receivers(mode)
        return Effect.andThen(openTenant(world.tenantId), test(world, told)).pipe(
          Effect.ensuring(Effect.orDie(world.leave)),
          Effect.provide(told.layer)
        )
      })
    )
  })

type Services = Store | Layer.Success<Receivers["layer"]>
type Scene = (
  what: string,
  test: (world: World, told: Receivers) => Effect.Effect<void, unknown, Services>,
  mode?: DeliveryMode
) => void

/** What the delivery of outbound events to receivers in good health promises, on any store. */
export const webhookSuite = (name: string, store: StoreLayer): void =>
  scenes(`Webhooks on ${name}`, store, (scene) => {
    scene(
      "every event from the subscription on arrives once, in order, signed, with the envelope",
      ({ happen, subscribe }, told) =>
        Effect.gen(function* () {
          yield* happen(2)
          const { secret } = yield* subscribe()
          yield* happen(300)
          yield* deliverAll
          const [first] = told.got
          const sequences = told.got.map(({ sequence }) => sequence)
          assert.deepStrictEqual(sequences, [...range(3, 302)])
          if (first === undefined) return assert.fail()
          const body: unknown = JSON.parse(first.body)
          assert.deepStrictEqual(Object.keys(Object(body)), [
            "event_id",
            "event_type",
            "tenant_id",
            "timestamp",
            "data"
          ])
          const { headers } = first
          const timestamp = Number(headers["x-webhook-timestamp"])
          assert.strictEqual(headers["x-webhook-signature"], signDelivery(secret, timestamp, first.body))
          const id = headers["webhook-id"] ?? ""
          assert.strictEqual(headers["webhook-signature"], signStandardWebhook(secret, id, timestamp, first.body))
          assert.strictEqual(headers["x-webhook-event"], "contact.updated")
          assert.match(headers["x-webhook-delivery"] ?? "", /^dlv_[0-9a-z]{26}$/u)
          assert.strictEqual(new Set(told.got.map((one) => one.headers["x-webhook-delivery"])).size, 300)
          told.taken(here)
          yield* deliverAll
          assert.deepStrictEqual(told.taken(here), [])
        })
    )
    scene("a subscription is told of what it asks for, and one in flight of what others wait for", (world, told) =>
      Effect.gen(function* () {
        const [some, all] = ["https://some.example/", "https://all.example/"]
        yield* world.subscribe({ url: some, events: ["contact.created"] })
        yield* world.subscribe({ url: all, maxInFlight: 4 })
        for (let round = 0; round < 3; round++) {
          yield* world.happen(50)
          yield* world.happen(1, "contact.created")
        }
        yield* deliverAll
        assert.deepStrictEqual(told.taken(some), [51, 102, 153])
        assert.deepStrictEqual(
          told.taken(all).toSorted((one, other) => one - other),
          range(1, 153)
        )
      })
    )
    scene("deliveries are listed with their attempts, the newest event first, page by page", (world, told) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe()
        told.answer(here, ({ sequence }) => (sequence === 3 && told.got.length === 3 ? 500 : 200))
        yield* world.happen(5)
        yield* deliverAll
        yield* pass(1)
        const deliveries = yield* world.deliveries(webhookId)
        assert.deepStrictEqual(
          deliveries.map(({ attempts, sequence, status }) => [sequence, status, attempts.map((one) => one.status)]),
          [
            [5, "delivered", [200]],
            [4, "delivered", [200]],
            [3, "delivered", [500, 200]],
            [2, "delivered", [200]],
            [1, "delivered", [200]]
          ]
        )
        assert.deepStrictEqual(deliveries[2]?.attempts[0]?.response, "no thanks")
        assert.deepStrictEqual(told.taken(here), [1, 2, 3, 3, 4, 5])
      })
    )
    scene("a test event is signed, tells what came of it, and counts for nothing", (world, told) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe({ events: ["lead.scored"] })
        told.answer(here, () => 500)
        const { attempt, event } = yield* sendTestEvent(world.tenantId, webhookId, null)
        assert.deepStrictEqual(
          [attempt.status, event.type, event.data],
          [500, "lead.scored", exampleData["lead.scored"]]
        )
        const after = yield* world.get(webhookId)
        assert.deepStrictEqual([after.consecutiveFailures, after.lastFailureAt], [0, null])
        assert.deepStrictEqual(yield* world.deliveries(webhookId), [])
        assert.deepStrictEqual((yield* (yield* Events).range(world.tenantId)).last, 0)
      })
    )
    scene("after a rotation both secrets sign for 24 hours, the new one first", (world, told) =>
      Effect.gen(function* () {
        const { secret: old, webhookId } = yield* world.subscribe()
        const { secret } = yield* rotateSecret(world.tenantId, webhookId)
        yield* world.happen(1)
        yield* deliverAll
        const { body = "", headers = {} } = told.got[0] ?? {}
        const [id, time] = [headers["webhook-id"] ?? "", Number(headers["webhook-timestamp"])]
        assert.strictEqual(headers["x-webhook-signature"], signDelivery(secret, time, body))
        assert.strictEqual(headers["x-webhook-signature-previous"], signDelivery(old, time, body))
        const both = [secret, old].map((key) => signStandardWebhook(key, id, time, body))
        assert.deepStrictEqual(headers["webhook-signature"]?.split(" "), both)
        yield* TestClock.adjust("24 hours")
        yield* world.happen(1)
        yield* deliverAll
        assert.notProperty(told.got[1]?.headers, "x-webhook-signature-previous")
        assert.notInclude(told.got[1]?.headers["webhook-signature"], " ")
      })
    )
    scene("an event of an erased contact goes out empty, and what receivers said of it goes", (world, told) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe()
        told.answer(here, () => ({ status: 500, headers: {}, body: "jo@customer.example is not known" }))
        yield* world.happen(1)
        yield* deliverAll
        const contactId = String(exampleData["contact.updated"]["contact_id"])
        assert.strictEqual(yield* (yield* Holdings).redactEvents(world.tenantId, contactId, 10), 1)
        assert.deepStrictEqual((yield* world.deliveries(webhookId))[0]?.attempts, [])
        told.answer(here, () => 200)
        yield* pass(1)
        assert.deepStrictEqual(Object(JSON.parse(told.got.at(-1)?.body ?? "")).data, { redacted: true })
      })
    )
    scene(
      "the helper makes one attempt per matching active subscription, and the tenth failure in a row pauses",
      (world, told) =>
        Effect.gen(function* () {
          const [good, bad] = ["https://good.example/", "https://bad.example/"]
          yield* world.subscribe({ url: good })
          const { webhookId } = yield* world.subscribe({ url: bad })
          yield* world.subscribe({ url: "https://other.example/", events: ["lead.scored"] })
          told.answer(bad, () => 302)
          yield* world.happen(12)
          for (const sequenced of yield* (yield* Events).after(world.tenantId, 0, 9)) yield* fanOut(sequenced)
          assert.strictEqual((yield* world.get(webhookId)).consecutiveFailures, 9)
          const [tenth, ...others] = yield* (yield* Events).after(world.tenantId, 9, 3)
          if (tenth !== undefined) yield* fanOut(tenth)
          assert.deepStrictEqual((yield* world.get(webhookId)).status, "paused")
          for (const sequenced of others) yield* fanOut(sequenced)
          assert.deepStrictEqual(told.taken(bad), range(1, 10))
          assert.deepStrictEqual(told.taken(good), range(1, 12))
          assert.deepStrictEqual(told.got, [])
        }),
      "off"
    )
  })

/** What it promises to receivers that fail, on any store. */
export const webhookFailureSuite = (name: string, store: StoreLayer): void =>
  scenes(`Failing webhooks on ${name}`, store, (scene) => {
    scene("what fails is tried again by the schedule, with a fresh timestamp and the same ids", (world, told) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe()
        told.answer(here, ({ sequence }) => (sequence === 1 ? 500 : 200))
        yield* world.happen(1)
        const at: Array<number> = []
        for (let minute = 0; minute < 22 * 60; minute += 2) {
          yield* deliverAll
          const now = yield* Clock.currentTimeMillis
          while (at.length < told.got.length) at.push(now)
          yield* TestClock.adjust("2 minutes")
        }
        const waits = at.slice(1).map((time, index) => (time - (at[index] ?? 0)) / 60_000)
        const expected = [2, 5, 30, 120, 300, 600]
        assert.strictEqual(waits.length, expected.length)
        for (const [index, wait] of waits.entries()) {
          assert.isAtLeast(wait, (expected[index] ?? 0) * 0.8)
          assert.isAtMost(wait, (expected[index] ?? 0) * 1.2 + 2)
        }
        const headers = told.got.map((one) => one.headers)
        assert.strictEqual(new Set(headers.map((one) => one["x-webhook-delivery"])).size, 1)
        assert.strictEqual(new Set(headers.map((one) => one["webhook-id"])).size, 1)
        assert.strictEqual(new Set(headers.map((one) => one["x-webhook-timestamp"])).size, 7)
        const [delivery] = yield* world.deliveries(webhookId, "failed")
        assert.strictEqual(delivery?.attempts.length, 7)
      })
    )
    scene("a failing event holds back the others for two waits, then lets them pass", (world, told) =>
      Effect.gen(function* () {
        yield* world.subscribe()
        told.answer(here, ({ sequence }) => (sequence === 2 ? 400 : 200))
        yield* world.happen(4)
        yield* deliverAll
        assert.deepStrictEqual(told.taken(here), [1, 2])
        yield* TestClock.adjust("7 seconds")
        yield* deliverAll
        assert.deepStrictEqual(told.taken(here), [2])
        yield* pass(7)
        assert.deepStrictEqual(told.taken(here), [2, 3, 4])
        yield* pass(40)
        assert.deepStrictEqual(told.taken(here), [2])
      })
    )
    scene("where several are in flight nothing holds back anything", (world, told) =>
      Effect.gen(function* () {
        yield* world.subscribe({ maxInFlight: 2 })
        told.answer(here, ({ sequence }) => (sequence === 2 ? 400 : 200))
        yield* world.happen(5)
        yield* deliverAll
        assert.deepStrictEqual(told.taken(here).toSorted(), [1, 2, 3, 4, 5])
        yield* pass(1)
        assert.deepStrictEqual(told.taken(here), [2])
      })
    )
    scene(
      "ten failures in a row pause; a probe finds the receiver back, and everything follows in order",
      (world, told) =>
        Effect.gen(function* () {
          const { webhookId } = yield* world.subscribe()
          told.answer(here, () => "dead")
          yield* world.happen(250)
          yield* pass(30)
          const paused = yield* world.get(webhookId)
          assert.deepStrictEqual([paused.status, paused.inactiveReason], ["paused", "failures"])
          const early = told.taken(here)
          assert.deepStrictEqual(new Set(early.slice(0, 10)), new Set([1, 2, 3, 4]))
          // From then on only the oldest is tried, every three minutes or so.
          assert.deepStrictEqual(new Set(early.slice(10)), new Set([1]))
          assert.isAtLeast(early.length, 12)
          assert.isAtMost(early.length, 18)
          yield* world.happen(10)
          yield* pass(120, 4)
          assert.deepStrictEqual(new Set(told.taken(here)), new Set([1]))
          told.answer(here, () => 200)
          yield* pass(5)
          assert.deepStrictEqual(told.taken(here), range(1, 260))
          assert.deepStrictEqual((yield* world.get(webhookId)).status, "active")
          assert.deepStrictEqual(yield* world.deliveries(webhookId, "pending"), [])
          assert.strictEqual((yield* world.deliveries(webhookId, "delivered")).length, 100)
        })
    )
    scene("a success between failures resets their count", (world, told) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe({ maxInFlight: 3 })
        told.answer(here, ({ sequence }) => (sequence % 10 === 0 ? 200 : 500))
        yield* world.happen(40)
        yield* deliverAll
        const after = yield* world.get(webhookId)
        assert.deepStrictEqual([after.status, after.consecutiveFailures], ["active", 0])
        told.answer(here, () => 500)
        yield* world.happen(20)
        yield* deliverAll
        const paused = yield* world.get(webhookId)
        assert.strictEqual(paused.status, "paused")
        assert.isAtLeast(paused.consecutiveFailures, 10)
        assert.isAtMost(told.got.length, 52)
      })
    )
    scene(
      "who has paused a subscription is left alone until it is active again, and then gets what it missed",
      (world, told) =>
        Effect.gen(function* () {
          const { webhookId } = yield* world.subscribe()
          yield* world.change(webhookId, { status: "paused" })
          yield* world.happen(3)
          yield* pass(60, 10)
          assert.deepStrictEqual(told.taken(here), [])
          yield* world.change(webhookId, { status: "active" })
          yield* deliverAll
          assert.deepStrictEqual(told.taken(here), [1, 2, 3])
        })
    )
    scene("a disabled subscription begins anew with what happens after it is active", (world, told) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe()
        told.answer(here, () => 410)
        yield* world.happen(3)
        yield* pass(60, 10)
        assert.deepStrictEqual(told.taken(here), [1])
        const gone = yield* world.get(webhookId)
        assert.deepStrictEqual([gone.status, gone.inactiveReason], ["disabled", "gone"])
        told.answer(here, () => 200)
        yield* world.change(webhookId, { status: "active" })
        yield* world.happen(1)
        yield* pass(60, 10)
        assert.deepStrictEqual(told.taken(here), [4])
        assert.strictEqual(yield* recoverDeliveries(world.tenantId, webhookId, yield* Clock.currentTimeMillis), 0)
        const since = (yield* Clock.currentTimeMillis) - 86_400_000
        assert.strictEqual(yield* recoverDeliveries(world.tenantId, webhookId, since), 1)
        yield* deliverAll
        assert.deepStrictEqual(told.taken(here), [1])
        const tooEarly = yield* Effect.flip(recoverDeliveries(world.tenantId, webhookId, since - 14 * 86_400_000))
        assert.strictEqual(tooEarly._tag, "SubscriptionInvalid")
      })
    )
    scene("Retry-After counts between one and two times the wait, and 429 waits a minute at least", (world, told) =>
      Effect.gen(function* () {
        yield* world.subscribe()
        yield* world.subscribe({ url: "https://busy.example/" })
        told.answer(here, () => ({ status: 503, headers: { "retry-after": "3600" } }))
        told.answer("https://busy.example/", () => 429)
        yield* world.happen(1)
        yield* deliverAll
        yield* TestClock.adjust("9 seconds")
        yield* deliverAll
        assert.deepStrictEqual(told.got.length, 2)
        yield* TestClock.adjust("2 seconds")
        yield* deliverAll
        assert.deepStrictEqual(told.taken(here), [1, 1])
        yield* TestClock.adjust("48 seconds")
        yield* deliverAll
        assert.deepStrictEqual(told.taken("https://busy.example/"), [1])
        yield* TestClock.adjust("2 seconds")
        yield* deliverAll
        assert.deepStrictEqual(told.taken("https://busy.example/"), [1])
      })
    )
    scene("an event is redelivered by hand under the same ids, whatever became of it, and counts", (world, told) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe()
        yield* world.happen(2)
        yield* deliverAll
        const [, oldest] = yield* world.deliveries(webhookId)
        const deliveryId = oldest?.deliveryId ?? assert.fail()
        told.answer(here, () => 500)
        const again = yield* redeliver(world.tenantId, webhookId, deliveryId)
        assert.deepStrictEqual([again.status, again.attempts.map(({ status }) => status)], ["delivered", [204, 500]])
        assert.strictEqual((yield* world.get(webhookId)).consecutiveFailures, 1)
        assert.strictEqual(told.got.at(-1)?.headers["x-webhook-delivery"], deliveryId)
        assert.strictEqual(told.got[0]?.headers["x-webhook-delivery"], deliveryId)
        yield* pass(60, 10)
        assert.strictEqual(told.got.length, 3)
        const { webhookId: other } = yield* world.subscribe()
        const missing = yield* Effect.flip(redeliver(world.tenantId, other, deliveryId))
        assert.strictEqual(missing._tag, "DeliveryNotFound")
      })
    )
    scene("a worker whose lease is over writes nothing down: who has the subscription now does", (world, told) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe()
        const subscriptions = yield* Subscriptions
        yield* world.happen(1)
        const now = yield* Clock.currentTimeMillis
        const claim = { limit: 9, ailing: 9, leaseUntil: now + 1_000 }
        assert.strictEqual((yield* subscriptions.claim({ ...claim, now, lease: "one" })).length, 1)
        assert.strictEqual((yield* subscriptions.claim({ ...claim, now, lease: "other" })).length, 0)
        yield* deliverAll
        assert.deepStrictEqual(told.taken(here), [])
        yield* TestClock.adjust("1 second")
        yield* deliverAll
        assert.deepStrictEqual(told.taken(here), [1])
        const held = { tenantId: world.tenantId, webhookId }
        assert.isNull(yield* subscriptions.renew(yield* world.get(webhookId), "one", now + 9_000))
        assert.strictEqual(held.webhookId, webhookId)
      })
    )
    scene(
      "delivered once, what fails has failed, and a pause leaves out what happens meanwhile",
      (world, told) =>
        Effect.gen(function* () {
          const { webhookId } = yield* world.subscribe()
          told.answer(here, ({ sequence }) => (sequence <= 12 ? 500 : 200))
          yield* world.happen(15)
          yield* pass(120, 10)
          assert.deepStrictEqual(told.taken(here), range(1, 10))
          assert.strictEqual((yield* world.get(webhookId)).status, "paused")
          assert.strictEqual((yield* world.deliveries(webhookId, "failed")).length, 10)
          yield* world.change(webhookId, { status: "active" })
          yield* world.happen(1)
          yield* pass(120, 10)
          assert.deepStrictEqual(told.taken(here), [16])
        }),
      "once"
    )
  })
