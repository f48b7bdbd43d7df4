import { assert, describe } from "@effect/vitest"
import type { ContactFields } from "@leadloom/core/internal/domain/contact/ContactFields"
import { shareOf } from "@leadloom/core/internal/domain/sequence/StepText"
import type { SequenceStep } from "@leadloom/core/internal/domain/sequence/Sequence"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { recordConsent } from "@leadloom/core/internal/workflow/consent/RecordConsent"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { identitiesOfRecord } from "@leadloom/core/internal/workflow/contact/ReadIdentities"
import { createField } from "@leadloom/core/internal/workflow/field/ChangeFields"
import { enrolContact } from "@leadloom/core/internal/workflow/sequence/EnrolContact"
import { readResults } from "@leadloom/core/internal/workflow/sequence/ReadResults"
import { createSequence } from "@leadloom/core/internal/workflow/sequence/Sequences"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { days, email, fields, iso, now, open, outcomes, read, stopReason, work, workAt } from "./SequenceWorld.ts"

/** Creates a contact in UTC and enrols it. */
const enrolNew = Effect.fnUntraced(function* (sequenceId: string, of: ContactFields) {
  const { contactId } = yield* createContact("acme", of)
  const contacts = yield* Contacts
  yield* contacts.update({ ...(yield* contacts.get("acme", contactId)), attributes: { time_zone: "UTC" } })
  const request = { tenantId: "acme", sequenceId, contactId, leadId: null, enrolledBy: "user:kim" }
  return (yield* enrolContact(request)).enrolment
})

const setVisit = Effect.fnUntraced(function* (contactId: string, visit: string | null) {
  const contacts = yield* Contacts
  const contact = yield* contacts.get("acme", contactId)
  yield* contacts.update({ ...contact, customFields: visit === null ? {} : { visit } })
})

const wait = (more: Partial<SequenceStep>): SequenceStep =>
  ({ name: "rest", kind: "wait", delay: now, ...more }) as SequenceStep

