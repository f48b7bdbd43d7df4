import { assert, describe } from "@effect/vitest"
import type { Enrolment } from "@leadloom/core/internal/domain/sequence/Enrolment"
import type { SequenceFields, SequenceStep } from "@leadloom/core/internal/domain/sequence/Sequence"
import type { TenantConfig } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { sendLeaseMillis } from "@leadloom/core/internal/domain/sending/Reservation"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Enrolments } from "@leadloom/core/internal/port/repository/sequence/Enrolments"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { recordConsent } from "@leadloom/core/internal/workflow/consent/RecordConsent"
import { identitiesOfRecord } from "@leadloom/core/internal/workflow/contact/ReadIdentities"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { transitionLead } from "@leadloom/core/internal/workflow/lead/TransitionLead"
import { eraseContact } from "@leadloom/core/internal/workflow/privacy/EraseContact"
import { changeDelivery } from "@leadloom/core/internal/workflow/provider/ChangeDelivery"
import { enrolContact } from "@leadloom/core/internal/workflow/sequence/EnrolContact"
import {
  listEnrolments,
  pauseEnrolment,
  readEnrolment,
  resumeEnrolment,
  skipStep,
  stopEnrolment
} from "@leadloom/core/internal/workflow/sequence/Enrolments"
import { previewSequence } from "@leadloom/core/internal/workflow/sequence/PreviewSequence"
import { runEnrolment, workDueEnrolments } from "@leadloom/core/internal/workflow/sequence/RunStep"
import {
  createSequence,
  deleteSequence,
  readSequence,
  updateSequence
} from "@leadloom/core/internal/workflow/sequence/Sequences"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainSends, inTenant, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const at = (text: string): number => Date.parse(text)

const days = (amount: number) => ({ amount, unit: "days" }) as const
const now = { amount: 0, unit: "minutes" } as const

const email = (name: string, delay: SequenceStep["delay"], more: Partial<SequenceStep> = {}): SequenceStep =>
  ({
    name,
    kind: "send",
    channel: "email",
    subject: `${name}`,
    body: `${name} for {{ contact.first_name }}`,
    delay,
    ...more
  }) as SequenceStep

const fields = (...steps: readonly [SequenceStep, ...ReadonlyArray<SequenceStep>]): SequenceFields => ({
  name: "Quotes",
  steps,
  stopOn: []
})

/** Runs all due steps with three workers, then hands the messages over. */
const work = Effect.gen(function* () {
  yield* Effect.all([workDueEnrolments(), workDueEnrolments(), workDueEnrolments()], { concurrency: 3 })
  yield* drainSends
})

/** Moves the clock to a time and works. */
const workAt = (text: string) => Effect.andThen(TestClock.setTime(at(text)), work)

/** A tenant in UTC that has received a mail of Jo, who lives in New York unless `zone` differs. */
const open = Effect.fnUntraced(function* (config: Partial<TenantConfig> = {}, zone = "America/New_York") {
  yield* acme.open({ timeZone: "UTC", ...config })
  yield* acme.connectMail()
  const { contactId, leadId } = yield* acme.handleMail()
  const contacts = yield* Contacts
  yield* contacts.update({ ...(yield* contacts.get("acme", contactId)), attributes: { time_zone: zone } })
  yield* TestClock.adjust("1 minute")
  const enrol = Effect.fnUntraced(function* (sequence: SequenceFields) {
    const { sequenceId } = yield* createSequence("acme", sequence)
    const request = { tenantId: "acme", sequenceId, contactId, leadId: null, enrolledBy: "user:kim" }
    const { enrolment } = yield* enrolContact(request)
    return { ...enrolment, request }
  })
  return { contactId, leadId: present(leadId), enrol }
})

const read = ({ enrolmentId }: Pick<Enrolment, "enrolmentId">) => readEnrolment("acme", enrolmentId)

const outcomes = ({ history }: Enrolment) => history.map(({ outcome, step }) => `${step} ${outcome}`)

