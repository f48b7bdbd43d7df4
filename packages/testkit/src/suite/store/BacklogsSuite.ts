import { assert, layer } from "@effect/vitest"
import { Backlogs, type Queue } from "@leadloom/core/internal/port/repository/pipeline/Backlogs"
import { Deliveries } from "@leadloom/core/internal/port/repository/webhook/Deliveries"
import { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { Sends } from "@leadloom/core/internal/port/repository/conversation/Sends"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Subscriptions } from "@leadloom/core/internal/port/repository/webhook/Subscriptions"
import { WebhookCalls } from "@leadloom/core/internal/port/repository/webhook/WebhookCalls"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { callIdOf, type WebhookCall } from "@leadloom/core/internal/domain/rule/action/WebhookCall"
import { untried } from "@leadloom/core/internal/domain/webhook/DeliveryState"
import { never } from "@leadloom/core/internal/domain/webhook/Subscription"
import { Effect, Layer } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { eventRecord, freshTenant, idOf, noon, sendRecord, signalRecord } from "../Records.ts"
import { subscriptionRecord } from "../webhook/SubscriptionsSuite.ts"

type Ports = Backlogs | Deliveries | Jobs | Events | Sends | Signals | Subscriptions | Transactions | WebhookCalls

/** Returns the number of due items of a queue, and the waiting time of the oldest, relative to `noon`. */
const seen = (queue: Queue, now: number, max = 10_000) =>
  Effect.map(
    Effect.flatMap(Backlogs, (backlogs) => backlogs.read(noon + now, max)),
    (all) => {
      const found = all.find((one) => one.queue === queue)
      return [found?.due, found === undefined || found.since === null ? null : found.since - noon]
    }
  )

const append = (tenantId: string, ...numbers: ReadonlyArray<number>) =>
  Effect.flatMap(Events, (events) =>
    events.append(
      tenantId,
      numbers.map((number) => eventRecord(tenantId, number))
    )
  )

const job = (tenantId: string, number: number) => ({
  tenantId,
  jobId: `fetch:${number}`,
  dueAt: noon + number,
  createdAt: noon,
  job: { kind: "fetch" as const, grantId: idOf("grant", 1), providerMessageId: `${number}`, historical: false }
})

const call = (tenantId: string, number: number): WebhookCall => ({
  tenantId,
  callId: callIdOf(idOf("sig", number), 0),
  request: {
    ruleId: "rule",
    trigger: "message_received",
    signalId: idOf("sig", number),
    triggerRunId: null,
    position: 0,
    contactId: idOf("con", 1),
    leadId: null,
    messageId: null,
    change: null,
    url: "https://x.example/hook",
    webhook_id: "whk_1",
    store: {}
  },
  tries: 0,
  attempts: 0,
  dueAt: noon + number,
  createdAt: noon
})

