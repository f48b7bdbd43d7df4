import { assert, describe } from "@effect/vitest"
import { type MessageToSend, sendMessage } from "@leadloom/core/internal/workflow/conversation/SendMessage"
import { maxRepliesPerCorrespondent } from "@leadloom/core/internal/domain/consent/MaySend"
import type { OutgoingMail } from "@leadloom/core/internal/domain/email/OutgoingMail"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, scenesOn, thanks } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const open = Effect.gen(function* () {
  const tenant = yield* acme.open({ rules: [thanks], replyMode: "auto" })
  yield* acme.connectMail()
  return tenant
})

const letter = (changes: Partial<MessageToSend> = {}): MessageToSend => ({
  channel: "email",
  body: "We come on Monday.",
  replyAll: false,
  ...changes
})

const emailsOf = (mail: OutgoingMail | undefined) => ({
  to: mail?.to.map(({ email }) => email),
  cc: mail?.cc.map(({ email }) => email)
})

/** Tests the recipients of replies on a store, for replies of people and automatic replies. */
export const replySuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`an automatic reply on ${name}`, () => {
    scene(
      "goes to the Reply-To of the sender's organisation, and stays in the sender's conversation",
      ({ mail: { outbox } }) =>
        Effect.gen(function* () {
          yield* open
          const { contactId, leadId, threadId } = yield* acme.handleMail({
            more: ["Reply-To: Desk@mail.customer.example"]
          })
          assert.deepStrictEqual(emailsOf(outbox[0]), { to: ["desk@mail.customer.example"], cc: [] })
          const history = yield* acme.messagesOf(contactId)
          assert.deepStrictEqual(
            history.map((message) => [message.actor, message.leadId, message.threadId, message.delivery]),
            [
              ["contact", leadId, threadId, null],
              ["assistant", leadId, threadId, "sent"]
            ]
          )
        })
    )

    scene("waits for a person if the Reply-To address is not known to be the sender's", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        yield* open
        const diverted = (number: number, replyTo: string, from = "Jo <jo@gmail.com>") =>
          acme.handleMail({
            id: `${number}@x.example`,
            from,
            subject: `Roof ${number}`,
            more: [`Reply-To: ${replyTo}`]
          })
        const foreign = yield* diverted(1, "eve@evil.example")
        assert.include(foreign.step, "a person approves: a reply would go to eve@evil.example")
        assert.include((yield* diverted(2, "eve@gmail.com")).step, "not a known address of the sender")
        assert.include((yield* diverted(3, "jo@gmail.com, eve@gmail.com")).step, "several addresses")
        assert.deepStrictEqual(outbox, [])
        yield* (yield* Contacts).attach("acme", foreign.contactId, [{ kind: "email", value: "eve@evil.example" }], 1)
        yield* diverted(4, "eve@evil.example")
        assert.deepStrictEqual(emailsOf(outbox[0]).to, ["eve@evil.example"])
      })
    )

    scene("is refused and counted by the address that would receive it", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        yield* open
        const request = (number: number, desk: string) =>
          acme.handleMail({
            id: `${number}@x.example`,
            from: `p${number}@customer.example`,
            subject: `Roof ${number}`,
            more: [`Reply-To: ${desk}@customer.example`]
          })
        assert.include((yield* request(1, "noreply")).step, "not be answered")
        yield* (yield* Contacts).markUndeliverable("acme", "gone@customer.example", 1, "550 gone")
        assert.include((yield* request(2, "gone")).step, "550 gone")
        assert.deepStrictEqual(outbox, [])
        for (let number = 0; number < maxRepliesPerCorrespondent; number++) yield* request(10 + number, "desk")
        assert.strictEqual(outbox.length, maxRepliesPerCorrespondent)
        assert.include((yield* request(20, "desk")).step, "5 automatic replies were sent to this address")
        assert.include((yield* request(21, "another")).step, "the reply is sent automatically")
      })
    )
  })

  describe(`a person's message to a contact on ${name}`, () => {
    scene("replies to the newest email of the contact's newest lead, from its alias", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        const tenant = yield* open
        const first = yield* acme.handleMail({ id: "1@x.example", subject: "Door", body: "A door" })
        yield* acme.handleMail({
          id: "2@x.example",
          subject: "Window",
          body: "A window",
          to: "x@y.example, Sales@acme.com"
        })
        yield* acme.handleMail({ id: "3@x.example", inReplyTo: "1@x.example", subject: "Re: Door", body: "Hello?" })
        yield* acme.handleMail({ id: "4@x.example", subject: "Out of office", more: ["Auto-Submitted: auto-replied"] })
        const sent = yield* sendMessage(tenant, first.contactId, letter(), null)
        const [mail] = outbox
        assert.deepStrictEqual(
          [mail?.from.email, mail?.to, mail?.cc, mail?.subject, mail?.inReplyTo, mail?.automatic, sent.threadId],
          [
            "sales@acme.com",
            [{ email: "jo@customer.example", name: "Jo Smith" }],
            [],
            "Re: Door",
            "3@x.example",
            false,
            first.threadId
          ]
        )
        const stored = (yield* (yield* Messages).find("acme", sent.messageId)) ?? assert.fail("not stored")
        assert.deepStrictEqual(
          [stored.actor, stored.contactId, stored.leadId],
          ["agent", first.contactId, first.leadId]
        )
      })
    )

    scene("goes to all recipients of the mail on request, and a repeated one to the same", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        const tenant = yield* open
        const { contactId } = yield* acme.handleMail({
          body: "Hello",
          to: "sales@acme.com, bob@customer.example",
          more: ["Cc: office@acme.com, Boss@acme.com", "Reply-To: desk@elsewhere.example"]
        })
        yield* sendMessage(tenant, contactId, letter({ replyAll: true }), null)
        const everybody = { to: ["desk@elsewhere.example"], cc: ["bob@customer.example", "boss@acme.com"] }
        assert.deepStrictEqual(emailsOf(outbox[0]), everybody)
        yield* TestClock.adjust("1 minute")
        yield* sendMessage(tenant, contactId, letter({ replyAll: true, body: "Or Tuesday." }), null)
        assert.deepStrictEqual(emailsOf(outbox[1]), everybody)
        assert.strictEqual(outbox[1]?.inReplyTo, outbox[0]?.internetMessageId)
        assert.strictEqual((yield* acme.messagesOf(contactId)).length, 3)
      })
    )

    scene("is sent once per key, even if the contact has written since", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        const tenant = yield* open
        const { contactId } = yield* acme.handleMail({ id: "1@x.example", body: "Hello" })
        const first = yield* sendMessage(tenant, contactId, letter(), "k")
        yield* acme.handleMail({ id: "2@x.example", inReplyTo: "1@x.example", body: "Anybody?" })
        const again = yield* sendMessage(tenant, contactId, letter(), "k")
        assert.deepStrictEqual([again.messageId, again.replayed, outbox.length], [first.messageId, true, 1])
        const other = yield* Effect.flip(sendMessage(tenant, contactId, letter({ replyAll: true }), "k"))
        assert.strictEqual(other._tag, "IdempotencyConflict")
      })
    )

    scene("fails without an email lead, without a text provider, and for unknown contacts", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        const tenant = yield* open
        const { contactId } = yield* acme.handleMail({
          from: "MAILER-DAEMON@x.example",
          body: "x",
          more: ["Auto-Submitted: yes"]
        })
        const refused = (id: string, message: MessageToSend) =>
          Effect.map(Effect.flip(sendMessage(tenant, id, message, null)), ({ _tag }) => _tag)
        assert.strictEqual(yield* refused(contactId, letter()), "AnswerableEmailNotFound")
        assert.strictEqual(yield* refused(contactId, letter({ channel: "sms" })), "SmsNotConfigured")
        assert.strictEqual(yield* refused("con_of_nobody", letter()), "ContactNotFound")
        const closed = yield* Effect.flip(sendMessage({ ...tenant, hipaa: true }, contactId, letter(), null))
        assert.strictEqual(closed._tag, "EmailClosed")
        assert.deepStrictEqual(outbox, [])
      })
    )
  })
}
