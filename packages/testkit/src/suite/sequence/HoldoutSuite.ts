import { assert, describe } from "@effect/vitest"
import type { ContactId, SequenceId } from "@leadloom/core/internal/domain/Id"
import { isHeldOut } from "@leadloom/core/internal/domain/sequence/Holdout"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { enrolContact } from "@leadloom/core/internal/workflow/sequence/EnrolContact"
import { pauseEnrolment } from "@leadloom/core/internal/workflow/sequence/Enrolments"
import { readSequenceStatistics } from "@leadloom/core/internal/workflow/sequence/SequenceStatistics"
import { createSequence, updateSequence } from "@leadloom/core/internal/workflow/sequence/Sequences"
import { transitionLead } from "@leadloom/core/internal/workflow/lead/TransitionLead"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, inTenant, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { email, fields, now, open, work } from "./SequenceWorld.ts"

/** Returns a contact in the holdout group of a half, and one outside. */
const groupsOf = Effect.fnUntraced(function* (sequenceId: SequenceId) {
  const found: { held: ContactId | null; free: ContactId | null } = { held: null, free: null }
  for (let number = 0; found.held === null || found.free === null; number++) {
    const { contactId } = yield* createContact("acme", { email: `guest${number}@customer.example`, name: "Guest" })
    const isOut = isHeldOut({ tenantId: "acme", sequenceId, contactId, holdoutPercent: 50 })
    found[isOut ? "held" : "free"] = contactId
  }
  return { held: found.held, free: found.free }
})

const enrol = (sequenceId: string, contactId: string) =>
  enrolContact({ tenantId: "acme", sequenceId, contactId, leadId: null, enrolledBy: "user:kim" })

/** Tests holdout groups and the numbers of groups, on a store. */
export const holdoutSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`the holdout group of a sequence on ${name}`, () => {
    scene("gets no message, is recorded once, and is compared with the others", ({ mail }) =>
      Effect.gen(function* () {
        yield* open({}, "UTC")
        const { sequenceId } = yield* createSequence("acme", { ...fields(email("hello", now)), holdoutPercent: 50 })
        const { free, held } = yield* groupsOf(sequenceId)
        const out = yield* enrol(sequenceId, held)
        assert.deepStrictEqual([out.created, out.enrolment.state, out.enrolment.step], [true, "held_out", null])
        assert.strictEqual((yield* enrol(sequenceId, free)).enrolment.state, "active")
        yield* TestClock.adjust("1 day")
        yield* work
        assert.deepStrictEqual(
          mail.outbox.map(({ to }) => to.map((one) => one.email)),
          [[(yield* acme.contactOf(free)).email]]
        )
        const again = yield* enrol(sequenceId, held)
        assert.deepStrictEqual([again.created, again.enrolment.enrolmentId], [false, out.enrolment.enrolmentId])
        assert.strictEqual(
          (yield* Effect.flip(pauseEnrolment("acme", out.enrolment.enrolmentId)))._tag,
          "EnrolmentEnded"
        )
        const types = (yield* acme.eventTypes()).filter((type) => type.startsWith("sequence."))
        assert.deepStrictEqual(types, [
          "sequence.held_out",
          "sequence.enrolled",
          "sequence.step_sent",
          "sequence.completed"
        ])
        const { enrolled, heldOut, since } = yield* readSequenceStatistics("acme", sequenceId)
        assert.deepStrictEqual([enrolled.contacts, heldOut.contacts, since], [1, 1, out.enrolment.createdAt])
        // Without a holdout group, a new enrolment of the contact gets the messages.
        yield* updateSequence("acme", sequenceId, { holdoutPercent: 0 }, false)
        assert.strictEqual((yield* enrol(sequenceId, held)).enrolment.state, "active")
      })
    )

    scene("counts each contact once, its answers after the enrolment, and won leads", () =>
      Effect.gen(function* () {
        const { enrol: begin, leadId } = yield* open({}, "UTC")
        const { request } = yield* begin(fields(email("hello", now)))
        yield* work
        yield* enrolContact(request)
        const numbers = Effect.map(readSequenceStatistics("acme", request.sequenceId), ({ enrolled, heldOut }) => [
          [enrolled.contacts, enrolled.answered, enrolled.won],
          [heldOut.contacts, heldOut.answered, heldOut.won]
        ])
        // Jo has two enrolments, and wrote before both.
        assert.deepStrictEqual(yield* numbers, [
          [1, 0, 0],
          [0, 0, 0]
        ])
        yield* TestClock.adjust("1 minute")
        yield* acme.handleMail({ id: "away@x.example", more: ["Auto-Submitted: auto-replied"] })
        assert.deepStrictEqual(yield* numbers, [
          [1, 0, 0],
          [0, 0, 0]
        ])
        yield* acme.handleMail({ id: "yes@x.example", body: "Yes, please." })
        assert.deepStrictEqual(yield* numbers, [
          [1, 1, 0],
          [0, 0, 0]
        ])
        for (const state of ["engaged", "qualified", "won"] as const)
          if ((yield* acme.leadOf(leadId)).state !== state) yield* transitionLead("acme", leadId, state, null)
        assert.deepStrictEqual(yield* numbers, [
          [1, 1, 1],
          [0, 0, 0]
        ])
        const other = inTenant("other")
        yield* other.open()
        const foreign = yield* Effect.flip(readSequenceStatistics("other", request.sequenceId))
        assert.strictEqual(foreign._tag, "SequenceNotFound")
      })
    )
  })
}