/** Tests the port `Backlogs` on a store. Each test has its own store, because the counts cover all tenants. */
export const backlogsSuite = (name: string, store: StoreLayer): void => {
  const scene = (title: string, test: () => Effect.Effect<void, unknown, Ports>) =>
    layer(Layer.fresh(store))(`Backlogs on ${name}`, (it) => it.effect(title, test))

  scene("reports no backlog for every queue of an empty store", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* (yield* Backlogs).read(noon, 10_000), [
        { queue: "signals", due: 0, since: null },
        { queue: "sends", due: 0, since: null },
        { queue: "jobs", due: 0, since: null },
        { queue: "events", due: 0, since: null },
        { queue: "webhook_calls", due: 0, since: null }
      ])
    })
  )

  scene("counts due signals, without claimed, postponed and ended ones", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const [one, other] = [freshTenant(), freshTenant()]
      yield* signals.enqueue(signalRecord(one, 1), noon + 5, 0)
      yield* signals.enqueue(signalRecord(one, 2), noon, noon + 50)
      yield* signals.enqueue(signalRecord(other, 3), noon + 2, 0)
      yield* signals.enqueue(signalRecord(other, 4), noon + 3, 0)
      assert.deepStrictEqual(yield* seen("signals", 1), [0, null])
      assert.deepStrictEqual(yield* seen("signals", 10), [3, 2])
      yield* signals.finish(other, idOf("sig", 3), "done", noon + 10)
      assert.deepStrictEqual(yield* seen("signals", 10), [2, 3])
      yield* signals.claim(9, noon + 10, noon + 40)
      assert.deepStrictEqual(yield* seen("signals", 39), [0, null])
      assert.deepStrictEqual(yield* seen("signals", 60), [3, 40])
      assert.deepStrictEqual(yield* seen("sends", 60), [0, null])
    })
  )

  scene("counts open sends and jobs", () =>
    Effect.gen(function* () {
      const sends = yield* Sends
      const jobs = yield* Jobs
      const tenantId = freshTenant()
      for (const number of [1, 2, 3]) yield* sends.reserve(sendRecord(tenantId, number, { dueAt: noon + number }))
      assert.deepStrictEqual(yield* seen("sends", 2), [2, 1])
      const [held] = yield* sends.claim(1, noon + 1, noon + 20)
      yield* sends.settle(held ?? assert.fail(), "failed", null, noon + 2)
      assert.deepStrictEqual(yield* seen("sends", 99), [2, 2])
      for (const number of [7, 4]) yield* jobs.put(job(tenantId, number))
      yield* jobs.put(job(freshTenant(), 9))
      assert.deepStrictEqual(yield* seen("jobs", 8), [2, 4])
    })
  )

  scene("counts open calls of webhooks", () =>
    Effect.gen(function* () {
      const calls = yield* WebhookCalls
      for (const number of [3, 1, 2]) yield* calls.put(call(freshTenant(), number))
      assert.deepStrictEqual(yield* seen("webhook_calls", 2), [2, 1])
      const [held] = yield* calls.claim(1, noon + 1, noon + 20)
      assert.deepStrictEqual(yield* seen("webhook_calls", 9), [2, 2])
      yield* calls.finish(held ?? assert.fail())
      assert.deepStrictEqual(yield* seen("webhook_calls", 99), [2, 2])
    })
  )

  scene("counts failures since a time, and jobs by kind", () =>
    Effect.gen(function* () {
      const [sends, signals, jobs, subscriptions] = [yield* Sends, yield* Signals, yield* Jobs, yield* Subscriptions]
      const backlogs = yield* Backlogs
      const tenantId = freshTenant()
      for (const number of [1, 2, 3]) {
        yield* signals.enqueue(signalRecord(tenantId, number), noon, 0)
        yield* signals.finish(tenantId, idOf("sig", number), number === 3 ? "done" : "failed", noon + number)
        yield* sends.reserve(sendRecord(tenantId, number, { dueAt: noon + number }))
      }
      const [held] = yield* sends.claim(1, noon + 1, noon + 20)
      yield* sends.settle(held ?? assert.fail(), "failed", null, noon + 2)
      const far = subscriptionRecord(tenantId, 1)
      yield* subscriptions.insert(far)
      yield* (yield* Deliveries).put({ ...untried(far, 1), status: "failed", dueAt: never, updatedAt: noon + 5 })
      for (const number of [4, 7]) yield* jobs.put(job(tenantId, number))
      yield* jobs.put({ ...job(freshTenant(), 9), createdAt: noon - 5 })
      const [claimed] = yield* jobs.claim(1, noon + 5, noon + 20)
      yield* jobs.release(claimed ?? assert.fail(), noon + 90, job(tenantId, 4).job, "the mail server is away")
      for (const number of [1, 2]) yield* (yield* WebhookCalls).put({ ...call(tenantId, number), tries: number - 1 })
      const failed = (since: number, max = 10_000) =>
        Effect.map(backlogs.failed(noon + since, max), (all) => all.map((one) => [one.queue, one.failed]))
      const none = [
        ["signals", 0],
        ["sends", 0],
        ["jobs", 1],
        ["events", 0],
        ["webhook_calls", 1]
      ]
      assert.deepStrictEqual(yield* failed(0), [
        ["signals", 2],
        ["sends", 1],
        ["jobs", 1],
        ["events", 1],
        ["webhook_calls", 1]
      ])
      assert.deepStrictEqual((yield* failed(0, 1))[0], ["signals", 1])
      assert.deepStrictEqual((yield* failed(2))[0], ["signals", 1])
      assert.deepStrictEqual(yield* failed(6), none)
      assert.deepStrictEqual(yield* backlogs.jobs(10_000), [{ kind: "fetch", waiting: 3, failed: 1, since: noon - 5 }])
      assert.deepStrictEqual((yield* backlogs.jobs(2))[0]?.waiting, 2)
    })
  )

  scene("counts up to a limit, and still finds the oldest", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const [one, other] = ["aa", "bb"]
      for (const number of [1, 2, 3, 4]) yield* signals.enqueue(signalRecord(one, number), noon + 10 + number, 0)
      for (const number of [5, 6]) yield* signals.enqueue(signalRecord(other, number), noon + number, 0)
      assert.deepStrictEqual(yield* seen("signals", 99, 3), [3, 5])
      assert.deepStrictEqual(yield* seen("signals", 99, 5), [5, 5])
      assert.deepStrictEqual(yield* seen("signals", 99, 6), [6, 5])
    })
  )

  scene("continues after the tenants of one lookup, and counts each once", () =>
    Effect.gen(function* () {
      const signals = yield* Signals
      const { atomically } = yield* Transactions
      const names = Array.from({ length: 1_100 }, (_, number) => `tenant-${String(number).padStart(5, "0")}`)
      const put = (tenantId: string, index: number) =>
        signals.enqueue(signalRecord(tenantId, 1), noon + 2_000 - index, 0)
      yield* atomically("tenant-00000", Effect.forEach(names, put, { discard: true }))
      assert.deepStrictEqual(yield* seen("signals", 9_000), [1_100, 901])
      assert.deepStrictEqual(yield* seen("signals", 9_000, 600), [600, 901])
    })
  )

  scene("counts undelivered events of active subscriptions, and postponed deliveries that are due", () =>
    Effect.gen(function* () {
      const subscriptions = yield* Subscriptions
      const deliveries = yield* Deliveries
      const [one, other] = [freshTenant(), freshTenant()]
      const far = subscriptionRecord(one, 1, { position: 3 })
      yield* subscriptions.insert(far)
      yield* subscriptions.insert(subscriptionRecord(one, 2, { position: 1 }))
      yield* subscriptions.insert(
        subscriptionRecord(one, 3, { status: "paused", inactiveReason: "failures", nextAt: noon })
      )
      yield* subscriptions.insert(subscriptionRecord(other, 1))
      assert.deepStrictEqual(yield* seen("events", 10), [0, null])
      yield* append(one, 1, 2, 3)
      assert.deepStrictEqual(yield* seen("events", 10), [2, 2])
      yield* append(other, 1)
      assert.deepStrictEqual(yield* seen("events", 10), [3, 1])
      assert.deepStrictEqual(yield* seen("events", 10, 2), [2, 1])
      yield* deliveries.put({ ...untried(far, 1), status: "pending", dueAt: noon + 20 })
      yield* deliveries.put({ ...untried(far, 2), status: "pending", dueAt: noon + 90 })
      yield* subscriptions.update({ ...far, retryAt: noon + 20 })
      for (const number of [1, 2]) {
        yield* subscriptions.update(
          subscriptionRecord(number === 1 ? other : one, number, { position: 9, retryAt: never })
        )
      }
      assert.deepStrictEqual(yield* seen("events", 19), [0, null])
      assert.deepStrictEqual(yield* seen("events", 20), [1, 20])
      assert.deepStrictEqual(yield* seen("events", 99), [2, 20])
    })
  )
}
