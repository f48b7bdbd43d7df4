import { assert, describe } from "@effect/vitest"
import type { SequenceStep } from "@leadloom/core/internal/domain/sequence/Sequence"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { recordConsent } from "@leadloom/core/internal/workflow/consent/RecordConsent"
import { identitiesOfRecord } from "@leadloom/core/internal/workflow/contact/ReadIdentities"
import { transitionLead } from "@leadloom/core/internal/workflow/lead/TransitionLead"
import { changeDelivery } from "@leadloom/core/internal/workflow/provider/ChangeDelivery"
import { workDueEnrolments } from "@leadloom/core/internal/workflow/sequence/RunStep"
import { readSequence, updateSequence } from "@leadloom/core/internal/workflow/sequence/Sequences"
import { unavailable } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainSends, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { at, days, email, fields, iso, now, open, outcomes, read, stopReason, work, workAt } from "./SequenceWorld.ts"

/** Tests sequences and enrolments on a store. */
export const sequenceSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "texts")

  describe(`a sequence on ${name}`, () => {
    scene("runs its steps over days in the contact's local time, also over a clock change", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, enrol, leadId } = yield* open()
        const task: SequenceStep = { name: "call", kind: "task", title: "Call Jo", delay: days(1) }
        const wait: SequenceStep = { name: "rest", kind: "wait", delay: days(1) }
        const enrolment = yield* enrol(
          fields(email("hello", now), email("reminder", days(2)), wait, task, email("last", days(5)))
        )
        // It is 04:02 in New York.
        assert.strictEqual(iso(enrolment.nextAt), "2026-03-02T13:00:00.000Z")
        yield* work
        assert.strictEqual(mail.outbox.length, 0)
        yield* workAt("2026-03-02T13:00:00Z")
        yield* workAt("2026-03-04T12:59:00Z")
        assert.deepStrictEqual(
          mail.outbox.map(({ text, to }) => [text, to[0]?.email]),
          [["hello for Jo", "jo@customer.example"]]
        )
        yield* workAt("2026-03-04T13:00:00Z")
        yield* workAt("2026-03-05T13:00:00Z")
        yield* workAt("2026-03-06T13:00:00Z")
        const tasks = yield* acme.tasksOf(contactId)
        assert.include(
          tasks.map(({ title }) => title),
          "Call Jo"
        )
        // The clocks change on 8 March, so 08:00 is one hour earlier in UTC.
        assert.strictEqual(iso((yield* read(enrolment)).nextAt), "2026-03-11T12:00:00.000Z")
        yield* workAt("2026-03-11T12:00:00Z")
        yield* workAt("2026-03-20T12:00:00Z")
        const done = yield* read(enrolment)
        assert.deepStrictEqual([done.state, done.step, done.leadId], ["completed", null, leadId])
        assert.deepStrictEqual(outcomes(done), [
          "hello sent",
          "reminder sent",
          "rest waited",
          "call task_created",
          "last sent"
        ])
        assert.deepStrictEqual(
          mail.outbox.map(({ subject }) => subject),
          ["hello", "reminder", "last"]
        )
        const message = yield* acme.messageOf(present(done.history[0]).messageId)
        assert.deepStrictEqual([message.actor, message.delivery, message.contactId], ["assistant", "sent", contactId])
        const types = (yield* acme.eventTypes()).filter((type) => type.startsWith("sequence."))
        assert.deepStrictEqual(types, [
          "sequence.enrolled",
          "sequence.step_sent",
          "sequence.step_sent",
          "sequence.step_sent",
          "sequence.completed"
        ])
      })
    )

    scene("stops when the contact replies, but not for automatic mail", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol } = yield* open({}, "UTC")
        const enrolment = yield* enrol(fields(email("hello", now), email("reminder", days(1)), email("last", days(1))))
        yield* work
        const away = ["Auto-Submitted: auto-replied"]
        yield* acme.receiveMail({ id: "away@x.example", inReplyTo: "first@customer.example", more: away })
        yield* TestClock.adjust("1 day")
        yield* work
        assert.strictEqual(mail.outbox.length, 2)
        yield* TestClock.adjust("1 minute")
        yield* acme.receiveMail({ id: "yes@x.example", inReplyTo: "first@customer.example", body: "Yes, please." })
        yield* TestClock.adjust("2 days")
        yield* work
        assert.deepStrictEqual(yield* stopReason(enrolment), ["stopped", "replied"])
        assert.strictEqual(mail.outbox.length, 2)
        const stopped = (yield* acme.events()).find(({ type }) => type === "sequence.stopped")
        assert.strictEqual(stopped?.data["stop_reason"], "replied")
      })
    )

    scene("does not send a message that waits for its provider once the contact has replied", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol } = yield* open({}, "UTC")
        const enrolment = yield* enrol(fields(email("hello", now), email("reminder", days(1))))
        yield* Effect.all([workDueEnrolments()])
        const { messageId } = present((yield* read(enrolment)).history[0])
        yield* TestClock.adjust("1 minute")
        yield* acme.receiveMail({ id: "yes@x.example", inReplyTo: "first@customer.example", body: "Yes, please." })
        yield* drainSends
        assert.strictEqual(mail.outbox.length, 0)
        assert.strictEqual((yield* acme.messageOf(messageId)).delivery, "failed")
      })
    )

    scene("stops after an opt-out, a bounce, a closed lead, and a change of the stage", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, enrol, leadId } = yield* open({ maxSequenceMessagesPerDay: 100 }, "UTC")
        const steps = [email("hello", now), email("reminder", days(1))] as const
        const bounced = yield* enrol(fields(...steps))
        yield* work
        const { messageId } = present((yield* read(bounced)).history[0])
        const transactions = yield* Transactions
        yield* transactions.atomically("acme", changeDelivery("acme", present(messageId), "bounced", "550 no"))
        const staged = yield* enrol({ ...fields(...steps), stopOn: ["stage_changed"] })
        const closed = yield* enrol({ ...fields(...steps), stopOn: ["lead_closed"] })
        const open2 = yield* enrol(fields(...steps))
        yield* work
        assert.strictEqual(mail.outbox.length, 4)
        yield* transitionLead("acme", leadId, "archived", null)
        yield* TestClock.adjust("1 day")
        yield* work
        assert.deepStrictEqual(yield* stopReason(bounced), ["stopped", "bounced"])
        assert.deepStrictEqual(yield* stopReason(staged), ["stopped", "stage_changed"])
        assert.deepStrictEqual(yield* stopReason(closed), ["stopped", "lead_closed"])
        assert.deepStrictEqual((yield* stopReason(open2))[0], "completed")
        assert.strictEqual(mail.outbox.length, 5)

        const out = yield* enrol(fields(...steps))
        const address = present(
          (yield* identitiesOfRecord(yield* acme.contactOf(contactId))).find(
            ({ identity }) => identity.kind === "email"
          )
        )
        yield* recordConsent("acme", contactId, {
          identityId: address.identityId,
          optedOut: true,
          source: "call",
          proof: "said so",
          recordedBy: "kim",
          isManager: false
        })
        yield* work
        assert.deepStrictEqual(yield* stopReason(out), ["stopped", "opted_out"])
        assert.strictEqual(mail.outbox.length, 5)
      })
    )

    scene("waits for the hours of a step, the contact's quiet hours and those of the guardrails", ({ mail }) =>
      Effect.gen(function* () {
        const guardrails = [{ id: "noon", kind: "quiet_hours", from: "12:00", to: "14:00" }] as const
        const { enrol } = yield* open({ guardrails, maxSequenceMessagesPerDay: 100 }, "Europe/Berlin")
        const window = [{ days: ["tue" as const], from: "09:00", to: "17:00" }]
        const tuesday = yield* enrol(fields(email("tuesday", now, { window })))
        // It is Monday.
        assert.strictEqual(iso(tuesday.nextAt), "2026-03-03T08:00:00.000Z")
        const noon = yield* enrol(fields(email("noon", { amount: 3, unit: "hours" })))
        assert.strictEqual(iso(noon.nextAt), "2026-03-02T14:00:00.000Z")
        const late = yield* enrol(fields(email("late", { amount: 1, unit: "hours" })))
        // The workers were stopped until the night.
        yield* workAt("2026-03-02T22:00:00Z")
        assert.strictEqual(mail.outbox.length, 0)
        const waiting = yield* read(late)
        assert.strictEqual(iso(waiting.nextAt), "2026-03-03T07:00:00.000Z")
        assert.deepInclude(waiting.history, {
          step: "late",
          version: 1,
          outcome: "delayed",
          at: at("2026-03-02T22:00:00Z"),
          reason: "quiet hours",
          until: at("2026-03-03T07:00:00Z"),
          messageId: null,
          taskId: null
        })
        yield* workAt("2026-03-03T07:00:00Z")
        assert.strictEqual(mail.outbox.length, 2)
        yield* workAt("2026-03-03T08:00:00Z")
        assert.strictEqual(mail.outbox.length, 3)
      })
    )

    scene("sends no message in the quiet hours of the guardrails after its provider deferred it", ({ mail }) =>
      Effect.gen(function* () {
        const guardrails = [{ id: "noon", kind: "quiet_hours", from: "12:00", to: "14:00" }] as const
        const { enrol } = yield* open({ guardrails }, "UTC")
        const later = at("2026-03-02T12:30:00Z") - (yield* Clock.currentTimeMillis)
        mail.fates.push(unavailable("mail", "451 try later", { retryAfterMillis: later }))
        yield* enrol(fields(email("one", now)))
        yield* work
        assert.strictEqual(mail.outbox.length, 1)
        yield* workAt("2026-03-02T13:00:00Z")
        assert.strictEqual(mail.outbox.length, 1)
        yield* workAt("2026-03-02T14:00:00Z")
        assert.strictEqual(mail.outbox.length, 2)
      })
    )

    scene("sends no more than the daily limit, across sequences and after a jump of the clock", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol } = yield* open({}, "UTC")
        const one = yield* enrol(fields(email("one", now), email("two", days(1)), email("three", days(1))))
        const other = yield* enrol(fields(email("other", { amount: 1, unit: "hours" })))
        yield* work
        yield* workAt("2026-03-02T12:00:00Z")
        assert.strictEqual(mail.outbox.length, 1)
        const delayed = yield* read(other)
        assert.deepStrictEqual(
          [iso(delayed.nextAt), outcomes(delayed)],
          ["2026-03-03T08:00:00.000Z", ["other delayed"]]
        )
        assert.include(present(delayed.history[0]).reason ?? "", "at most 1")
        // No worker ran for ten days.
        yield* workAt("2026-03-12T12:00:00Z")
        yield* work
        assert.strictEqual(mail.outbox.length, 2)
        for (let day = 13; day < 18; day++) {
          const before = mail.outbox.length
          yield* workAt(`2026-03-${day}T12:00:00Z`)
          yield* work
          assert.isAtMost(mail.outbox.length - before, 1)
        }
        assert.strictEqual(mail.outbox.length, 4)
        assert.deepStrictEqual([(yield* read(one)).state, (yield* read(other)).state], ["completed", "completed"])
      })
    )

    scene("keeps the version of running enrolments, unless a change migrates them", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol } = yield* open({ maxSequenceMessagesPerDay: 100 }, "UTC")
        const old = yield* enrol(fields(email("hello", now), email("old", days(1)), email("end", days(1))))
        yield* work
        const change = fields(email("hello", now), email("new", days(2)))
        const changed = yield* updateSequence("acme", old.sequenceId, change, false)
        assert.deepStrictEqual([changed.version, (yield* readSequence("acme", old.sequenceId)).version], [2, 2])
        const renamed = yield* updateSequence("acme", old.sequenceId, { name: "Other" }, false)
        assert.strictEqual(renamed.version, 2)
        const outdated = yield* Effect.flip(updateSequence("acme", old.sequenceId, { name: "Lost" }, false, [1]))
        assert.deepInclude(outdated, { _tag: "SequenceOutdated", currentVersion: 2 })
        assert.strictEqual((yield* readSequence("acme", old.sequenceId)).name, "Other")
        yield* updateSequence("acme", old.sequenceId, { name: "Same" }, false, [1, 2])
        yield* TestClock.adjust("1 day")
        yield* work
        assert.strictEqual(mail.outbox.at(-1)?.subject, "old")
        const third = fields(
          email("hello", now),
          email("old", days(1)),
          email("newest", days(3)),
          email("end", days(1))
        )
        yield* updateSequence("acme", old.sequenceId, third, true)
        yield* updateSequence("acme", old.sequenceId, fields(email("hello", now)), false)
        yield* TestClock.adjust("1 day")
        yield* work
        const moved = yield* read(old)
        assert.deepStrictEqual([moved.version, moved.step, moved.history.at(-1)?.outcome], [3, "newest", "delayed"])
        yield* TestClock.adjust("2 days")
        yield* work
        yield* TestClock.adjust("1 day")
        yield* work
        assert.deepStrictEqual(
          mail.outbox.map(({ subject }) => subject),
          ["hello", "old", "newest", "end"]
        )
      })
    )
  })
}
