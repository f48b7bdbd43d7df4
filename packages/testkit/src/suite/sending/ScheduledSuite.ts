import { assert, describe } from "@effect/vitest"
import { parseInstant, open, type World } from "./ScheduledWorld.ts"
import type { ScheduledSend } from "@leadloom/core/internal/domain/sending/ScheduledSend"
import { sendLeaseMillis } from "@leadloom/core/internal/domain/sending/Reservation"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { ScheduledSends } from "@leadloom/core/internal/port/repository/conversation/ScheduledSends"
import { sendMessage } from "@leadloom/core/internal/workflow/conversation/SendMessage"
import { releaseScheduled, workDueScheduled } from "@leadloom/core/internal/workflow/schedule/ReleaseScheduled"
import { cancelScheduled, editScheduled, readScheduled } from "@leadloom/core/internal/workflow/schedule/ScheduledSends"
import { Clock, Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { acme, drainSends, present, scenesOn, type Services } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { upload } from "../upload/UploadSuite.ts"

const unchanged = { composition: {}, time: null, cancelOnReply: null, version: null }

/** Releases all due messages with three workers, then hands them over. */
const work = Effect.gen(function* () {
  yield* Effect.all([workDueScheduled(), workDueScheduled(), workDueScheduled()], { concurrency: 3 })
  yield* drainSends
})

const stateOf = (messageId: string) => Effect.map(readScheduled("acme", messageId), ({ state }) => state)

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant("schedule" as const), hours: fc.integer({ min: 1, max: 40 }) })
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("cancel" as const), index: fc.nat({ max: 5 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("edit" as const),
      index: fc.nat({ max: 5 }),
      hours: fc.integer({ min: 1, max: 40 })
    })
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("crash" as const), index: fc.nat({ max: 5 }) }) },
  { weight: 5, arbitrary: fc.record({ does: fc.constant("pass" as const), minutes: fc.integer({ min: 1, max: 700 }) }) }
)

type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

/** The messages of a story: how often each left, and which were cancelled successfully. */
interface Tale {
  readonly all: Array<ScheduledSend>
  readonly canceled: Set<string>
}

/** Runs one step. Cancelling and editing race with three workers. */
const run = Effect.fnUntraced(function* (world: World, tale: Tale, taken: Step) {
  if (taken.does === "schedule") {
    const { scheduled } = yield* world.schedule({ hours: taken.hours, body: `Message ${tale.all.length}` })
    tale.all.push(scheduled)
    return
  }
  if (taken.does === "pass") {
    yield* TestClock.adjust(taken.minutes * 60_000)
    return yield* work
  }
  const chosen = tale.all[taken.index]
  if (chosen === undefined) return
  const { messageId } = chosen
  if (taken.does === "crash") {
    // A worker that stopped after its claim: the claimed record is released again, by several servers.
    const claimed = yield* readScheduled("acme", messageId)
    yield* Effect.all([releaseScheduled(claimed), releaseScheduled(claimed), releaseScheduled(chosen)], {
      concurrency: 3
    })
    return yield* drainSends
  }
  if (taken.does === "cancel") {
    const [exit] = yield* Effect.all([Effect.exit(cancelScheduled("acme", messageId)), work], { concurrency: 2 })
    if (Exit.isSuccess(exit)) tale.canceled.add(messageId)
    return
  }
  const at = new Date((yield* Clock.currentTimeMillis) + taken.hours * 3_600_000).toISOString()
  const edit = editScheduled("acme", messageId, { ...unchanged, time: { text: at, zone: null } })
  yield* Effect.all([Effect.exit(edit), work], { concurrency: 2 })
})

