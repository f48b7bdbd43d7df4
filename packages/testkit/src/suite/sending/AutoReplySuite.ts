import { inMemoryEmailTransport } from "../../memory/EmailTransport.ts"
import { assert, describe, layer } from "@effect/vitest"
import { connectEmail } from "@leadloom/core/workflow/mailbox/ConnectEmail"
import { ingestEmail } from "@leadloom/core/workflow/intake/IngestEmail"
import type { OutgoingMail } from "@leadloom/core/domain/email/OutgoingMail"
import { type SendInput, sendEmail } from "@leadloom/core/workflow/sending/SendEmail"
import { maxSendsPerHour } from "@leadloom/core/domain/sending/SendLimit"
import { updateAliases } from "@leadloom/core/workflow/mailbox/Grants"
import { workDueSends } from "@leadloom/core/workflow/sending/WorkSends"
import type { MessageId, SignalId } from "@leadloom/core/domain/Id"
import type { Rule } from "@leadloom/core/domain/rule/Rule"
import { stepText } from "@leadloom/core/domain/run/Run"
import { workDueSignals } from "@leadloom/core/workflow/pipeline/WorkSignals"
import { Contacts } from "@leadloom/core/port/repository/contact/Contacts"
import { Drafts } from "@leadloom/core/port/repository/conversation/Drafts"
import { Messages } from "@leadloom/core/port/repository/conversation/Messages"
import { Runs } from "@leadloom/core/port/repository/pipeline/Runs"
import { Sends } from "@leadloom/core/port/repository/conversation/Sends"
import type { Tenant } from "@leadloom/core/domain/tenant/Tenant"
import type { TenantConfig } from "@leadloom/core/domain/tenant/TenantConfig"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { around, type MailText, openTenant, rawMail, type StoreLayer } from "../World.ts"

const thanks: Rule = {
  id: "rule_thanks",
  name: "Thanks",
  priority: 1,
  when: { fact: "message.text", op: "contains", value: "roof" },
  actions: [{ type: "reply", template: "Thank you, {{contact.first_name}}." }]
}

const open = (config: Partial<TenantConfig> = {}) =>
  Effect.gen(function* () {
    const tenant = yield* openTenant("acme", { rules: [thanks], replyMode: "auto", ...config })
    yield* connectEmail("acme", { provider: "smtp", providerGrantId: null, email: "office@acme.com", name: "Acme" })
    yield* updateAliases(tenant, ["sales@acme.com"])
    return tenant
  })

/** Receives a mail, runs the pipeline and the workers, and returns the state of the reply. */
const answerTo = Effect.fnUntraced(function* (tenant: Tenant, mail: MailText) {
  yield* TestClock.adjust("1 minute")
  const accepted = yield* ingestEmail({ tenant, raw: rawMail(mail), source: "smtp", historical: false })
  yield* workDueSignals()
  yield* workDueSends()
  const signalId: SignalId = accepted.signalId ?? assert.fail("no signal")
  const run = (yield* (yield* Runs).ofSignal("acme", signalId)) ?? assert.fail("no run")
  const reply = run.steps.find((each) => each.step === "reply")
  const step = reply === undefined ? "" : stepText(reply)
  const contactId = accepted.contactId ?? assert.fail("no contact")
  return { ...accepted, contactId, signalId, reply: run.reply, step }
})

const byPerson = (tenant: Tenant, replyToMessageId: MessageId | null, to = "other@customer.example"): SendInput => ({
  tenant,
  idempotencyKey: null,
  request: {
    to: [{ email: to, name: null }],
    cc: [],
    bcc: [],
    subject: "From a person",
    body: "Hello",
    from: null,
    replyToMessageId
  }
})

const pendingDraft = (contactId: string) => Effect.flatMap(Drafts, (drafts) => drafts.pending("acme", contactId))