/** Tests the steps of sequences with several channels, texts and ends of waits, on a store. */
export const stepSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "texts")

  describe(`a step of a sequence on ${name}`, () => {
    scene(
      "uses the first channel that has an address and is permitted, and says why not the others",
      ({ mail, texts }) =>
        Effect.gen(function* () {
          yield* open({}, "UTC")
          yield* acme.connectPhone
          const step = email("hello", days(1), {
            fallback: [{ channel: "sms", body: "Text for {{ contact.first_name }}" }]
          })
          const { sequenceId } = yield* createSequence("acme", fields(step))
          const both = yield* enrolNew(sequenceId, { name: "Both", email: "both@x.example", phone: "+12125550111" })
          const phone = yield* enrolNew(sequenceId, { name: "Phone", phone: "+12125550112" })
          const out = yield* createContact("acme", { name: "Out", email: "out@x.example", phone: "+12125550113" })
          const identities = yield* identitiesOfRecord(yield* acme.contactOf(out.contactId))
          const address = present(identities.find(({ identity }) => identity.kind === "email"))
          yield* recordConsent("acme", out.contactId, {
            identityId: address.identityId,
            optedOut: true,
            source: "call",
            proof: "said so",
            recordedBy: "kim",
            isManager: false
          })
          yield* TestClock.adjust("1 minute")
          const request = {
            tenantId: "acme",
            sequenceId,
            contactId: out.contactId,
            leadId: null,
            enrolledBy: "user:kim"
          }
          const optedOut = (yield* enrolContact(request)).enrolment
          const none = yield* enrolNew(sequenceId, { name: "None", email: null, phone: null })
          yield* TestClock.adjust("32 hours")
          yield* work
          yield* work
          const entries = yield* Effect.forEach([both, phone, optedOut, none], (enrolment) =>
            Effect.map(read(enrolment), ({ history }) => history.at(-1))
          )
          assert.deepStrictEqual(
            entries.map((entry) => [entry?.outcome, entry?.channel, entry?.reason]),
            [
              ["sent", "email", null],
              ["sent", "sms", "email: the contact has no email address"],
              ["sent", "sms", "email: the contact has opted out"],
              ["refused", undefined, "email: the contact has no email address; sms: the contact has no number"]
            ]
          )
          assert.deepStrictEqual(
            mail.outbox.map(({ to }) => to[0]?.email),
            ["both@x.example"]
          )
          assert.deepStrictEqual(texts.outbox.map(({ text }) => [text.body, text.to]).toSorted(), [
            ["Text for Out", "+12125550113"],
            ["Text for Phone", "+12125550112"]
          ])
        })
    )

    scene("sends each enrolment one of its texts by their weights, and counts the answers", ({ mail }) =>
      Effect.gen(function* () {
        yield* open({}, "UTC")
        const variants = [
          { name: "short", weight: 3, subject: "Short", body: "Short for {{ contact.first_name }}" }
        ] as const
        const { sequenceId } = yield* createSequence(
          "acme",
          fields(email("hello", now, { variants }), email("last", days(1)))
        )
        const numbers = Array.from({ length: 12 }, (_, number) => number)
        const enrolments = yield* Effect.forEach(numbers, (number) =>
          enrolNew(sequenceId, { name: `N${number}`, email: `n${number}@x.example` })
        )
        const expected = enrolments.map(({ enrolmentId }) =>
          shareOf("acme", enrolmentId, "hello") < 0.25 ? "control" : "short"
        )
        yield* work
        yield* work
        const histories = yield* Effect.forEach(enrolments, (enrolment) =>
          Effect.map(read(enrolment), ({ history }) => history)
        )
        assert.deepStrictEqual(
          histories.map(([entry]) => entry?.variant),
          expected
        )
        const subjects = new Map(mail.outbox.map(({ subject, to }) => [to[0]?.email, subject]))
        assert.deepStrictEqual(
          numbers.map((number) => subjects.get(`n${number}@x.example`)),
          expected.map((variant) => (variant === "short" ? "Short" : "hello"))
        )
        assert.strictEqual(mail.outbox.length, 12)
        // The first contact answers the first message, the second one the last message, and a program another one.
        yield* TestClock.adjust("1 minute")
        yield* acme.receiveMail({ id: "a@x.example", from: "n0@x.example", body: "Yes" })
        yield* acme.receiveMail({ id: "b@x.example", from: "n2@x.example", more: ["Auto-Submitted: auto-replied"] })
        yield* TestClock.adjust("1 day")
        yield* work
        yield* TestClock.adjust("1 minute")
        yield* acme.receiveMail({ id: "c@x.example", from: "n1@x.example", body: "Yes, too" })
        const { enrolments: counted, results } = yield* readResults("acme", sequenceId)
        const sentOf = (variant: string) => expected.filter((one) => one === variant).length
        const answeredOf = (variant: string) => (expected[0] === variant ? 1 : 0)
        assert.strictEqual(counted, 12)
        assert.sameDeepMembers(
          [...results],
          [
            ...["control", "short"]
              .filter((variant) => sentOf(variant) > 0)
              .map((variant) => ({
                step: "hello",
                variant,
                sent: sentOf(variant),
                answered: answeredOf(variant),
                opened: 0
              })),
            { step: "last", variant: null, sent: 11, answered: 1, opened: 0 }
          ]
        )
      })
    )

    scene("waits until a time of day, and until a date of the contact that may move", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, enrol } = yield* open({ maxSequenceMessagesPerDay: 100 })
        yield* createField("acme", { key: "visit", label: "Visit", type: "date" })
        const morning = yield* enrol(fields(wait({ until: { time: "10:00" } }), email("hello", now)))
        assert.strictEqual(iso(morning.nextAt), "2026-03-02T15:00:00.000Z")
        yield* workAt("2026-03-02T15:00:00Z")
        yield* work
        assert.deepStrictEqual(outcomes(yield* read(morning)), ["rest waited", "hello sent"])
        yield* setVisit(contactId, "2026-03-20")
        const eve = fields(wait({ until: { field: "visit", days: -1, time: "10:00" } }), email("tomorrow", now))
        const waiting = yield* enrol(eve)
        assert.strictEqual(iso(waiting.nextAt), "2026-03-19T14:00:00.000Z")
        yield* workAt("2026-03-03T15:00:00Z")
        yield* setVisit(contactId, "2026-03-10")
        yield* workAt("2026-03-04T15:00:00Z")
        assert.strictEqual(iso((yield* read(waiting)).nextAt), "2026-03-09T14:00:00.000Z")
        yield* workAt("2026-03-09T13:59:00Z")
        assert.strictEqual(mail.outbox.length, 1)
        yield* workAt("2026-03-09T14:00:00Z")
        yield* work
        assert.deepStrictEqual(outcomes(yield* read(waiting)), ["rest waited", "tomorrow sent"])
        assert.strictEqual(mail.outbox.length, 2)
        // The date has passed, or is missing.
        yield* TestClock.setTime(Date.parse("2026-03-11T15:00:00Z"))
        const late = yield* enrol({ ...eve, name: "Late" })
        yield* work
        assert.deepStrictEqual(yield* stopReason(late), ["stopped", "no_date"])
        yield* setVisit(contactId, null)
        const missing = yield* enrol({ ...eve, name: "Missing" })
        yield* work
        assert.deepStrictEqual(yield* stopReason(missing), ["stopped", "no_date"])
        const until = { field: "visit", otherwise: "continue" } as const
        const on = yield* enrol(fields(wait({ until }), email("hello", now)))
        yield* work
        yield* work
        const { history } = yield* read(on)
        assert.deepStrictEqual(
          history.map(({ outcome, reason }) => [outcome, reason]),
          [
            ["waited", "the contact has no date in the field visit"],
            ["sent", null]
          ]
        )
      })
    )

    scene("is rejected with every fault in its channels, texts and waits", () =>
      Effect.gen(function* () {
        yield* open()
        const faulty = email("hello", now, {
          body: "{{ contact.unsubscribe_url }}",
          variants: [
            { name: "control", body: "{{ contact.nothing }}" },
            { name: "b", body: "Fine" }
          ],
          fallback: [{ channel: "email", subject: "Again", body: "Again" }]
        })
        const unfit = email("unfit", now, { body: "{{ contact.unsubscribe_url }}", fallback: [{ channel: "sms" }] })
        const failed = yield* Effect.flip(
          createSequence("acme", fields(faulty, unfit, wait({ until: { field: "visit" } })))
        )
        assert.strictEqual(failed._tag, "SequenceInvalid")
        assert.deepStrictEqual(failed._tag === "SequenceInvalid" ? failed.issues.map(({ path }) => path) : [], [
          "steps.0.variants.0.name",
          "steps.0.variants.0.body",
          "steps.0.fallback.0.channel",
          "steps.1.fallback.0.body",
          "steps.2.until.field"
        ])
      })
    )
  })
}
