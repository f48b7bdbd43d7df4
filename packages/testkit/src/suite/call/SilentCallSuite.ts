import type { CallDouble } from "../Doubles.ts"
import { acme, drainJobs, own, scenesOn } from "../Scene.ts"
import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { assert, describe } from "@effect/vitest"
import { beginInboundCall } from "@leadloom/core/internal/workflow/call/BeginInboundCall"
import type { CallLeg, CallLegs } from "@leadloom/core/internal/domain/call/CallLegs"
import { type CallOrder, placeCall, settleMillis } from "@leadloom/core/internal/workflow/call/PlaceCall"
import { maxCallMillis, settleAfterMillis } from "@leadloom/core/internal/workflow/call/SettleCall"
import { transferCall } from "@leadloom/core/internal/workflow/call/TransferCall"
import { Calls } from "@leadloom/core/internal/port/repository/conversation/Calls"
import { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { bodiesOf, day, open, report } from "./CallWorld.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const minute = 60_000

const leg = (legId: string, status: CallLeg["status"], more: Partial<CallLeg> = {}): CallLeg => ({
  legId,
  status,
  startedAt: day,
  endedAt: null,
  durationSeconds: null,
  ...more
})

/**
 * Sets the provider's answer to requests for legs. Returns the list of requested legs. Each request is added to this
 * list.
 */
const says = (there: CallDouble, legs: CallLegs | ProviderFailure.ProviderFailure): Array<string> => {
  const requestedLegs: Array<string> = []
  there.legs = (id) => {
    requestedLegs.push(id)
    return legs
  }
  return requestedLegs
}

/** Runs all jobs that are due at a time. */
const workAt = (time: number) =>
  Effect.andThen(
    TestClock.setTime(time),
    Effect.gen(function* () {
      yield* drainJobs
    })
  )

const stands = (callId: string) => Effect.flatMap(Calls, (calls) => calls.get("acme", callId))

const jobsLeft = Effect.flatMap(Jobs, ({ backlog }) => backlog)

/** Places an outbound call. Only its first leg is known. */
const placedCall = (order: CallOrder) => Effect.map(placeCall(order), ({ call }) => call)

/** An inbound call. */
const incoming = (tenant: Tenant) =>
  beginInboundCall(tenant, { provider: "memory", providerCallId: "CA1", from: "+12125550155", to: own }).pipe(
    Effect.map((call) => call ?? assert.fail("it was taken for blocked"))
  )

/** Tests calls for which the provider sends no events, on a store. */
export const silentCallSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`calls without provider events on ${name}`, () => {
    scene("are looked up after a silence, and closed once with the provider's result", ({ calls: there }) =>
      Effect.gen(function* () {
        const { contact, order } = yield* open()
        const { callId, providerCallId } = yield* placedCall(order)
        yield* report(callId, "agent", "answered")
        yield* report(callId, "contact", "answered", { legId: "C" })
        const up = { leg: leg(providerCallId ?? "", "answered"), dialed: [leg("C", "answered")] }
        const requestedLegs = says(there, up)
        yield* workAt(day + settleMillis)
        assert.deepStrictEqual(requestedLegs, [])
        yield* workAt(day + settleMillis + settleAfterMillis - 1)
        assert.deepStrictEqual(requestedLegs, [])
        yield* workAt(day + settleMillis + settleAfterMillis)
        assert.deepStrictEqual(requestedLegs, [providerCallId])
        assert.deepInclude(yield* stands(callId), { status: "in_progress" })
        const endedAt = day + 20 * minute
        says(there, {
          leg: leg(providerCallId ?? "", "completed", { endedAt, durationSeconds: 1_230 }),
          dialed: [leg("C", "completed", { endedAt, durationSeconds: 1_192 })]
        })
        yield* workAt(day + 3 * settleAfterMillis)
        const over = yield* stands(callId)
        assert.deepInclude(over, { status: "completed", durationSeconds: 1_192, endedAt, answeredAt: day })
        assert.deepStrictEqual(yield* bodiesOf(contact.contactId), ["voice agent: Call, 19 min 52 s, answered"])
        assert.strictEqual(yield* jobsLeft, 0)
        yield* report(callId, "contact", "completed", { legId: "C", durationSeconds: 1_192 })
        yield* report(callId, "agent", "no_answer")
        assert.deepStrictEqual(yield* stands(callId), over)
        assert.lengthOf(yield* bodiesOf(contact.contactId), 1)
      })
    )

    scene("end with their real result, even without any event", ({ calls: there }) =>
      Effect.gen(function* () {
        const { order } = yield* open()
        const end = { endedAt: day + minute }
        for (const [status, dialed, expected] of [
          ["completed", [leg("C", "completed", { ...end, durationSeconds: 40 })], ["completed", 40, null]],
          ["completed", [leg("C", "busy", end)], ["busy", null, "the contact's phone: busy"]],
          ["completed", [], ["no_answer", null, "the agent's phone: no answer"]],
          ["failed", [], ["failed", null, "the agent's phone: failed"]]
        ] as const) {
          yield* TestClock.setTime(day)
          const { callId } = yield* placedCall(order)
          says(there, { leg: leg(`leg ${callId}`, status, end), dialed })
          yield* workAt(day + settleMillis)
          yield* workAt(day + settleMillis + settleAfterMillis)
          const [ended, durationSeconds, reason] = expected
          const over = { status: ended, durationSeconds, reason, endedAt: day + minute }
          assert.deepInclude(yield* stands(callId), over)
        }
        assert.strictEqual(yield* jobsLeft, 0)
      })
    )

    scene(
      "from outside count as missed if nobody was on the other leg, and as answered otherwise",
      ({ calls: there }) =>
        Effect.gen(function* () {
          const { tenant } = yield* open()
          const { callId, contactId } = yield* incoming(tenant)
          const requestedLegs = says(there, { leg: leg("CA1", "completed", { endedAt: day + minute }), dialed: [] })
          yield* workAt(day + settleAfterMillis)
          assert.deepStrictEqual(requestedLegs, ["CA1"])
          assert.deepInclude(yield* stands(callId), { status: "no_answer", endedAt: day + minute })
          const tasks = yield* acme.tasksOf(contactId)
          assert.deepStrictEqual(
            tasks.map(({ title }) => title),
            ["Call back +12125550155: missed call"]
          )
          const inbound = { provider: "memory", providerCallId: "CA2", from: "+12125550155", to: own }
          const second = yield* beginInboundCall(tenant, inbound)
          const begun = yield* Clock.currentTimeMillis
          const endedAt = begun + 2 * minute
          says(there, {
            leg: leg("CA2", "completed", { endedAt }),
            dialed: [leg("A", "completed", { endedAt, durationSeconds: 90 })]
          })
          yield* workAt(begun + settleAfterMillis)
          assert.deepInclude(yield* stands(second?.callId ?? ""), { status: "completed", durationSeconds: 90, endedAt })
          assert.lengthOf(yield* acme.tasksOf(contactId), 1)
          assert.strictEqual(yield* jobsLeft, 0)
        })
    )

    scene("with a transfer follow the contact's leg", ({ calls: there }) =>
      Effect.gen(function* () {
        const { order, tenant } = yield* open()
        const { callId } = yield* placedCall(order)
        yield* report(callId, "contact", "answered", { legId: "C" })
        yield* transferCall(tenant, callId, "+15550100003")
        const requestedLegs = says(there, { leg: leg("C", "answered"), dialed: [leg("T", "completed")] })
        yield* workAt(day + settleMillis)
        yield* workAt(day + settleMillis + settleAfterMillis)
        assert.deepStrictEqual(requestedLegs, ["C"])
        assert.deepInclude(yield* stands(callId), { status: "in_progress" })
        says(there, { leg: leg("C", "completed", { endedAt: day + minute, durationSeconds: 55 }), dialed: [] })
        yield* workAt(day + maxCallMillis)
        assert.deepInclude(yield* stands(callId), { status: "completed", durationSeconds: 55, endedAt: day + minute })
      })
    )

    scene(
      "wait while the provider does not answer, and are looked up less and less often while they continue",
      ({ calls: there }) =>
        Effect.gen(function* () {
          const { tenant } = yield* open()
          const { callId } = yield* incoming(tenant)
          for (const failure of [
            ProviderFailure.unavailable("voice", "429"),
            ProviderFailure.outcomeUnknown("voice", "no answer")
          ]) {
            says(there, failure)
            yield* workAt((yield* Clock.currentTimeMillis) + settleAfterMillis)
            assert.deepInclude(yield* stands(callId), { status: "ringing" })
            assert.strictEqual(yield* jobsLeft, 1)
          }
          const requestedLegs = says(there, { leg: leg("CA1", "answered"), dialed: [leg("A", "answered")] })
          const from = yield* Clock.currentTimeMillis
          for (let passed = 0; passed <= 6 * 60; passed += 5) yield* workAt(from + passed * minute)
          assert.deepInclude(yield* stands(callId), { status: "in_progress" })
          assert.isAtLeast(requestedLegs.length, 6)
          assert.isAtMost(requestedLegs.length, 10)
        })
    )

    scene("that the provider does not know end a day after their last event", () =>
      Effect.gen(function* () {
        const { contact, order, tenant } = yield* open()
        const { callId } = yield* placedCall(order)
        const spoken = yield* incoming(tenant)
        yield* TestClock.setTime(day + minute)
        yield* report(spoken.callId, "agent", "answered")
        for (let passed = 0; passed < 24; passed += 1) yield* workAt(day + passed * 60 * minute)
        assert.deepInclude(yield* stands(callId), { status: "queued" })
        yield* (yield* Calls).update({ ...(yield* stands(spoken.callId)), provider: "another" })
        for (let passed = 24; passed < 27; passed += 1) yield* workAt(day + passed * 60 * minute)
        const { endedAt, reason, status } = yield* stands(callId)
        assert.deepStrictEqual([status, endedAt], ["failed", day])
        assert.match(reason ?? "", /the provider has no information about the call: no such leg/u)
        assert.deepStrictEqual(yield* bodiesOf(contact.contactId), ["voice agent: Call, failed"])
        assert.deepInclude(yield* stands(spoken.callId), { status: "completed", endedAt: day + minute })
        assert.strictEqual(yield* jobsLeft, 0)
      })
    )

    scene("without a provider id stay unknown", ({ calls: there }) =>
      Effect.gen(function* () {
        const { order } = yield* open()
        there.fate = () => ProviderFailure.outcomeUnknown("voice", "the connection was lost")
        const requestedLegs = says(there, { leg: leg("A", "completed"), dialed: [] })
        const { callId } = yield* placedCall(order)
        for (let passed = 0; passed < 26; passed += 1) yield* workAt(day + passed * 60 * minute)
        assert.deepInclude(yield* stands(callId), { status: "unknown" })
        assert.deepStrictEqual([requestedLegs, yield* jobsLeft], [[], 0])
      })
    )
  })
}
