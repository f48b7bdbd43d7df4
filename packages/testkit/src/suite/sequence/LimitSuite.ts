import { assert, describe } from "@effect/vitest"
import type { SequenceLimits } from "@leadloom/core/internal/domain/sequence/SequenceLimits"
import { messageIdKey } from "@leadloom/core/internal/workflow/intake/Recognise"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { recordConsentChange } from "@leadloom/core/internal/workflow/sending/RecordConsentChange"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { suppressAddresses } from "@leadloom/core/internal/workflow/intake/IngestEmail"
import { enrolContact } from "@leadloom/core/internal/workflow/sequence/EnrolContact"
import { readEnrolment } from "@leadloom/core/internal/workflow/sequence/Enrolments"
import { pauseSequence, resumeSequence } from "@leadloom/core/internal/workflow/sequence/PauseSequence"
import { workDueEnrolments } from "@leadloom/core/internal/workflow/sequence/RunStep"
import { readSequenceStatistics } from "@leadloom/core/internal/workflow/sequence/SequenceStatistics"
import { createSequence, readSequence } from "@leadloom/core/internal/workflow/sequence/Sequences"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainSends, inTenant, present, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { days, email, fields, now, open, outcomes, work } from "./SequenceWorld.ts"

const noLimits: SequenceLimits = {
  bounce_percent: null,
  complaint_percent: null,
  opt_out_percent: null,
  min_messages: 4
}

const addressOf = (guest: number) => `guest${guest}@customer.example`

/** Creates a sequence with limits, and enrols a number of guests. */
const begin = Effect.fnUntraced(function* (limits: Partial<SequenceLimits>, guests: number) {
  yield* open({}, "UTC")
  const steps = fields(email("hello", now), email("second", days(1)))
  const { sequenceId } = yield* createSequence("acme", { ...steps, limits: { ...noLimits, ...limits } })
  const enrol = Effect.fnUntraced(function* (guest: number) {
    const { contactId } = yield* createContact("acme", { email: addressOf(guest), name: "Guest" })
    const request = { tenantId: "acme", sequenceId, contactId, leadId: null, enrolledBy: "user:kim" }
    return (yield* enrolContact(request)).enrolment
  })
  const enrolments = yield* Effect.forEach(
    Array.from({ length: guests }, (_, guest) => guest),
    enrol
  )
  return { sequenceId, enrol, enrolments }
})

/** Lets the newest message of an enrolment return: as a bounce, a bounce of this mail only, or a complaint. */
const comeBack = Effect.fnUntraced(function* (
  enrolmentId: string,
  guest: number,
  report: { readonly complained?: boolean; readonly open?: boolean } = {}
) {
  const { history } = yield* readEnrolment("acme", enrolmentId)
  const message = present(yield* (yield* Messages).find("acme", present(history.at(-1)?.messageId ?? null)))
  const returned = suppressAddresses(
    "acme",
    [messageIdKey + present(message.internetMessageId)],
    [{ email: addressOf(guest), reason: "bounced 5.1.1", ...report }],
    yield* Clock.currentTimeMillis
  )
  yield* (yield* Transactions).atomically("acme", returned)
})

const optOut = Effect.fnUntraced(function* (
  contactId: Parameters<typeof recordConsentChange>[0]["contactId"],
  guest: number,
  optedOut = true
) {
  const at = yield* Clock.currentTimeMillis
  const consentChange = { optedOut, source: optedOut ? "unsubscribe" : "keyword", at } as const
  const target = { tenantId: "acme", contactId, phone: addressOf(guest), ownPhone: "" }
  yield* (yield* Transactions).atomically("acme", recordConsentChange({ ...target, consentChange }))
})

const pauseOf = (sequenceId: string) =>
  Effect.map(readSequence("acme", sequenceId), ({ pauseDetail, pauseReason }) => [pauseReason, pauseDetail])