const stopReason = (enrolment: Enrolment) => Effect.map(read(enrolment), (found) => [found.state, found.stopReason])

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())

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

    scene("is paused, continued, skipped and stopped by people", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol } = yield* open({ maxSequenceMessagesPerDay: 100 }, "UTC")
        const enrolment = yield* enrol(
          fields(email("hello", now), email("second", days(1)), email("third", days(1)), email("fourth", days(1)))
        )
        const { enrolmentId, request } = enrolment
        const again = yield* enrolContact(request)
        assert.deepStrictEqual([again.created, again.enrolment.enrolmentId], [false, enrolmentId])
        yield* work
        yield* pauseEnrolment("acme", enrolmentId)
        yield* pauseEnrolment("acme", enrolmentId)
        yield* TestClock.adjust("3 days")
        yield* work
        assert.deepStrictEqual([mail.outbox.length, (yield* read(enrolment)).state], [1, "paused"])
        yield* resumeEnrolment("acme", enrolmentId)
        yield* work
        assert.strictEqual(mail.outbox.length, 2)
        const skipped = yield* skipStep("acme", enrolmentId, "user:kim")
        assert.deepStrictEqual([skipped.step, outcomes(skipped).at(-1)], ["fourth", "third skipped"])
        yield* stopEnrolment("acme", enrolmentId)
        assert.strictEqual((yield* stopEnrolment("acme", enrolmentId)).stopReason, "by_person")
        const ended = yield* Effect.flip(resumeEnrolment("acme", enrolmentId))
        assert.strictEqual(ended._tag, "EnrolmentEnded")
        yield* TestClock.adjust("3 days")
        yield* work
        assert.strictEqual(mail.outbox.length, 2)
        // After its end, the contact can be enrolled again.
        assert.isTrue((yield* enrolContact(request)).created)
        yield* deleteSequence("acme", request.sequenceId)
        yield* work
        assert.strictEqual(mail.outbox.length, 2)
        const filter = { sequenceId: request.sequenceId, contactId: null, state: "stopped" } as const
        const { items } = yield* listEnrolments("acme", filter, { limit: 10, cursor: null })
        assert.deepStrictEqual(
          items.map((one) => one.stopReason),
          ["by_person", "sequence_deleted"]
        )
        assert.strictEqual((yield* Effect.flip(enrolContact(request)))._tag, "SequenceNotFound")
      })
    )

    scene("is sent once by several servers, and after a server that stopped after its claim", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol } = yield* open({}, "UTC")
        const enrolment = yield* enrol(fields(email("hello", now), email("reminder", days(1))))
        const enrolments = yield* Enrolments
        const time = yield* Clock.currentTimeMillis
        // The first server claims the enrolment and stops before its unit of work.
        const [lost] = yield* enrolments.claim(8, time, time + sendLeaseMillis)
        yield* work
        assert.strictEqual(mail.outbox.length, 0)
        yield* TestClock.adjust(sendLeaseMillis)
        const [second] = yield* enrolments.claim(8, time + sendLeaseMillis, time + 2 * sendLeaseMillis)
        // The first server continues after all, together with the one that has claimed the enrolment since.
        const claims = [present(lost), present(second), present(second)]
        yield* Effect.forEach(claims, (claim) => runEnrolment(claim), { concurrency: 3 })
        yield* drainSends
        yield* work
        assert.strictEqual(mail.outbox.length, 1)
        assert.deepStrictEqual(outcomes(yield* read(enrolment)), ["hello sent"])
      })
    )

    scene("refuses a step with its reason, and continues with the next one", ({ mail, texts }) =>
      Effect.gen(function* () {
        const { enrol } = yield* open({}, "UTC")
        const text: SequenceStep = { name: "text", kind: "send", channel: "sms", body: "Hello", delay: now }
        const enrolment = yield* enrol(fields(text, email("hello", now)))
        yield* work
        yield* work
        const { history } = yield* read(enrolment)
        assert.deepStrictEqual(
          history.map(({ outcome }) => outcome),
          ["refused", "sent"]
        )
        assert.isNotNull(present(history[0]).reason)
        assert.deepStrictEqual([mail.outbox.length, texts.outbox.length], [1, 0])
      })
    )

    scene("sends texts in the contact's day", ({ texts }) =>
      Effect.gen(function* () {
        yield* open()
        yield* acme.connectPhone
        const { contactId } = yield* createContact("acme", { name: "Jane", phone: "+12125550100" })
        const text: SequenceStep = {
          name: "text",
          kind: "send",
          channel: "sms",
          body: "Hi {{ contact.name }}",
          delay: now
        }
        const { sequenceId } = yield* createSequence("acme", fields(text))
        const request = { tenantId: "acme", sequenceId, contactId, leadId: null, enrolledBy: "user:kim" }
        const { enrolment } = yield* enrolContact(request)
        assert.strictEqual(iso(enrolment.nextAt), "2026-03-02T13:00:00.000Z")
        yield* workAt("2026-03-02T13:00:00Z")
        assert.deepStrictEqual(
          texts.outbox.map(({ text: sent }) => sent.body),
          ["Hi Jane"]
        )
      })
    )

    scene("shows a preview, and stores nothing", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId } = yield* open()
        const task: SequenceStep = { name: "call", kind: "task", title: "Call", delay: now }
        const steps = fields(email("hello", now, { body: "{{ contact.company }}!" }), email("more", now), task)
        const { sequenceId } = yield* createSequence("acme", steps)
        const shown = yield* previewSequence("acme", sequenceId, contactId)
        assert.deepStrictEqual(
          shown.map((one) => [one.step.name, iso(one.at), one.body, one.missing]),
          [
            ["hello", "2026-03-02T13:00:00.000Z", "!", ["contact.company"]],
            ["more", "2026-03-03T13:00:00.000Z", "more for Jo", []],
            ["call", "2026-03-03T13:00:00.000Z", null, []]
          ]
        )
        yield* workAt("2026-03-10T13:00:00Z")
        assert.strictEqual(mail.outbox.length, 0)
      })
    )

    scene("is rejected with every fault", () =>
      Effect.gen(function* () {
        yield* open()
        const window = [{ days: ["mon" as const], from: "17:00", to: "09:00" }]
        const wrong = fields(
          email("a", now, { body: "{{ contact.frist_name }}" }),
          email("a", now, { channel: "sms", window })
        )
        const error = yield* Effect.flip(createSequence("acme", { ...wrong, name: " " }))
        const issues = error._tag === "SequenceInvalid" ? error.issues : []
        assert.deepStrictEqual(
          issues.map(({ path }) => path),
          ["name", "steps.0.body", "steps.1.name", "steps.1.window", "steps.1.subject"]
        )
      })
    )

    scene("belongs to its tenant, moves with a merge, and is erased with its contact", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, enrol } = yield* open({}, "UTC")
        const enrolment = yield* enrol(fields(email("hello", days(1))))
        const { enrolmentId, request } = enrolment
        const other = inTenant("other")
        yield* TestClock.setTime(yield* Clock.currentTimeMillis)
        const time = yield* Clock.currentTimeMillis
        yield* other.open()
        yield* TestClock.setTime(time)
        assert.strictEqual((yield* Effect.flip(readEnrolment("other", enrolmentId)))._tag, "EnrolmentNotFound")
        const foreign = { ...request, tenantId: "other" }
        assert.strictEqual((yield* Effect.flip(enrolContact(foreign)))._tag, "SequenceNotFound")

        const { contactId: duplicate } = yield* createContact("acme", { email: "jo@other.example", name: "Jo" })
        const second = yield* enrolContact({ ...request, contactId: duplicate })
        yield* mergeContacts("acme", contactId, duplicate)
        assert.strictEqual((yield* read(second.enrolment)).contactId, contactId)
        yield* TestClock.adjust("1 day")
        yield* work
        assert.deepStrictEqual(yield* stopReason(second.enrolment), ["stopped", "enrolled_twice"])
        assert.strictEqual(mail.outbox.length, 1)

        yield* enrolContact(request)
        yield* eraseContact({ tenantId: "acme", contactId, confirm: contactId, requestedBy: "admin" })
        const filter = { sequenceId: request.sequenceId, contactId: null, state: null }
        assert.deepStrictEqual((yield* listEnrolments("acme", filter, { limit: 10, cursor: null })).items, [])
        yield* TestClock.adjust("3 days")
        yield* work
        assert.strictEqual(mail.outbox.length, 1)
      })
    )
  })
}
