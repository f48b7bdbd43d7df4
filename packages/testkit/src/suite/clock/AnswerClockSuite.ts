import { assert, describe } from "@effect/vitest"
import { Enrolments } from "@leadloom/core/internal/port/repository/sequence/Enrolments"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { enrolContact } from "@leadloom/core/internal/workflow/sequence/EnrolContact"
import { workDueEnrolments } from "@leadloom/core/internal/workflow/sequence/RunStep"
import { createSequence } from "@leadloom/core/internal/workflow/sequence/Sequences"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { answer, begin, chase, later, listed, titles } from "../pipeline/TriggerWorld.ts"
import { acme, drainSends, inTenant, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { days, email, fields, now, open, outcomes, read, stopReason, work } from "../sequence/SequenceWorld.ts"

const hour = 3_600_000

/** Runs an effect on a server whose clock differs from the test clock. */
const onServer =
  (differenceMillis: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const millis = () => clock.currentTimeMillisUnsafe() + differenceMillis
      const nanos = () => BigInt(millis()) * 1_000_000n
      const other: Clock.Clock = {
        ...clock,
        sleep: (duration) => clock.sleep(duration),
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        currentTimeMillisUnsafe: millis,
        currentTimeMillis: Effect.sync(millis),
        currentTimeNanosUnsafe: nanos,
        currentTimeNanos: Effect.sync(nanos)
      }
      return yield* Effect.provideService(effect, Clock.Clock, other)
    })

/** The clock of the server that accepts answers is an hour behind the one that enrols. */
const behind = onServer(-hour)

const twoMessages = fields(email("hello", now), email("reminder", days(1)))

const yes = { id: "yes@x.example", inReplyTo: "first@customer.example", body: "Yes, please." }

/** Tests that answers count whatever the clocks of servers show, on a store. */
export const answerClockSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`an answer that a wrong clock dates too early on ${name}`, () => {
    scene("stops the sequence, and automatic mail and other contacts do not", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol } = yield* open({}, "UTC")
        const enrolment = yield* enrol(twoMessages)
        yield* work
        const away = { id: "away@x.example", body: "I am away.", more: ["Auto-Submitted: auto-replied"] }
        const { contactId } = yield* behind(acme.receiveMail(away))
        assert.strictEqual(contactId, enrolment.contactId)
        yield* behind(acme.receiveMail({ id: "other@x.example", from: "Kim <kim@x.example>" }))
        const stranger = inTenant("other")
        yield* stranger.open({})
        yield* behind(stranger.receiveMail({ id: "tenant@x.example" }))
        assert.isNull((yield* read(enrolment)).answeredAt)
        yield* TestClock.adjust("1 minute")
        const { messageId } = yield* behind(acme.receiveMail(yes))
        const { receivedAt } = yield* acme.messageOf(present(messageId))
        assert.isBelow(receivedAt, enrolment.createdAt)
        assert.strictEqual((yield* read(enrolment)).answeredAt, receivedAt)
        yield* TestClock.adjust("1 minute")
        yield* behind(acme.receiveMail({ ...yes, id: "again@x.example", body: "When do you come?" }))
        assert.strictEqual((yield* read(enrolment)).answeredAt, receivedAt)
        yield* TestClock.adjust("2 days")
        yield* work
        assert.deepStrictEqual(yield* stopReason(enrolment), ["stopped", "replied"])
        assert.deepStrictEqual(outcomes(yield* read(enrolment)), ["hello sent"])
        assert.strictEqual(mail.outbox.length, 1)
        const [group] = yield* (yield* Enrolments).groups("acme", enrolment.sequenceId, 10)
        assert.deepInclude(group, { contacts: 1, answered: 1 })
      })
    )

    scene("keeps back the last message while it waits for its provider", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol } = yield* open({}, "UTC")
        const enrolment = yield* enrol(fields(email("hello", now)))
        yield* workDueEnrolments()
        const { history, state } = yield* read(enrolment)
        assert.strictEqual(state, "completed")
        yield* behind(acme.receiveMail(yes))
        yield* drainSends
        assert.strictEqual(mail.outbox.length, 0)
        assert.strictEqual((yield* acme.messageOf(present(present(history[0]).messageId))).delivery, "failed")
      })
    )

    scene("does not stop a sequence that begins after it, also if the clocks are right again", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol } = yield* open({}, "UTC")
        yield* behind(acme.receiveMail(yes))
        const enrolment = yield* enrol(twoMessages)
        yield* work
        yield* TestClock.adjust("1 day")
        yield* work
        assert.deepStrictEqual(outcomes(yield* read(enrolment)), ["hello sent", "reminder sent"])
        assert.strictEqual(mail.outbox.length, 2)
      })
    )

    scene("stops a sequence that has moved to the contact with a merge", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId } = yield* open({}, "UTC")
        const other = yield* createContact("acme", { name: "Jo", email: "jo2@x.example" })
        const { sequenceId } = yield* createSequence("acme", twoMessages)
        const request = { tenantId: "acme", sequenceId, contactId: other.contactId, leadId: null, enrolledBy: "kim" }
        const { enrolment } = yield* enrolContact(request)
        yield* mergeContacts("acme", contactId, other.contactId)
        yield* behind(acme.receiveMail(yes))
        yield* work
        assert.deepStrictEqual(yield* stopReason(enrolment), ["stopped", "replied"])
        assert.strictEqual(mail.outbox.length, 0)
      })
    )

    scene("prevents a rule that waits for it, and not one with another trigger", () =>
      Effect.gen(function* () {
        const { contactId } = yield* begin([chase], false)
        // Our server is ahead, so that its message is newer than the answer for every clock.
        yield* onServer(hour)(answer)
        yield* TestClock.adjust("1 minute")
        yield* acme.handleMail({ ...yes, date: new Date(yield* Clock.currentTimeMillis).toUTCString() })
        const [waiting] = yield* listed()
        assert.deepStrictEqual([waiting?.state, waiting?.answeredAt === null], ["waiting", false])
        yield* later("4 hours")
        const [run] = yield* listed()
        assert.deepStrictEqual([run?.state, run?.reason], ["prevented", "the contact has written since"])
        assert.deepStrictEqual(yield* titles(contactId), [])
      })
    )
  })
}