/** Tests the limits that pause a sequence, on a store. */
export const limitSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`the limits of a sequence on ${name}`, () => {
    scene("pause it at too many bounces, before another message leaves", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol, enrolments, sequenceId } = yield* begin({ bounce_percent: 50 }, 4)
        yield* work
        assert.strictEqual(mail.outbox.length, 4)
        // One bounce is not enough, a repeated report counts once, and a failure of one mail is no hard bounce.
        yield* comeBack(present(enrolments[0]).enrolmentId, 0)
        yield* comeBack(present(enrolments[0]).enrolmentId, 0)
        yield* comeBack(present(enrolments[1]).enrolmentId, 1, { open: true })
        yield* enrol(4)
        yield* work
        assert.strictEqual(mail.outbox.length, 5)
        assert.deepStrictEqual(yield* pauseOf(sequenceId), [null, null])
        yield* comeBack(present(enrolments[2]).enrolmentId, 2)
        const sixth = yield* enrol(5)
        yield* work
        assert.strictEqual(mail.outbox.length, 6)
        yield* comeBack(sixth.enrolmentId, 5)
        // Three of six emails. Both steps are due in one claim.
        yield* enrol(6)
        yield* enrol(7)
        yield* work
        assert.strictEqual(mail.outbox.length, 6)
        const detail = "3 of 6 emails bounced in 7 days (50 %, limit 50 %)"
        assert.deepStrictEqual(yield* pauseOf(sequenceId), ["bounces", detail])
        yield* TestClock.adjust("2 days")
        yield* work
        assert.strictEqual(mail.outbox.length, 6)
        const events = (yield* acme.events()).filter(({ type }) => type === "sequence.paused")
        assert.deepStrictEqual(
          events.map(({ data }) => [data["sequence_id"], data["pause_reason"], data["pause_detail"]]),
          [[sequenceId, "bounces", detail]]
        )
        // A person continues it. The earlier bounces do not pause it again.
        yield* resumeSequence("acme", sequenceId)
        yield* resumeSequence("acme", sequenceId)
        yield* TestClock.adjust("15 minutes")
        yield* work
        assert.isAbove(mail.outbox.length, 6)
        assert.deepStrictEqual(yield* pauseOf(sequenceId), [null, null])
        const types = yield* acme.eventTypes()
        assert.strictEqual(types.filter((type) => type === "sequence.resumed").length, 1)
      })
    )

    scene("pause it at too many complaints, and not below the minimum of messages", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol, enrolments, sequenceId } = yield* begin({ complaint_percent: 0.3 }, 3)
        yield* work
        for (const guest of [0, 1]) {
          const { enrolmentId } = present(enrolments[guest])
          yield* comeBack(enrolmentId, guest, { complained: true })
        }
        yield* enrol(3)
        yield* work
        assert.deepStrictEqual([mail.outbox.length, yield* pauseOf(sequenceId)], [4, [null, null]])
        yield* enrol(4)
        yield* work
        assert.strictEqual(mail.outbox.length, 4)
        const detail = "2 of 4 emails were reported as spam in 7 days (50 %, limit 0.3 %)"
        assert.deepStrictEqual(yield* pauseOf(sequenceId), ["complaints", detail])
      })
    )

    scene("pause it at too many opt-outs of different contacts within seven days", ({ mail }) =>
      Effect.gen(function* () {
        const { enrol, enrolments, sequenceId } = yield* begin({ opt_out_percent: 40 }, 4)
        yield* work
        const [first, second] = [present(enrolments[0]), present(enrolments[1])]
        // A contact who changes its mind counts once.
        for (const optedOut of [true, false, true]) {
          yield* optOut(first.contactId, 0, optedOut)
          yield* TestClock.adjust("1 minute")
        }
        const counted = Effect.map(readSequenceStatistics("acme", sequenceId), ({ counts }) => counts.optedOut)
        assert.strictEqual(yield* counted, 1)
        yield* optOut(second.contactId, 1)
        assert.strictEqual(yield* counted, 2)
        yield* enrol(4)
        yield* work
        const detail = "contacts opted out after 2 of 4 messages in 7 days (50 %, limit 40 %)"
        assert.deepStrictEqual([mail.outbox.length, yield* pauseOf(sequenceId)], [4, ["opt_outs", detail]])
        yield* TestClock.adjust("8 days")
        const third = present(enrolments[2])
        yield* optOut(third.contactId, 2)
        const { counts } = yield* readSequenceStatistics("acme", sequenceId)
        assert.deepStrictEqual(counts, { emails: 0, texts: 0, bounced: 0, complained: 0, optedOut: 0 })
      })
    )

    scene("keep a message that waits for its provider, and are those of one tenant", ({ mail }) =>
      Effect.gen(function* () {
        const { enrolments, sequenceId } = yield* begin({}, 1)
        yield* workDueEnrolments()
        yield* pauseSequence("acme", sequenceId, "user:kim")
        yield* pauseSequence("acme", sequenceId, "user:lee")
        yield* drainSends
        assert.strictEqual(mail.outbox.length, 0)
        const { history } = yield* readEnrolment("acme", present(enrolments[0]).enrolmentId)
        const message = yield* acme.messageOf(present(history[0]).messageId)
        assert.strictEqual(message.delivery, "failed")
        assert.deepStrictEqual(yield* pauseOf(sequenceId), ["by_person", "user:kim"])
        const other = inTenant("other")
        yield* other.open()
        assert.strictEqual((yield* Effect.flip(resumeSequence("other", sequenceId)))._tag, "SequenceNotFound")
        yield* TestClock.adjust("1 day")
        yield* work
        assert.deepStrictEqual(outcomes(yield* readEnrolment("acme", present(enrolments[0]).enrolmentId)), [
          "hello sent"
        ])
      })
    )
  })
}
