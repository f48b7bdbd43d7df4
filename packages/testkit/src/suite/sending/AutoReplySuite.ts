import { assert, describe } from "@effect/vitest"
import { maxSendsPerHour } from "@leadloom/core/internal/domain/sending/SendLimit"
import { workDueSends } from "@leadloom/core/internal/workflow/sending/WorkSends"
import type { Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { workDueSignals } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Sends } from "@leadloom/core/internal/port/repository/conversation/Sends"
import type { TenantConfig } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, letter, scenesOn, thanks } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const greeting: Rule = { ...thanks, actions: [{ type: "reply", template: "Thank you, {{contact.first_name}}." }] }

/** Creates the tenant with an account and automatic replies. */
const open = Effect.fnUntraced(function* (config: Partial<TenantConfig> = {}) {
  yield* acme.open({ rules: [greeting], replyMode: "auto", ...config })
  yield* acme.connectMail()
})

const fromPerson = { to: [{ email: "other@customer.example", name: null }], subject: "From a person", body: "Hello" }

/** Tests automatic replies on a store. */
export const autoReplySuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`automatic replies on ${name}`, () => {
    scene(
      "are checked again just before the send: an address with a bounce in between gets none",
      ({ mail: { outbox } }) =>
        Effect.gen(function* () {
          yield* open()
          yield* TestClock.adjust("1 minute")
          const { contactId } = yield* acme.receiveMail()
          yield* workDueSignals()
          const now = yield* Clock.currentTimeMillis
          yield* (yield* Contacts).markUndeliverable("acme", "jo@customer.example", now, "550 no such user")
          yield* workDueSends()
          assert.deepStrictEqual(outbox, [])
          const history = yield* acme.messagesOf(contactId)
          assert.deepStrictEqual(
            history.map(({ delivery }) => delivery),
            [null, "failed"]
          )
        })
    )

    scene("are sent once, from the alias of the mail, into the thread, marked as automatic", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        yield* open()
        const { contactId, leadId, run, signalId, step, threadId } = yield* acme.handleMail()
        assert.deepStrictEqual(run?.reply, { text: "Thank you, Jo.", channel: "email", requiresApproval: false })
        assert.include(step, "the reply is sent automatically, now")
        const [mail] = outbox
        assert.deepStrictEqual(
          [mail?.from, mail?.to, mail?.subject, mail?.inReplyTo, mail?.references, mail?.automatic],
          [
            { email: "sales@acme.com", name: "Acme" },
            [{ email: "jo@customer.example", name: "Jo Smith" }],
            "Re: A roof",
            "first@customer.example",
            ["first@customer.example"],
            true
          ]
        )
        const history = yield* acme.messagesOf(contactId)
        assert.deepStrictEqual(
          history.map((message) => [message.actor, message.delivery, message.threadId, message.leadId]),
          [
            ["contact", null, threadId, leadId],
            ["assistant", "sent", threadId, leadId]
          ]
        )
        assert.strictEqual((yield* (yield* Sends).findByKey("acme", `reply:${signalId}`))?.state, "confirmed")
        assert.isNull(yield* acme.draftOf(contactId))
        yield* TestClock.adjust("1 day")
        yield* workDueSignals()
        yield* workDueSends()
        assert.strictEqual(outbox.length, 1)
      })
    )

    scene("stay drafts without a connection, with the reason in the run", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        yield* acme.open({ rules: [greeting], replyMode: "auto" })
        const { contactId, run, step } = yield* acme.handleMail()
        assert.deepStrictEqual([run?.reply?.requiresApproval, outbox.length], [true, 0])
        assert.include(step, "no connected email account can send")
        assert.strictEqual((yield* acme.draftOf(contactId))?.text, "Thank you, Jo.")
      })
    )

    scene("stay drafts in draft mode", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        yield* open({ replyMode: "draft" })
        const { contactId, run } = yield* acme.handleMail()
        assert.deepStrictEqual([run?.reply?.requiresApproval, outbox.length], [true, 0])
        assert.isNotNull(yield* acme.draftOf(contactId))
      })
    )

    scene("are never sent to an address with bounces", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        yield* open()
        yield* (yield* Contacts).markUndeliverable("acme", "jo@customer.example", 1, "550 gone")
        const { run, step } = yield* acme.handleMail()
        assert.deepStrictEqual([run?.reply?.requiresApproval, outbox.length], [true, 0])
        assert.include(step, "550 gone")
      })
    )

    scene("stop after three in a thread, and continue after a person's message", () =>
      Effect.gen(function* () {
        yield* open()
        const again = (number: number) =>
          acme.handleMail({
            id: `${number}@x.example`,
            body: `Roof ${number}`,
            ...(number === 1 ? {} : { inReplyTo: "1@x.example" })
          })
        const answers = yield* Effect.forEach([1, 2, 3, 4], again)
        assert.deepStrictEqual(
          answers.map(({ run }) => run?.reply?.requiresApproval),
          [false, false, false, true]
        )
        assert.include(answers[3]?.step, "no person has written since")
        yield* acme.sendMail({ ...fromPerson, to: letter.to, replyToMessageId: answers[3]?.messageId ?? null })
        yield* TestClock.adjust("25 hours")
        const after = yield* again(5)
        assert.strictEqual(after.run?.reply?.requiresApproval, false)
      })
    )

    scene("stop after five to one address in a day, across threads", () =>
      Effect.gen(function* () {
        yield* open()
        const again = (number: number) => acme.handleMail({ id: `${number}@x.example`, subject: `Roof ${number}` })
        const answers = yield* Effect.forEach([1, 2, 3, 4, 5, 6], again)
        assert.deepStrictEqual(
          answers.map(({ run }) => run?.reply?.requiresApproval),
          [false, false, false, false, false, true]
        )
        yield* TestClock.adjust("24 hours")
        assert.strictEqual((yield* again(7)).run?.reply?.requiresApproval, false)
      })
    )

    scene(
      "wait for the hourly limit, keep their order before later requests, and are then sent",
      ({ mail: { outbox } }) =>
        Effect.gen(function* () {
          yield* open()
          yield* Effect.forEach(Array.from({ length: maxSendsPerHour }), () => acme.sendMail(fromPerson))
          const full = yield* Clock.currentTimeMillis
          const { run, step } = yield* acme.handleMail()
          assert.strictEqual(run?.reply?.requiresApproval, false)
          assert.include(step, `as soon as the hourly limit permits: ${new Date(full + 3_600_000).toISOString()}`)
          assert.strictEqual(outbox.length, maxSendsPerHour)
          yield* TestClock.setTime(full + 3_600_000 - 1)
          assert.strictEqual(yield* workDueSends(), 0)
          yield* TestClock.adjust(1)
          assert.strictEqual(yield* workDueSends(), 1)
          assert.isTrue(outbox.at(-1)?.automatic)
          const room = yield* acme.sendMail(fromPerson)
          assert.strictEqual(room.rate.remaining, maxSendsPerHour - 2)
        })
    )

    scene(
      "are cancelled if the contact writes again while they wait; the newest message gets a reply",
      ({ mail: { outbox } }) =>
        Effect.gen(function* () {
          yield* open()
          yield* Effect.forEach(Array.from({ length: maxSendsPerHour }), () => acme.sendMail(fromPerson))
          const first = yield* acme.handleMail()
          const second = yield* acme.handleMail({
            id: "2@x.example",
            inReplyTo: "first@customer.example",
            body: "A roof!"
          })
          assert.strictEqual(outbox.length, maxSendsPerHour)
          yield* TestClock.adjust("1 hour")
          yield* workDueSends()
          const sends = yield* Sends
          const states = yield* Effect.forEach([first, second], ({ signalId }) =>
            Effect.map(sends.findByKey("acme", `reply:${signalId}`), (send) => send?.state)
          )
          assert.deepStrictEqual(states, ["failed", "confirmed"])
          assert.deepStrictEqual(
            outbox.slice(maxSendsPerHour).map(({ inReplyTo }) => inReplyTo),
            ["2@x.example"]
          )
        })
    )
  })
}
