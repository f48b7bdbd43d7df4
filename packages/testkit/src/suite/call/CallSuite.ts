/**
 * Suites of calls, and of the records of voice assistants. The voice provider is in memory; the real API is tested in
 * `packages/connectors/test/twilio`.
 */
import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { assert, describe } from "@effect/vitest"
import { beginInboundCall } from "@leadloom/core/internal/workflow/call/BeginInboundCall"
import { placeCall, settleMillis } from "@leadloom/core/internal/workflow/call/PlaceCall"
import { readRecording } from "@leadloom/core/internal/workflow/call/Calls"
import { applyCallReport, applyRecordingReport } from "@leadloom/core/internal/workflow/call/ApplyCallReport"
import { transferCall } from "@leadloom/core/internal/workflow/call/TransferCall"
import { runJob } from "@leadloom/core/internal/workflow/job/RunJob"
import { workDueJobs } from "@leadloom/core/internal/workflow/job/WorkJobs"
import { blockNumber } from "@leadloom/core/internal/workflow/sms/BlockNumber"
import { Calls } from "@leadloom/core/internal/port/repository/conversation/Calls"
import { OptOuts } from "@leadloom/core/internal/port/repository/contact/OptOuts"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { eraseContact } from "@leadloom/core/internal/workflow/privacy/EraseContact"
import { defaultVoice } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { agent, all, bodiesOf, day, providerEvent, open, report, tagOf } from "./CallWorld.ts"
import { exported, freshPlace, imported } from "../privacy/PrivacyWorld.ts"
import { acme, drainJobs, jane, own, scenesOn, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** Tests calls on a store. */
export const callSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`calls on ${name}`, () => {
    scene(
      "an outbound call rings the agent first, and appears in the conversation after its end",
      ({ calls: { acts } }) =>
        Effect.gen(function* () {
          const { contact, order } = yield* open()
          const { call } = yield* placeCall(order)
          const { callId } = call
          const expected = { tenantId: "acme", callId, from: own, agentPhone: agent, to: jane, record: true }
          assert.deepStrictEqual(acts, [{ act: "place", call: expected }])
          assert.deepInclude(call, { status: "queued", providerCallId: `leg ${callId}`, recording: "wanted" })
          yield* report(callId, "agent", "answered")
          yield* report(callId, "contact", "answered", { legId: "C" })
          const over = yield* report(callId, "contact", "completed", { legId: "C", durationSeconds: 192 })
          assert.deepInclude(over, { status: "completed", durationSeconds: 192 })
          yield* report(callId, "dial", "completed", { durationSeconds: 192 })
          yield* report(callId, "agent", "completed")
          assert.deepStrictEqual(yield* bodiesOf(contact.contactId), ["voice agent: Call, 3 min 12 s, answered"])
          assert.strictEqual(yield* (yield* Signals).backlog, 0)
          assert.deepStrictEqual(yield* acme.tasksOf(contact.contactId), [])
          yield* TestClock.setTime(day + settleMillis)
          assert.strictEqual(yield* workDueJobs(runJob), 1)
          assert.deepStrictEqual(yield* (yield* Calls).get("acme", callId), over)
        })
    )

    scene("a call that is not allowed is not placed, and leaves no rows", ({ calls: { acts } }) =>
      Effect.gen(function* () {
        const { contact, order, tenant } = yield* open()
        const silent = { ...tenant, config: { ...tenant.config, voice: defaultVoice } }
        assert.strictEqual(yield* tagOf(placeCall({ ...order, tenant: silent })), "CallRequestInvalid")
        assert.strictEqual(yield* tagOf(placeCall({ ...order, agentPhone: "soon" })), "CallRequestInvalid")
        assert.strictEqual(yield* tagOf(placeCall({ ...order, agentPhone: jane })), "CallRequestInvalid")
        assert.strictEqual(yield* tagOf(placeCall({ ...order, whom: { contactId: "con_none" } })), "ContactNotFound")
        assert.strictEqual(yield* tagOf(placeCall({ ...order, whom: { phone: own } })), "CallNotAllowed")
        yield* TestClock.setTime(start)
        const early = yield* Effect.flip(placeCall(order))
        assert.deepInclude(early, { _tag: "CallTooEarly", until: start + 4 * 3_600_000 })
        yield* TestClock.setTime(day)
        yield* blockNumber("acme", jane)
        const consentChange = { optedOut: true, source: "person", at: day } as const
        yield* (yield* OptOuts).save({
          ...consentChange,
          tenantId: "acme",
          phone: jane,
          ownPhone: "",
          evidence: null,
          history: []
        })
        const denied = yield* Effect.flip(placeCall({ ...order, idempotencyKey: "k" }))
        assert.deepInclude(denied, {
          _tag: "CallNotAllowed",
          reasons: ["the contact has opted out", "the number is on the blocklist"]
        })
        assert.deepStrictEqual(acts, [])
        assert.deepStrictEqual(yield* (yield* Calls).page("acme", all, 9, null), [])
        assert.deepStrictEqual(yield* bodiesOf(contact.contactId), [])
      })
    )

    scene("a repeated request with the same key returns the same call, and rings nobody again", ({ calls: there }) =>
      Effect.gen(function* () {
        const { order } = yield* open()
        const keyed = { ...order, whom: { phone: "(212) 555-0199" }, idempotencyKey: "kim:k" }
        const first = yield* placeCall(keyed)
        const again = yield* placeCall(keyed)
        assert.deepStrictEqual([first.replayed, again.replayed], [false, true])
        assert.deepStrictEqual(again.call, first.call)
        assert.strictEqual(yield* tagOf(placeCall({ ...keyed, record: false })), "IdempotencyConflict")
        assert.strictEqual(there.acts.length, 1)
        const placed = there.fate
        there.fate = () => ProviderFailure.refused("voice", "no such number")
        const refused = { ...keyed, idempotencyKey: "kim:r" }
        for (const _ of [1, 2]) assert.strictEqual(yield* tagOf(placeCall(refused)), "Refused")
        assert.strictEqual(there.acts.length, 2)
        there.fate = () => ProviderFailure.unavailable("voice", "busy")
        const later = { ...keyed, idempotencyKey: "kim:u" }
        assert.strictEqual(yield* tagOf(placeCall(later)), "CallProviderUnavailable")
        there.fate = placed
        assert.isFalse((yield* placeCall(later)).replayed)
        yield* TestClock.setTime(day + 25 * 3_600_000)
        assert.isFalse((yield* placeCall(keyed)).replayed)
      })
    )

    scene(
      "a call with a lost response is unknown, is never dialled again, and is identified by later events",
      ({ calls: there }) =>
        Effect.gen(function* () {
          const { order } = yield* open()
          const placed = there.fate
          there.fate = () => ProviderFailure.outcomeUnknown("voice", "the connection was lost")
          const { call } = yield* placeCall({ ...order, idempotencyKey: "k" })
          assert.deepInclude(call, { status: "unknown", providerCallId: null })
          there.fate = placed
          assert.deepInclude((yield* placeCall({ ...order, idempotencyKey: "k" })).call, { callId: call.callId })
          yield* TestClock.setTime(day + settleMillis)
          yield* drainJobs
          assert.strictEqual(there.acts.length, 1)
          const known = yield* report(call.callId, "agent", "ringing", { legId: "A" })
          assert.deepInclude(known, { status: "ringing", providerCallId: "A" })
        })
    )

    scene("an inbound call creates its contact, and a missed one also a task, a message and a signal", () =>
      Effect.gen(function* () {
        const { tenant } = yield* open()
        yield* TestClock.setTime(Date.parse("2026-03-07T20:00:00Z"))
        const inbound = { provider: "memory", providerCallId: "CA1", from: "+12125550155", to: own }
        const call = yield* beginInboundCall(tenant, inbound)
        assert.deepStrictEqual(yield* beginInboundCall(tenant, inbound), call)
        if (call === null) return assert.fail("it was taken for blocked")
        const { callId, contactId } = call
        yield* report(callId, "contact", "answered")
        yield* report(callId, "agent", "ringing")
        const missed = yield* report(callId, "dial", "no_answer")
        assert.deepInclude(missed, { status: "no_answer", fromNumber: "+12125550155" })
        assert.deepStrictEqual(yield* bodiesOf(contactId), ["voice contact: Missed call"])
        assert.strictEqual(yield* (yield* Signals).backlog, 1)
        const tasks = yield* acme.tasksOf(contactId)
        assert.deepStrictEqual(
          tasks.map(({ dueAt, title, type }) => ({ dueAt, title, type })),
          [
            {
              dueAt: Date.parse("2026-03-09T13:00:00Z"),
              title: "Call back +12125550155: missed call",
              type: "callback"
            }
          ]
        )
        const [task] = tasks
        assert.strictEqual(task?.leadId, missed?.leadId)
        yield* blockNumber("acme", "+12125550155")
        assert.isNull(yield* beginInboundCall(tenant, { ...inbound, providerCallId: "CA2" }))
        const hidden = yield* beginInboundCall(tenant, { ...inbound, providerCallId: "CA3", from: "anonymous" })
        assert.deepInclude(hidden, { fromNumber: null })
        yield* report(hidden?.callId ?? "", "contact", "completed")
        assert.deepStrictEqual(yield* acme.tasksOf(hidden?.contactId ?? null), [])
      })
    )

    scene("repeated and late events, and events of unknown calls, change nothing", () =>
      Effect.gen(function* () {
        const { contact, order } = yield* open()
        const { callId } = (yield* placeCall(order)).call
        const once = providerEvent(callId)
        const ringing = { about: "agent", status: "ringing", legId: "A", durationSeconds: null, at: day } as const
        yield* applyCallReport(once, ringing)
        assert.isNull(yield* applyCallReport(once, { ...ringing, status: "failed" }))
        yield* report(callId, "agent", "no_answer")
        yield* report(callId, "agent", "ringing")
        yield* report(callId, "contact", "answered")
        assert.deepInclude(yield* (yield* Calls).get("acme", callId), { status: "no_answer" })
        assert.deepStrictEqual(yield* bodiesOf(contact.contactId), ["voice agent: Call, not answered"])
        assert.isNull(yield* report("call_of_nobody", "agent", "ringing"))
      })
    )

    scene("only a call in progress can be transferred", ({ calls: { acts } }) =>
      Effect.gen(function* () {
        const { order, tenant } = yield* open()
        const { callId } = (yield* placeCall(order)).call
        const to = "+1 555 010 0003"
        assert.strictEqual(yield* tagOf(transferCall(tenant, callId, to)), "CallNotInProgress")
        yield* report(callId, "contact", "answered", { legId: "C" })
        assert.strictEqual(yield* tagOf(transferCall(tenant, callId, "nobody")), "CallRequestInvalid")
        assert.strictEqual(yield* tagOf(transferCall(tenant, callId, jane)), "CallRequestInvalid")
        assert.strictEqual(yield* tagOf(transferCall(tenant, "call_none", to)), "CallNotFound")
        yield* blockNumber("acme", "+15550100004")
        assert.strictEqual(yield* tagOf(transferCall(tenant, callId, "+15550100004")), "CallNotAllowed")
        assert.deepInclude(yield* transferCall(tenant, callId, to), { transferredTo: "+15550100003" })
        const transfer = { tenantId: "acme", callId, leg: "C", from: own, to: "+15550100003", record: true }
        assert.deepStrictEqual(acts.slice(1), [{ act: "transfer", transfer }])
        assert.deepInclude(yield* report(callId, "agent", "completed"), { status: "in_progress" })
        assert.deepInclude(yield* report(callId, "transfer", "completed"), { status: "completed" })
        assert.strictEqual(yield* tagOf(transferCall(tenant, callId, to)), "CallNotInProgress")
      })
    )

    scene(
      "the newest recording is available, even without an event, and its erasure includes the provider",
      ({ calls: there }) =>
        Effect.gen(function* () {
          const { contact, order } = yield* open()
          const { contactId } = contact
          const received = Effect.gen(function* () {
            const { sound } = yield* readRecording("acme", contactId)
            return Buffer.concat([...(yield* Stream.runCollect(sound.bytes))]).toString()
          })
          assert.strictEqual(yield* tagOf(received), "RecordingNotFound")
          const { callId } = (yield* placeCall(order)).call
          assert.strictEqual(yield* tagOf(received), "RecordingNotFound")
          yield* report(callId, "contact", "answered", { legId: "C" })
          yield* report(callId, "contact", "completed", { legId: "C", durationSeconds: 60 })
          assert.strictEqual(yield* received, `recording of leg ${callId}`)
          yield* TestClock.setTime(day + 1_000)
          const second = (yield* placeCall(order)).call
          yield* applyRecordingReport(providerEvent(second.callId), { recordingId: "RE2", state: "ready", seconds: 9 })
          assert.strictEqual(yield* received, "RE2")
          const archive = yield* exported("acme")
          yield* eraseContact({ tenantId: "acme", contactId, confirm: contactId, requestedBy: "kim" })
          assert.deepStrictEqual(yield* (yield* Calls).page("acme", all, 9, null), [])
          yield* applyRecordingReport(providerEvent(second.callId), { recordingId: "RE3", state: "ready", seconds: 1 })
          yield* TestClock.setTime(day + settleMillis + 1_000)
          yield* drainJobs
          const gone = there.acts.flatMap((act) => (act.act === "remove_recording" ? [act.recordingId] : []))
          const unknown = [`leg ${callId}`, "C", `leg ${second.callId}`].map((leg) => `recording of ${leg}`)
          assert.deepStrictEqual(gone.toSorted(), ["RE2", "RE3", `recording of leg ${callId}`, ...unknown].toSorted())
          yield* freshPlace("copy")
          yield* imported("copy", archive)
          const copies = yield* (yield* Calls).page("copy", all, 9, null)
          assert.deepStrictEqual(
            copies.map(({ providerCallId, recording, recordingId }) => [providerCallId, recording, recordingId]),
            [
              [null, "gone", null],
              [null, "gone", null]
            ]
          )
        })
    )

    scene(
      "the erasure of a transferred call removes every part at the provider, and all are available until then",
      ({ calls: there }) =>
        Effect.gen(function* () {
          const { contact, order, tenant } = yield* open()
          const { contactId } = contact
          const { callId } = (yield* placeCall(order)).call
          const untold = (yield* placeCall(order)).call
          yield* report(callId, "contact", "answered", { legId: "C" })
          yield* transferCall(tenant, callId, "+15550100007")
          yield* applyRecordingReport(providerEvent(callId), { recordingId: "RE1", state: "ready", seconds: 9 })
          yield* report(callId, "transfer", "busy")
          yield* applyRecordingReport(providerEvent(callId), { recordingId: "RE2", state: "absent", seconds: null })
          const received = yield* (yield* Calls).get("acme", callId)
          assert.deepInclude(received, { recording: "ready", recordingId: "RE1", recordingSeconds: 9 })
          yield* applyRecordingReport(providerEvent(callId), { recordingId: "RE3", state: "ready", seconds: 5 })
          yield* eraseContact({ tenantId: "acme", contactId, confirm: contactId, requestedBy: "kim" })
          yield* drainJobs
          const gone = there.acts.flatMap((act) => (act.act === "remove_recording" ? [act.recordingId] : []))
          const listed = [`leg ${callId}`, "C", `leg ${untold.callId}`].map((leg) => `recording of ${leg}`)
          assert.includeMembers(gone, ["RE3", ...listed])
        })
    )
  })
}