/** Tests messages that are sent later on a store. */
export const scheduledSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store, "texts")

  describe(`a scheduled message on ${name}`, () => {
    scene("is not part of the conversation before its time, and is sent once at its time", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, schedule } = yield* open
        const { scheduled } = yield* schedule({ hours: 2 })
        const { messageId } = scheduled
        yield* work
        assert.deepStrictEqual([mail.outbox.length, (yield* acme.messagesOf(contactId)).length], [0, 1])
        yield* TestClock.adjust("2 hours")
        yield* work
        yield* work
        assert.strictEqual(mail.outbox.length, 1)
        const stored = yield* acme.messageOf(messageId)
        assert.deepStrictEqual([stored.contactId, stored.delivery, stored.actor], [contactId, "sent", "agent"])
        assert.strictEqual(stored.timestamp, yield* Clock.currentTimeMillis)
        assert.strictEqual(yield* stateOf(messageId), "sent")
      })
    )

    scene("moves from quiet hours to their end, in the contact's time zone", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, schedule } = yield* open
        const contacts = yield* Contacts
        const contact = yield* contacts.get("acme", contactId)
        yield* contacts.update({ ...contact, attributes: { time_zone: "America/New_York" } })
        const night = yield* schedule({ time: { text: "2026-03-02T23:30", zone: "contact" } })
        assert.strictEqual(night.scheduled.sendAt, parseInstant("2026-03-03T08:00:00-05:00"))
        const day = yield* schedule({ time: { text: "2026-03-03T09:30", zone: "contact" } })
        assert.strictEqual(day.scheduled.sendAt, parseInstant("2026-03-03T09:30:00-05:00"))
        // The workers were stopped during the day, so the message waits for the next morning.
        yield* TestClock.setTime(parseInstant("2026-03-03T22:00:00-05:00"))
        yield* work
        assert.deepStrictEqual(mail.outbox, [])
        assert.strictEqual((yield* readScheduled("acme", day.scheduled.messageId)).reason, "quiet hours")
        yield* TestClock.setTime(parseInstant("2026-03-04T08:00:00-05:00"))
        yield* work
        assert.strictEqual(mail.outbox.length, 2)
      })
    )

    scene("waits for its undo window also at night, and can be cancelled in it", ({ mail }) =>
      Effect.gen(function* () {
        const { schedule } = yield* open
        yield* TestClock.setTime(parseInstant("2026-03-02T23:00:00Z"))
        const [kept, undone] = [yield* schedule({ undoSeconds: 10 }), yield* schedule({ undoSeconds: 30 })]
        yield* TestClock.adjust("9 seconds")
        yield* work
        assert.strictEqual(mail.outbox.length, 0)
        assert.strictEqual((yield* cancelScheduled("acme", undone.scheduled.messageId)).state, "canceled")
        yield* TestClock.adjust("1 hour")
        yield* work
        assert.strictEqual(mail.outbox.length, 1)
        assert.strictEqual(yield* stateOf(kept.scheduled.messageId), "sent")
        const late = yield* Effect.flip(cancelScheduled("acme", kept.scheduled.messageId))
        assert.strictEqual(late._tag, "ScheduledSendEnded")
      })
    )

    scene("is checked again at its time: rules, recipients and connection", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, schedule } = yield* open
        const { scheduled } = yield* schedule({ hours: 1 })
        yield* (yield* Contacts).markUndeliverable("acme", "jo@customer.example", 1, "550 gone")
        const refused = yield* Effect.flip(schedule({ hours: 1 }))
        assert.strictEqual(refused._tag, "MailDenied")
        yield* TestClock.adjust("1 hour")
        yield* work
        assert.deepStrictEqual(mail.outbox, [])
        const { reason, state } = yield* readScheduled("acme", scheduled.messageId)
        assert.strictEqual(state, "failed")
        assert.include(reason ?? "", "550 gone")
        const task = (yield* acme.tasksOf(contactId)).find(({ type }) => type === "review")
        assert.strictEqual(task?.description, "We come on Monday.")
        const created = (yield* acme.events()).filter(
          ({ data, type }) => type === "task.created" && data["task_id"] === task?.taskId
        )
        assert.strictEqual(created.length, 1)
      })
    )

    scene("is cancelled by a newer message of the contact or of a colleague, if this is requested", ({ mail }) =>
      Effect.gen(function* () {
        const { contactId, schedule, tenant } = yield* open
        const waiting = [
          yield* schedule({ hours: 1, cancelOnReply: true }),
          yield* schedule({ hours: 1, cancelOnReply: false })
        ]
        yield* acme.handleMail({ id: "2@x.example", inReplyTo: "first@customer.example", body: "I changed my mind." })
        yield* TestClock.adjust("1 hour")
        yield* work
        const states = yield* Effect.forEach(waiting, ({ scheduled }) => stateOf(scheduled.messageId))
        assert.deepStrictEqual([states, mail.outbox.length], [["canceled", "sent"], 1])
        const { scheduled } = yield* schedule({ hours: 1, cancelOnReply: true })
        yield* TestClock.adjust("1 minute")
        yield* sendMessage(tenant, contactId, { channel: "email", body: "By me", replyAll: false }, null)
        yield* TestClock.adjust("1 hour")
        yield* work
        assert.strictEqual(yield* stateOf(scheduled.messageId), "canceled")
      })
    )

    scene("keeps its uploads, and can be edited until it is sent", ({ mail }) =>
      Effect.gen(function* () {
        const { schedule } = yield* open
        const { uploadId } = yield* upload("the plan")
        const attachments = [{ uploadId, contentId: null }]
        const { scheduled } = yield* schedule({ hours: 30, attachments })
        const edited = yield* editScheduled("acme", scheduled.messageId, {
          ...unchanged,
          composition: { body: "A better text", cc: [{ email: "boss@customer.example", name: null }] },
          version: 1
        })
        assert.strictEqual(edited.version, 2)
        const outdated = editScheduled("acme", scheduled.messageId, { ...unchanged, version: 1 })
        assert.strictEqual((yield* Effect.flip(outdated))._tag, "ScheduledSendOutdated")
        yield* TestClock.adjust("30 hours")
        yield* work
        const [left] = mail.outbox
        assert.deepStrictEqual(
          [left?.text, left?.cc.map(({ email }) => email), left?.attachments?.length],
          ["A better text", ["boss@customer.example"], 1]
        )
        const late = yield* Effect.flip(editScheduled("acme", scheduled.messageId, unchanged))
        assert.strictEqual(late._tag, "ScheduledSendEnded")
      })
    )

    scene("has one result per idempotency key, which an immediate message cannot use", () =>
      Effect.gen(function* () {
        const { contactId, schedule, tenant } = yield* open
        const first = yield* schedule({ hours: 2, key: "k" })
        const again = yield* schedule({ hours: 2, key: "k" })
        assert.deepStrictEqual([again.scheduled.messageId, again.replayed], [first.scheduled.messageId, true])
        assert.strictEqual((yield* Effect.flip(schedule({ hours: 3, key: "k" })))._tag, "IdempotencyConflict")
        const now = sendMessage(tenant, contactId, { channel: "email", body: "Hello", replyAll: false }, "k")
        assert.strictEqual((yield* Effect.flip(now))._tag, "IdempotencyConflict")
      })
    )

    scene("is never sent twice, after a cancellation or in quiet hours", ({ mail }) =>
      Effect.gen(function* () {
        const world = yield* open
        const context = yield* Effect.context<Services>()
        const report = Effect.fnUntraced(function* (taken: ReadonlyArray<Step>) {
          const tale: Tale = { all: [], canceled: new Set() }
          const before = mail.outbox.length
          for (const one of taken) yield* run(world, tale, one)
          yield* TestClock.adjust("80 hours")
          yield* TestClock.setTime(yield* world.nextMorning)
          for (let round = 0; round < 3; round++) {
            yield* work
            yield* TestClock.adjust(sendLeaseMillis * 2)
          }
          const left = mail.outbox.slice(before)
          assert.isTrue(
            left.every(({ date }) => world.isDay(date)),
            "a message left in quiet hours"
          )
          for (const [index, { messageId }] of tale.all.entries()) {
            const times = left.filter(({ text }) => text === `Message ${index}`).length
            const state = yield* stateOf(messageId)
            assert.strictEqual(times, tale.canceled.has(messageId) ? 0 : 1, `message ${index} is ${state}`)
          }
          const waiting = yield* (yield* ScheduledSends).count("acme", 10)
          assert.strictEqual(waiting, 0)
        })
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(fc.array(step, { maxLength: 12 }), (taken) =>
              Effect.runPromise(Effect.provideContext(report(taken), context))
            ),
            { numRuns: 15 }
          )
        )
        assert.isAbove(mail.outbox.length, 0)
        assert.isAbove(present(mail.outbox[0]).date, 0)
      })
    )
  })
}
