import { DeliveryPolicy } from "@leadloom/core/internal/domain/webhook/Schedule"
import { inMemoryEgress } from "../../memory/Egress.ts"
import { assert, describe } from "@effect/vitest"
import { EgressFailed } from "@leadloom/core/internal/port/system/Egress"
import { Subscriptions } from "@leadloom/core/internal/port/repository/webhook/Subscriptions"
import { recoverDeliveries } from "@leadloom/core/internal/workflow/webhook/RecoverDeliveries"
import { redeliver } from "@leadloom/core/internal/workflow/webhook/Redeliver"
import { deliverDue } from "@leadloom/core/internal/workflow/webhook/WorkDeliveries"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import type { StoreLayer } from "../StoreLayer.ts"
import { deliverAll, here, pass, range, webhookScenesOn } from "./WebhookWorld.ts"
import type { Services } from "../Scene.ts"

/** Tests deliveries to failing receivers on a store. */
export const webhookFailureSuite = (name: string, store: StoreLayer): void => {
  const scene = webhookScenesOn(store)
  describe(`Failing webhooks on ${name}`, () => {
    scene("a failed delivery is retried by the schedule, with a new timestamp and the same ids", (world, receiver) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe()
        receiver.answer(here, ({ sequence }) => (sequence === 1 ? 500 : 200))
        yield* world.happen(1)
        const at: Array<number> = []
        for (let minute = 0; minute < 22 * 60; minute += 2) {
          yield* deliverAll
          const now = yield* Clock.currentTimeMillis
          while (at.length < receiver.got.length) at.push(now)
          yield* TestClock.adjust("2 minutes")
        }
        const waits = at.slice(1).map((time, index) => (time - (at[index] ?? 0)) / 60_000)
        const expected = [2, 5, 30, 120, 300, 600]
        assert.strictEqual(waits.length, expected.length)
        for (const [index, wait] of waits.entries()) {
          assert.isAtLeast(wait, (expected[index] ?? 0) * 0.8)
          assert.isAtMost(wait, (expected[index] ?? 0) * 1.2 + 2)
        }
        const headers = receiver.got.map((one) => one.headers)
        assert.strictEqual(new Set(headers.map((one) => one["x-webhook-delivery"])).size, 1)
        assert.strictEqual(new Set(headers.map((one) => one["webhook-id"])).size, 1)
        assert.strictEqual(new Set(headers.map((one) => one["x-webhook-timestamp"])).size, 7)
        const [delivery] = yield* world.deliveries(webhookId, "failed")
        assert.strictEqual(delivery?.attempts.length, 7)
      })
    )
    scene("a failing event delays the others for two waits, then they continue", (world, receiver) =>
      Effect.gen(function* () {
        yield* world.subscribe()
        receiver.answer(here, ({ sequence }) => (sequence === 2 ? 400 : 200))
        yield* world.happen(4)
        yield* deliverAll
        assert.deepStrictEqual(receiver.taken(here), [1, 2])
        yield* TestClock.adjust("7 seconds")
        yield* deliverAll
        assert.deepStrictEqual(receiver.taken(here), [2])
        yield* pass(7)
        assert.deepStrictEqual(receiver.taken(here), [2, 3, 4])
        yield* pass(40)
        assert.deepStrictEqual(receiver.taken(here), [2])
      })
    )
    scene("a failing event delays no other in a subscription with several requests in flight", (world, receiver) =>
      Effect.gen(function* () {
        yield* world.subscribe({ maxInFlight: 2 })
        receiver.answer(here, ({ sequence }) => (sequence === 2 ? 400 : 200))
        yield* world.happen(5)
        yield* deliverAll
        assert.deepStrictEqual(receiver.taken(here).toSorted(), [1, 2, 3, 4, 5])
        yield* pass(1)
        assert.deepStrictEqual(receiver.taken(here), [2])
      })
    )
    scene(
      "ten consecutive failures pause the subscription; a probe finds the receiver, and all events follow in order",
      (world, receiver) =>
        Effect.gen(function* () {
          const { webhookId } = yield* world.subscribe()
          receiver.answer(here, () => "dead")
          yield* world.happen(250)
          yield* pass(30)
          const paused = yield* world.get(webhookId)
          assert.deepStrictEqual([paused.status, paused.inactiveReason], ["paused", "failures"])
          const early = receiver.taken(here)
          assert.deepStrictEqual(new Set(early.slice(0, 10)), new Set([1, 2, 3, 4]))
          // Later, only the oldest event is retried, about every three minutes.
          assert.deepStrictEqual(new Set(early.slice(10)), new Set([1]))
          assert.isAtLeast(early.length, 12)
          assert.isAtMost(early.length, 18)
          yield* world.happen(10)
          yield* pass(120, 4)
          assert.deepStrictEqual(new Set(receiver.taken(here)), new Set([1]))
          receiver.answer(here, () => 200)
          yield* pass(5)
          assert.deepStrictEqual(receiver.taken(here), range(1, 260))
          assert.deepStrictEqual((yield* world.get(webhookId)).status, "active")
          assert.deepStrictEqual(yield* world.deliveries(webhookId, "pending"), [])
          assert.strictEqual((yield* world.deliveries(webhookId, "delivered")).length, 100)
        })
    )
    scene("a success between failures resets their count", (world, receiver) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe({ maxInFlight: 3 })
        receiver.answer(here, ({ sequence }) => (sequence % 10 === 0 ? 200 : 500))
        yield* world.happen(40)
        yield* deliverAll
        const after = yield* world.get(webhookId)
        assert.deepStrictEqual([after.status, after.consecutiveFailures], ["active", 0])
        receiver.answer(here, () => 500)
        yield* world.happen(20)
        yield* deliverAll
        const paused = yield* world.get(webhookId)
        assert.strictEqual(paused.status, "paused")
        assert.isAtLeast(paused.consecutiveFailures, 10)
        assert.isAtMost(receiver.got.length, 52)
      })
    )
    scene(
      "a subscription paused by a person stays untouched until it is active, and then gets its missed events",
      (world, receiver) =>
        Effect.gen(function* () {
          const { webhookId } = yield* world.subscribe()
          yield* world.change(webhookId, { status: "paused" })
          yield* world.happen(3)
          yield* pass(60, 10)
          assert.deepStrictEqual(receiver.taken(here), [])
          yield* world.change(webhookId, { status: "active" })
          yield* deliverAll
          assert.deepStrictEqual(receiver.taken(here), [1, 2, 3])
        })
    )
    scene("a re-enabled subscription starts with events after that time", (world, receiver) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe()
        receiver.answer(here, () => 410)
        yield* world.happen(3)
        yield* pass(60, 10)
        assert.deepStrictEqual(receiver.taken(here), [1])
        const gone = yield* world.get(webhookId)
        assert.deepStrictEqual([gone.status, gone.inactiveReason], ["disabled", "gone"])
        receiver.answer(here, () => 200)
        yield* world.change(webhookId, { status: "active" })
        yield* world.happen(1)
        yield* pass(60, 10)
        assert.deepStrictEqual(receiver.taken(here), [4])
        assert.strictEqual(yield* recoverDeliveries(world.tenantId, webhookId, yield* Clock.currentTimeMillis), 0)
        const since = (yield* Clock.currentTimeMillis) - 86_400_000
        assert.strictEqual(yield* recoverDeliveries(world.tenantId, webhookId, since), 1)
        yield* deliverAll
        assert.deepStrictEqual(receiver.taken(here), [1])
        const tooEarly = yield* Effect.flip(recoverDeliveries(world.tenantId, webhookId, since - 14 * 86_400_000))
        assert.strictEqual(tooEarly._tag, "SubscriptionInvalid")
      })
    )
    scene(
      "Retry-After applies between one and two times the usual wait, and a 429 waits at least a minute",
      (world, receiver) =>
        Effect.gen(function* () {
          yield* world.subscribe()
          yield* world.subscribe({ url: "https://busy.example/" })
          receiver.answer(here, () => ({ status: 503, headers: { "retry-after": "3600" } }))
          receiver.answer("https://busy.example/", () => 429)
          yield* world.happen(1)
          yield* deliverAll
          yield* TestClock.adjust("9 seconds")
          yield* deliverAll
          assert.deepStrictEqual(receiver.got.length, 2)
          yield* TestClock.adjust("2 seconds")
          yield* deliverAll
          assert.deepStrictEqual(receiver.taken(here), [1, 1])
          yield* TestClock.adjust("48 seconds")
          yield* deliverAll
          assert.deepStrictEqual(receiver.taken("https://busy.example/"), [1])
          yield* TestClock.adjust("2 seconds")
          yield* deliverAll
          assert.deepStrictEqual(receiver.taken("https://busy.example/"), [1])
        })
    )
    scene("an event is redelivered by hand with the same ids in any state, and counts", (world, receiver) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe()
        yield* world.happen(2)
        yield* deliverAll
        const [, oldest] = yield* world.deliveries(webhookId)
        const deliveryId = oldest?.deliveryId ?? assert.fail()
        receiver.answer(here, () => 500)
        const again = yield* redeliver(world.tenantId, webhookId, deliveryId)
        assert.deepStrictEqual([again.status, again.attempts.map(({ status }) => status)], ["delivered", [204, 500]])
        assert.strictEqual((yield* world.get(webhookId)).consecutiveFailures, 1)
        assert.strictEqual(receiver.got.at(-1)?.headers["x-webhook-delivery"], deliveryId)
        assert.strictEqual(receiver.got[0]?.headers["x-webhook-delivery"], deliveryId)
        yield* pass(60, 10)
        assert.strictEqual(receiver.got.length, 3)
        const { webhookId: other } = yield* world.subscribe()
        const missing = yield* Effect.flip(redeliver(world.tenantId, other, deliveryId))
        assert.strictEqual(missing._tag, "DeliveryNotFound")
      })
    )
    scene(
      "a paused subscription is probed with its next matching event, behind any number of others",
      (world, receiver) =>
        Effect.gen(function* () {
          const { webhookId } = yield* world.subscribe({ events: ["lead.scored"] })
          yield* world.happen(1, "lead.scored")
          yield* deliverAll
          const [delivered] = yield* world.deliveries(webhookId)
          receiver.answer(here, () => 500)
          // No delivery is pending, so all failures are those of repeated deliveries.
          const again = redeliver(world.tenantId, webhookId, delivered?.deliveryId ?? assert.fail())
          yield* Effect.replicateEffect(again, 10)
          assert.deepStrictEqual((yield* world.get(webhookId)).inactiveReason, "failures")
          receiver.answer(here, () => 200)
          yield* world.happen(300, "contact.updated")
          yield* world.happen(1, "lead.scored")
          receiver.taken(here)
          yield* pass(10)
          assert.deepStrictEqual(receiver.taken(here), [302])
          assert.strictEqual((yield* world.get(webhookId)).status, "active")
        })
    )
    scene("a delivery in flight when a person disables the subscription is never retried", (world, receiver) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe()
        const services = yield* Effect.context<Services>()
        const failing = inMemoryEgress(() =>
          world
            .change(webhookId, { status: "disabled" })
            .pipe(
              Effect.orDie,
              Effect.andThen(
                Effect.fail(new EgressFailed({ kind: "connection", reason: "Nobody answers.", millis: 3 }))
              ),
              Effect.provideContext(services)
            )
        )
        yield* world.happen(1)
        yield* Effect.provide(deliverDue(), failing)
        assert.deepStrictEqual(
          (yield* world.deliveries(webhookId)).map(({ status }) => status),
          ["failed"]
        )
        yield* world.change(webhookId, { status: "active" })
        yield* world.happen(1)
        yield* pass(10)
        assert.deepStrictEqual(receiver.taken(here), [2])
      })
    )
    scene("a worker with an expired lease stores nothing; the current holder does", (world, receiver) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe()
        const subscriptions = yield* Subscriptions
        yield* world.happen(1)
        const now = yield* Clock.currentTimeMillis
        const claim = { limit: 9, ailing: 9, leaseUntil: now + 1_000 }
        assert.strictEqual((yield* subscriptions.claim({ ...claim, now, lease: "one" })).length, 1)
        assert.strictEqual((yield* subscriptions.claim({ ...claim, now, lease: "other" })).length, 0)
        yield* deliverAll
        assert.deepStrictEqual(receiver.taken(here), [])
        yield* TestClock.adjust("1 second")
        yield* deliverAll
        assert.deepStrictEqual(receiver.taken(here), [1])
        const held = { tenantId: world.tenantId, webhookId }
        assert.isNull(yield* subscriptions.renew(yield* world.get(webhookId), "one", now + 9_000))
        assert.strictEqual(held.webhookId, webhookId)
      })
    )
    scene("in the mode `once` a failure is final, and events during a pause are skipped", (world, receiver) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe()
        receiver.answer(here, ({ sequence }) => (sequence <= 12 ? 500 : 200))
        yield* world.happen(15)
        yield* pass(120, 10)
        assert.deepStrictEqual(receiver.taken(here), range(1, 10))
        assert.strictEqual((yield* world.get(webhookId)).status, "paused")
        assert.strictEqual((yield* world.deliveries(webhookId, "failed")).length, 10)
        yield* world.change(webhookId, { status: "active" })
        yield* world.happen(1)
        yield* pass(120, 10)
        assert.deepStrictEqual(receiver.taken(here), [16])
      }).pipe(Effect.provideService(DeliveryPolicy, { mode: "once" }))
    )
  })
}
