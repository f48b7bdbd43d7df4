import { assert, describe } from "@effect/vitest"
import type { SequenceStep } from "@leadloom/core/internal/domain/sequence/Sequence"
import { unavailable } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { sendLeaseMillis } from "@leadloom/core/internal/domain/sending/Reservation"
import { Enrolments } from "@leadloom/core/internal/port/repository/sequence/Enrolments"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { eraseContact } from "@leadloom/core/internal/workflow/privacy/EraseContact"
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
import { runEnrolment } from "@leadloom/core/internal/workflow/sequence/RunStep"
import { createSequence, deleteSequence } from "@leadloom/core/internal/workflow/sequence/Sequences"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainSends, inTenant, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { days, email, fields, iso, now, open, outcomes, read, stopReason, work, workAt } from "./SequenceWorld.ts"

/** Enrols Jane in New York in a sequence of one text. */
const enrolByText = Effect.gen(function* () {
  yield* acme.connectPhone
  const { contactId } = yield* createContact("acme", { name: "Jane", phone: "+12125550100" })
  const text: SequenceStep = { name: "text", kind: "send", channel: "sms", body: "Hi {{ contact.name }}", delay: now }
  const { sequenceId } = yield* createSequence("acme", fields(text))
  const request = { tenantId: "acme", sequenceId, contactId, leadId: null, enrolledBy: "user:kim" }
  return (yield* enrolContact(request)).enrolment
})

/** Tests what people and servers do with enrolments, on a store. */
export const enrolmentSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "texts")

  describe(`an enrolment on ${name}`, () => {
    scene("waits while its tenant is archived, with few claims", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol } = yield* open({}, "UTC")
        const enrolment = yield* enrol(fields(email("hello", days(1))))
        const { archive, restore } = yield* Tenants
        yield* archive("acme", yield* Clock.currentTimeMillis)
        yield* TestClock.adjust("1 day")
        const claims = Effect.map((yield* Enrolments).find("acme", enrolment.enrolmentId), (found) => found?.attempts)
        yield* work
        const first = yield* claims
        yield* TestClock.adjust(sendLeaseMillis * 2)
        yield* work
        assert.deepStrictEqual([first, yield* claims, mail.outbox.length], [1, 1, 0])
        yield* restore("acme")
        yield* TestClock.adjust("1 hour")
        yield* work
        assert.deepStrictEqual(outcomes(yield* read(enrolment)), ["hello sent"])
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
        const enrolment = yield* enrolByText
        assert.strictEqual(iso(enrolment.nextAt), "2026-03-02T13:00:00.000Z")
        yield* workAt("2026-03-02T13:00:00Z")
        assert.deepStrictEqual(
          texts.outbox.map(({ text: sent }) => sent.body),
          ["Hi Jane"]
        )
      })
    )

    scene("sends no text in the quiet hours of the guardrails after its provider deferred it", ({ texts }) =>
      Effect.gen(function* () {
        yield* open({ guardrails: [{ id: "meeting", kind: "quiet_hours", from: "15:00", to: "17:00" }] })
        yield* enrolByText
        texts.fates.push(unavailable("sms", "429 try later", { retryAfterMillis: 9_000_000 }))
        const attempts: Array<number> = []
        for (const time of ["13:00", "15:30", "16:59", "17:00", "18:00"]) {
          yield* workAt(`2026-03-02T${time}:00Z`)
          attempts.push(texts.outbox.length)
        }
        assert.deepStrictEqual(attempts, [1, 1, 1, 2, 2])
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
