/**
 * Suites of outbound events, deliveries, subscriptions and provider events. Requests over a socket are tested in
 * `packages/connectors/test/egress`.
 */
import { DeliveryPolicy } from "@leadloom/core/internal/domain/webhook/Schedule"
import { assert, describe } from "@effect/vitest"
import { PersonalData } from "@leadloom/core/internal/port/repository/contact/PersonalData"
import { signDelivery, signStandardWebhook } from "@leadloom/core/internal/workflow/webhook/SignWebhook"
import { exampleData } from "@leadloom/core/internal/domain/webhook/ExampleData"
import { fanOut } from "@leadloom/core/internal/workflow/webhook/FanOut"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { Subscriptions } from "@leadloom/core/internal/port/repository/webhook/Subscriptions"
import { rotateSecret } from "@leadloom/core/internal/workflow/webhook/Subscriptions"
import { sendTestEvent } from "@leadloom/core/internal/workflow/webhook/SendTestEvent"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { StoreLayer } from "../StoreLayer.ts"
import { deliverAll, here, pass, range, webhookScenesOn } from "./WebhookWorld.ts"

/** Tests deliveries to healthy receivers on a store. */
export const webhookSuite = (name: string, store: StoreLayer): void => {
  const scene = webhookScenesOn(store)
  describe(`Webhooks on ${name}`, () => {
    scene(
      "every event since the subscription arrives once, in order, signed, with the envelope",
      ({ happen, subscribe }, receiver) =>
        Effect.gen(function* () {
          yield* happen(2)
          const { shown: secret } = yield* subscribe()
          yield* happen(300)
          yield* deliverAll
          const [first] = receiver.got
          const sequences = receiver.got.map(({ sequence }) => sequence)
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
          assert.strictEqual(new Set(receiver.got.map((one) => one.headers["x-webhook-delivery"])).size, 300)
          receiver.taken(here)
          yield* deliverAll
          assert.deepStrictEqual(receiver.taken(here), [])
        })
    )
    scene("a subscription receives its event types, even while other events are in flight", (world, receiver) =>
      Effect.gen(function* () {
        const [some, all] = ["https://some.example/", "https://all.example/"]
        yield* world.subscribe({ url: some, events: ["contact.created"] })
        yield* world.subscribe({ url: all, maxInFlight: 4 })
        for (let round = 0; round < 3; round++) {
          yield* world.happen(50)
          yield* world.happen(1, "contact.created")
        }
        yield* deliverAll
        assert.deepStrictEqual(receiver.taken(some), [51, 102, 153])
        assert.deepStrictEqual(
          receiver.taken(all).toSorted((one, other) => one - other),
          range(1, 153)
        )
      })
    )
    scene("deliveries are listed with their attempts in pages, newest event first", (world, receiver) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe()
        receiver.answer(here, ({ sequence }) => (sequence === 3 && receiver.got.length === 3 ? 500 : 200))
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
        assert.deepStrictEqual(receiver.taken(here), [1, 2, 3, 3, 4, 5])
      })
    )
    scene("a test event is signed, returns the result, and does not affect the health", (world, receiver) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe({ events: ["lead.scored"] })
        receiver.answer(here, () => 500)
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
    scene("after a rotation both secrets sign for 24 hours, the new one first", (world, receiver) =>
      Effect.gen(function* () {
        const { shown: old, webhookId } = yield* world.subscribe()
        const { shown: secret } = yield* rotateSecret(world.tenantId, webhookId)
        yield* world.happen(1)
        yield* deliverAll
        const { body = "", headers = {} } = receiver.got[0] ?? {}
        const [id, time] = [headers["webhook-id"] ?? "", Number(headers["webhook-timestamp"])]
        assert.strictEqual(headers["x-webhook-signature"], signDelivery(secret, time, body))
        assert.strictEqual(headers["x-webhook-signature-previous"], signDelivery(old, time, body))
        const both = [secret, old].map((key) => signStandardWebhook(key, id, time, body))
        assert.deepStrictEqual(headers["webhook-signature"]?.split(" "), both)
        yield* TestClock.adjust("24 hours")
        yield* world.happen(1)
        yield* deliverAll
        assert.notProperty(receiver.got[1]?.headers, "x-webhook-signature-previous")
        assert.notInclude(receiver.got[1]?.headers["webhook-signature"], " ")
      })
    )
    scene("secrets are stored sealed, and older ones are sealed at the next write", (world, receiver) =>
      Effect.gen(function* () {
        const { shown, webhookId } = yield* world.subscribe()
        const kept = yield* world.get(webhookId)
        assert.notInclude([kept.secret, kept.formerSecret], shown)
        yield* (yield* Subscriptions).update({ ...kept, secret: shown })
        yield* world.happen(1)
        yield* deliverAll
        const { body = "", headers = {} } = receiver.got[0] ?? {}
        const time = Number(headers["webhook-timestamp"])
        assert.strictEqual(headers["x-webhook-signature"], signDelivery(shown, time, body))
        assert.strictEqual((yield* world.get(webhookId)).secret, shown)
        yield* world.change(webhookId, { description: "sealed from now on" })
        assert.strictEqual((yield* world.get(webhookId)).secret, kept.secret)
      })
    )
    scene("a secret that cannot be opened is a failure with a reason, and a rotation resolves it", (world, receiver) =>
      Effect.gen(function* () {
        const { webhookId } = yield* world.subscribe()
        const kept = yield* world.get(webhookId)
        yield* (yield* Subscriptions).update({ ...kept, secret: "sealed elsewhere" })
        yield* world.happen(1)
        yield* deliverAll
        const [failed] = yield* world.deliveries(webhookId)
        assert.include(failed?.attempts[0]?.error ?? "", "Rotate the secret")
        assert.deepStrictEqual(receiver.taken(here), [])
        const { shown } = yield* rotateSecret(world.tenantId, webhookId)
        yield* pass(1)
        const { body = "", headers = {} } = receiver.got[0] ?? {}
        const time = Number(headers["webhook-timestamp"])
        assert.strictEqual(headers["x-webhook-signature"], signDelivery(shown, time, body))
        assert.notProperty(headers, "x-webhook-signature-previous")
      })
    )
    scene(
      "an event of an erased contact is sent without its data, and stored responses about it are deleted",
      (world, receiver) =>
        Effect.gen(function* () {
          const { webhookId } = yield* world.subscribe()
          receiver.answer(here, () => ({ status: 500, headers: {}, body: "jo@customer.example is not known" }))
          yield* world.happen(1)
          yield* deliverAll
          const contactId = String(exampleData["contact.updated"]["contact_id"])
          assert.strictEqual(yield* (yield* PersonalData).redactEvents(world.tenantId, contactId, 10), 1)
          assert.deepStrictEqual((yield* world.deliveries(webhookId))[0]?.attempts, [])
          receiver.answer(here, () => 200)
          yield* pass(1)
          assert.deepStrictEqual(Object(JSON.parse(receiver.got.at(-1)?.body ?? "")).data, { redacted: true })
        })
    )
    scene(
      "the helper makes one attempt per matching active subscription, and the tenth consecutive failure pauses it",
      (world, receiver) =>
        Effect.gen(function* () {
          const [good, bad] = ["https://good.example/", "https://bad.example/"]
          yield* world.subscribe({ url: good })
          const { webhookId } = yield* world.subscribe({ url: bad })
          yield* world.subscribe({ url: "https://other.example/", events: ["lead.scored"] })
          receiver.answer(bad, () => 302)
          yield* world.happen(12)
          for (const sequenced of yield* (yield* Events).after(world.tenantId, 0, 9)) yield* fanOut(sequenced)
          assert.strictEqual((yield* world.get(webhookId)).consecutiveFailures, 9)
          const [tenth, ...others] = yield* (yield* Events).after(world.tenantId, 9, 3)
          if (tenth !== undefined) yield* fanOut(tenth)
          assert.deepStrictEqual((yield* world.get(webhookId)).status, "paused")
          for (const sequenced of others) yield* fanOut(sequenced)
          assert.deepStrictEqual(receiver.taken(bad), range(1, 10))
          assert.deepStrictEqual(receiver.taken(good), range(1, 12))
          assert.deepStrictEqual(receiver.got, [])
        }).pipe(Effect.provideService(DeliveryPolicy, { mode: "off" }))
    )
  })
}
