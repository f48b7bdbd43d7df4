import { inMemoryEmailTransport } from "../../memory/EmailTransport.ts"
import { assert, describe, layer } from "@effect/vitest"
import { type MessageToSend, sendMessage } from "@leadloom/core/workflow/conversation/SendMessage"
import { connectEmail } from "@leadloom/core/workflow/mailbox/ConnectEmail"
import { ingestEmail } from "@leadloom/core/workflow/intake/IngestEmail"
import { maxRepliesPerCorrespondent } from "@leadloom/core/domain/consent/MaySend"
import type { OutgoingMail } from "@leadloom/core/domain/email/OutgoingMail"
import { updateAliases } from "@leadloom/core/workflow/mailbox/Grants"
import { workDueSends } from "@leadloom/core/workflow/sending/WorkSends"
import { stepText } from "@leadloom/core/domain/run/Run"
import { workDueSignals } from "@leadloom/core/workflow/pipeline/WorkSignals"
import { Contacts } from "@leadloom/core/port/repository/contact/Contacts"
import { Messages } from "@leadloom/core/port/repository/conversation/Messages"
import { Runs } from "@leadloom/core/port/repository/pipeline/Runs"
import type { Tenant } from "@leadloom/core/domain/tenant/Tenant"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { around, type MailText, openTenant, rawMail, type StoreLayer } from "../World.ts"

const open = Effect.gen(function* () {
  const thanks = {
    id: "rule_thanks",
    name: "Thanks",
    priority: 1,
    when: { fact: "message.text", op: "contains", value: "roof" },
    actions: [{ type: "reply", template: "Thank you." }]
  } as const
  const tenant = yield* openTenant("acme", { rules: [thanks], replyMode: "auto" })
  yield* connectEmail("acme", { provider: "smtp", email: "office@acme.com", name: "Acme", providerGrantId: null })
  yield* updateAliases(tenant, ["sales@acme.com"])
  return tenant
})

/** Receives a mail, runs the workers, and returns its contact and the state of the reply. */
const receive = Effect.fnUntraced(function* (tenant: Tenant, mail: MailText) {
  yield* TestClock.adjust("1 minute")
  const { contactId, leadId, signalId, threadId } = yield* ingestEmail({
    tenant,
    raw: rawMail(mail),
    source: "smtp",
    historical: false
  })
  yield* workDueSignals()
  yield* workDueSends()
  const run = signalId === null ? null : yield* (yield* Runs).ofSignal("acme", signalId)
  const reply = run?.steps.find((each) => each.step === "reply")
  const step = reply === undefined ? "" : stepText(reply)
  return { contactId: contactId ?? assert.fail("no contact"), leadId, threadId, step }
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
  const outbox: Array<OutgoingMail> = []
  const world = Layer.mergeAll(store, around, inMemoryEmailTransport(outbox))
  const scene = (title: string, test: () => Effect.Effect<void, unknown, Layer.Success<typeof world>>) =>
    layer(Layer.fresh(world))("on a fresh store", (it) =>
      it.effect(title, () =>
        Effect.suspend(() => {
          outbox.length = 0
          return test()
        })
      )
    )

  describe(`an automatic reply on ${name}`, () => {
    scene("goes to the Reply-To of the sender's organisation, and stays in the sender's conversation", () =>
      Effect.gen(function* () {
        const tenant = yield* open
        const { contactId, leadId, threadId } = yield* receive(tenant, {
          more: ["Reply-To: Desk@mail.customer.example"]
        })
        assert.deepStrictEqual(emailsOf(outbox[0]), { to: ["desk@mail.customer.example"], cc: [] })
        const history = yield* (yield* Messages).ofContact("acme", contactId)
        assert.deepStrictEqual(
          history.map((message) => [message.actor, message.leadId, message.threadId, message.delivery]),
          [
            ["contact", leadId, threadId, null],
            ["assistant", leadId, threadId, "sent"]
          ]
        )
      })
    )

    scene("waits for a person if the Reply-To address is not known to be the sender's", () =>
      Effect.gen(function* () {
        const tenant = yield* open
        const diverted = (number: number, replyTo: string, from = "Jo <jo@gmail.com>") =>
          receive(tenant, {
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

    scene("is refused and counted by the address that would receive it", () =>
      Effect.gen(function* () {
        const tenant = yield* open
        const request = (number: number, desk: string) =>
          receive(tenant, {
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
    scene("replies to the newest email of the contact's newest lead, from its alias", () =>
      Effect.gen(function* () {
        const tenant = yield* open
        const first = yield* receive(tenant, { id: "1@x.example", subject: "Door", body: "A door" })
        yield* receive(tenant, {
          id: "2@x.example",
          subject: "Window",
          body: "A window",
          to: "x@y.example, Sales@acme.com"
        })
        yield* receive(tenant, { id: "3@x.example", inReplyTo: "1@x.example", subject: "Re: Door", body: "Hello?" })
        yield* receive(tenant, { id: "4@x.example", subject: "Out of office", more: ["Auto-Submitted: auto-replied"] })
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

    scene("goes to all recipients of the mail on request, and a repeated one to the same", () =>
      Effect.gen(function* () {
        const tenant = yield* open
        const { contactId } = yield* receive(tenant, {
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
        assert.strictEqual((yield* (yield* Messages).ofContact("acme", contactId)).length, 3)
      })
    )

    scene("is sent once per key, even if the contact has written since", () =>
      Effect.gen(function* () {
        const tenant = yield* open
        const { contactId } = yield* receive(tenant, { id: "1@x.example", body: "Hello" })
        const first = yield* sendMessage(tenant, contactId, letter(), "k")
        yield* receive(tenant, { id: "2@x.example", inReplyTo: "1@x.example", body: "Anybody?" })
        const again = yield* sendMessage(tenant, contactId, letter(), "k")
        assert.deepStrictEqual([again.messageId, again.replayed, outbox.length], [first.messageId, true, 1])
        const other = yield* Effect.flip(sendMessage(tenant, contactId, letter({ replyAll: true }), "k"))
        assert.strictEqual(other._tag, "IdempotencyConflict")
      })
    )

    scene("fails without an email lead, without a text provider, and for unknown contacts", () =>
      Effect.gen(function* () {
        const tenant = yield* open
        const { contactId } = yield* receive(tenant, {
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