/** Tests automatic replies on a store. */
export const autoReplySuite = (name: string, store: StoreLayer): void => {
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

  describe(`automatic replies on ${name}`, () => {
    scene("are checked again just before the send: an address with a bounce in between gets none", () =>
      Effect.gen(function* () {
        const tenant = yield* open()
        yield* TestClock.adjust("1 minute")
        const { contactId } = yield* ingestEmail({ tenant, raw: rawMail({}), source: "smtp", historical: false })
        yield* workDueSignals()
        const now = yield* Clock.currentTimeMillis
        yield* (yield* Contacts).markUndeliverable("acme", "jo@customer.example", now, "550 no such user")
        yield* workDueSends()
        assert.deepStrictEqual(outbox, [])
        const history = yield* (yield* Messages).ofContact("acme", contactId ?? assert.fail("no contact"))
        assert.deepStrictEqual(
          history.map(({ delivery }) => delivery),
          [null, "failed"]
        )
      })
    )

    scene("are sent once, from the alias of the mail, into the thread, marked as automatic", () =>
      Effect.gen(function* () {
        const tenant = yield* open()
        const { contactId, leadId, reply, signalId, step, threadId } = yield* answerTo(tenant, {})
        assert.deepStrictEqual(reply, { text: "Thank you, Jo.", channel: "email", requiresApproval: false })
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
        const history = yield* (yield* Messages).ofContact("acme", contactId)
        assert.deepStrictEqual(
          history.map((message) => [message.actor, message.delivery, message.threadId, message.leadId]),
          [
            ["contact", null, threadId, leadId],
            ["assistant", "sent", threadId, leadId]
          ]
        )
        assert.strictEqual((yield* (yield* Sends).findByKey("acme", `reply:${signalId}`))?.state, "confirmed")
        assert.isNull(yield* pendingDraft(contactId))
        yield* TestClock.adjust("1 day")
        yield* workDueSignals()
        yield* workDueSends()
        assert.strictEqual(outbox.length, 1)
      })
    )

    scene("stay drafts without a connection, with the reason in the run", () =>
      Effect.gen(function* () {
        const tenant = yield* openTenant("acme", { rules: [thanks], replyMode: "auto" })
        const { contactId, reply, step } = yield* answerTo(tenant, {})
        assert.deepStrictEqual([reply?.requiresApproval, outbox.length], [true, 0])
        assert.include(step, "no email account is connected")
        assert.strictEqual((yield* pendingDraft(contactId))?.text, "Thank you, Jo.")
      })
    )

    scene("stay drafts in draft mode", () =>
      Effect.gen(function* () {
        const tenant = yield* open({ replyMode: "draft" })
        const { contactId, reply } = yield* answerTo(tenant, {})
        assert.deepStrictEqual([reply?.requiresApproval, outbox.length], [true, 0])
        assert.isNotNull(yield* pendingDraft(contactId))
      })
    )

    scene("are never sent to an address with bounces", () =>
      Effect.gen(function* () {
        const tenant = yield* open()
        yield* (yield* Contacts).markUndeliverable("acme", "jo@customer.example", 1, "550 gone")
        const { reply, step } = yield* answerTo(tenant, {})
        assert.deepStrictEqual([reply?.requiresApproval, outbox.length], [true, 0])
        assert.include(step, "550 gone")
      })
    )

    scene("stop after three in a thread, and continue after a person's message", () =>
      Effect.gen(function* () {
        const tenant = yield* open()
        const again = (number: number) =>
          answerTo(tenant, {
            id: `${number}@x.example`,
            body: `Roof ${number}`,
            ...(number === 1 ? {} : { inReplyTo: "1@x.example" })
          })
        const answers = yield* Effect.forEach([1, 2, 3, 4], again)
        assert.deepStrictEqual(
          answers.map(({ reply }) => reply?.requiresApproval),
          [false, false, false, true]
        )
        assert.include(answers[3]?.step, "no person has written since")
        yield* sendEmail(byPerson(tenant, answers[3]?.messageId ?? null, "jo@customer.example"))
        yield* TestClock.adjust("25 hours")
        const after = yield* again(5)
        assert.strictEqual(after.reply?.requiresApproval, false)
      })
    )

    scene("stop after five to one address in a day, across threads", () =>
      Effect.gen(function* () {
        const tenant = yield* open()
        const again = (number: number) => answerTo(tenant, { id: `${number}@x.example`, subject: `Roof ${number}` })
        const answers = yield* Effect.forEach([1, 2, 3, 4, 5, 6], again)
        assert.deepStrictEqual(
          answers.map(({ reply }) => reply?.requiresApproval),
          [false, false, false, false, false, true]
        )
        yield* TestClock.adjust("24 hours")
        assert.strictEqual((yield* again(7)).reply?.requiresApproval, false)
      })
    )

    scene("wait for the hourly limit, keep their order before later requests, and are then sent", () =>
      Effect.gen(function* () {
        const tenant = yield* open()
        yield* Effect.forEach(Array.from({ length: maxSendsPerHour }), () => sendEmail(byPerson(tenant, null)))
        const full = yield* Clock.currentTimeMillis
        const { reply, step } = yield* answerTo(tenant, {})
        assert.strictEqual(reply?.requiresApproval, false)
        assert.include(step, `as soon as the hourly limit permits: ${new Date(full + 3_600_000).toISOString()}`)
        assert.strictEqual(outbox.length, maxSendsPerHour)
        yield* TestClock.setTime(full + 3_600_000 - 1)
        assert.strictEqual(yield* workDueSends(), 0)
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* workDueSends(), 1)
        assert.isTrue(outbox.at(-1)?.automatic)
        const room = yield* sendEmail(byPerson(tenant, null))
        assert.strictEqual(room.rate.remaining, maxSendsPerHour - 2)
      })
    )

    scene("are cancelled if the contact writes again while they wait; the newest message gets a reply", () =>
      Effect.gen(function* () {
        const tenant = yield* open()
        yield* Effect.forEach(Array.from({ length: maxSendsPerHour }), () => sendEmail(byPerson(tenant, null)))
        const first = yield* answerTo(tenant, {})
        const second = yield* answerTo(tenant, {
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
