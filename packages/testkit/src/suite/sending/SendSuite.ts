/**
 * Suites of outbound email and texts: limits, replies and delivery states. SMTP is tested in
 * `packages/connectors/test/smtp`.
 */
import { kindOf } from "../../FailureKind.ts"
import * as ProviderFailure from "@leadloom/core/domain/provider/ProviderFailure"
import { inMemoryEmailTransport, type Fate } from "../../memory/EmailTransport.ts"
import { assert, describe } from "@effect/vitest"
import { connectEmail } from "@leadloom/core/workflow/mailbox/ConnectEmail"
import type { OutgoingMail } from "@leadloom/core/domain/email/OutgoingMail"
import { ingestEmail } from "@leadloom/core/workflow/intake/IngestEmail"
import { backoffMillis } from "@leadloom/core/domain/time/Retry"
import { sendLeaseMillis, sendRetryWindowMillis } from "@leadloom/core/domain/sending/Reservation"
import { type SendInput, sendEmail } from "@leadloom/core/workflow/sending/SendEmail"
import { maxSendsPerHour } from "@leadloom/core/domain/sending/SendLimit"
import { updateAliases, updateSignature } from "@leadloom/core/workflow/mailbox/Grants"
import { workDueSends } from "@leadloom/core/workflow/sending/WorkSends"
import type { ContactId, MessageId } from "@leadloom/core/domain/Id"
import { Conversations } from "@leadloom/core/port/repository/conversation/Conversations"
import { Drafts } from "@leadloom/core/port/repository/conversation/Drafts"
import { EmailTransport } from "@leadloom/core/port/provider/EmailTransport"
import { Events } from "@leadloom/core/port/repository/webhook/Events"
import { Grants } from "@leadloom/core/port/repository/conversation/Grants"
import { Messages } from "@leadloom/core/port/repository/conversation/Messages"
import { Sends } from "@leadloom/core/port/repository/conversation/Sends"
import { Tasks } from "@leadloom/core/port/repository/lead/Tasks"
import type { Tenant } from "@leadloom/core/domain/tenant/Tenant"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { rawMail, acme, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const acceptedFate: Fate = { left: true, response: "250 ok", refused: [], assigned: null }
const away: Fate = ProviderFailure.unavailable("mail", "451 try later")
const refused: Fate = ProviderFailure.refused("mail", "550 no such user")
const lost: Fate = ProviderFailure.outcomeUnknown("mail", "the connection is gone")

/** An in-memory relay that records mails. It returns the given results in turn, then accepts all further mails. */
const relay = (...fates: ReadonlyArray<Fate>) => {
  const outbox: Array<OutgoingMail> = []
  let next = 0
  return { outbox, carried: inMemoryEmailTransport(outbox, () => fates[next++] ?? acceptedFate) }
}

/** Creates a tenant with a connected account. */
const connected = Effect.gen(function* () {
  const tenant = yield* acme.open()
  yield* connectEmail("acme", { provider: "smtp", providerGrantId: null, email: "Sales@Acme.com", name: "Acme Sales" })
  return tenant
})

const order = (
  tenant: Tenant,
  changes: Partial<SendInput["request"]> = {},
  idempotencyKey: string | null = null
): SendInput => ({
  tenant,
  idempotencyKey,
  request: {
    to: [{ email: "jo@customer.example", name: "Jo Smith" }],
    cc: [],
    bcc: [],
    subject: "Your roof",
    body: "We can come on Monday.",
    from: null,
    replyToMessageId: null,
    ...changes
  }
})

const messageOf = (messageId: MessageId) =>
  Effect.map(
    Effect.flatMap(Messages, (messages) => messages.find("acme", messageId)),
    (message) => message ?? assert.fail("the message is not stored")
  )

const tasksOf = (contactId: ContactId) =>
  Effect.map(
    Effect.flatMap(Tasks, (tasks) => tasks.ofContact("acme", contactId)),
    (tasks) => tasks.map(({ type }) => type)
  )

const receive = (tenant: Tenant, mail: Parameters<typeof rawMail>[0]) =>
  ingestEmail({ tenant, raw: rawMail(mail), source: "smtp", historical: false })

/** Tests sending on a store. */
export const sendSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`sending email on ${name}`, () => {
    scene("a sent email appears in the conversation and in events, and its thread finds the reply", () =>
      Effect.gen(function* () {
        const tenant = yield* connected
        const { carried, outbox } = relay()
        const sent = yield* sendEmail(order(tenant)).pipe(Effect.provide(carried))
        const message = yield* messageOf(sent.messageId)
        assert.deepStrictEqual(
          [message.actor, message.delivery, message.from, message.to, message.body, message.leadId],
          ["agent", "sent", "sales@acme.com", ["jo@customer.example"], "We can come on Monday.", null]
        )
        assert.strictEqual(outbox[0]?.internetMessageId, message.internetMessageId)
        assert.match(message.internetMessageId ?? "", /^[0-9a-z]{26}@acme\.com$/u)
        assert.strictEqual((yield* (yield* Conversations).get("acme", message.contactId)).lastMessageId, sent.messageId)
        const events = (yield* (yield* Events).after("acme", 0, 10)).map(({ event }) => event.type)
        assert.deepStrictEqual(events, ["contact.created", "conversation.updated"])
        yield* TestClock.adjust("1 minute")
        const answer = yield* receive(tenant, {
          id: "a@x.example",
          subject: "AW: Your roof",
          inReplyTo: message.internetMessageId ?? ""
        })
        assert.deepStrictEqual([answer.threadId, answer.contactId], [sent.threadId, message.contactId])
        assert.deepStrictEqual((yield* messageOf(answer.messageId ?? assert.fail())).flags, [])
        const echo = yield* receive(tenant, {
          id: message.internetMessageId,
          from: "sales@acme.com",
          to: "jo@customer.example",
          subject: "Your roof",
          date: new Date(message.timestamp).toUTCString()
        })
        assert.deepStrictEqual([echo.outcome, echo.messageId], ["duplicate_of", sent.messageId])
      })
    )

    scene("a reply keeps thread, lead and contact, refers to the thread, and supersedes the draft", () =>
      Effect.gen(function* () {
        const tenant = yield* connected
        const first = yield* receive(tenant, {})
        yield* TestClock.adjust("1 minute")
        const second = yield* receive(tenant, { id: "b@x.example", inReplyTo: "first@customer.example", body: "Well?" })
        yield* (yield* Drafts).propose({
          draftId: "draft_1",
          tenantId: "acme",
          contactId: first.contactId ?? assert.fail(),
          leadId: first.leadId,
          signalId: "sig_1",
          messageId: second.messageId ?? assert.fail(),
          taskId: null,
          channel: "email",
          text: "Hello",
          state: "pending",
          headMessageId: second.messageId ?? assert.fail(),
          createdAt: 1
        })
        const { carried, outbox } = relay()
        const answer = { subject: null, replyToMessageId: second.messageId }
        const sent = yield* sendEmail(order(tenant, answer)).pipe(Effect.provide(carried))
        const message = yield* messageOf(sent.messageId)
        assert.deepStrictEqual(
          [sent.threadId, message.leadId, message.contactId],
          [first.threadId, first.leadId, first.contactId]
        )
        const mail = outbox[0] ?? assert.fail("nothing left")
        assert.deepStrictEqual(
          [mail.subject, mail.inReplyTo, mail.references],
          ["Re: A roof", "b@x.example", ["first@customer.example", "b@x.example"]]
        )
        assert.isNull(yield* (yield* Drafts).pending("acme", message.contactId))
      })
    )

    scene("a reply repeats the references of its mail, including those to mails that never arrived here", () =>
      Effect.gen(function* () {
        const tenant = yield* connected
        const raw = rawMail({
          id: "c@x.example",
          inReplyTo: "b@x.example",
          references: "<root@x.example> <b@x.example>"
        })
        const first = yield* ingestEmail({ tenant, raw, source: "smtp", historical: false })
        const { carried, outbox } = relay()
        const answer = { subject: null, replyToMessageId: first.messageId ?? assert.fail() }
        const sent = yield* sendEmail(order(tenant, answer)).pipe(Effect.provide(carried))
        const expected = ["root@x.example", "b@x.example", "c@x.example"]
        assert.deepStrictEqual(outbox[0]?.references, expected)
        assert.deepStrictEqual((yield* messageOf(sent.messageId)).references, expected)
      })
    )

    scene("mail is sent only from the account or an alias, with the given names and signature", () =>
      Effect.gen(function* () {
        const tenant = yield* connected
        yield* updateAliases(tenant, ["Quotes@acme.com", "sales@acme.com", "x@mail.acme.com"])
        yield* updateSignature(tenant, "<p>Acme</p><script>bad()</script>")
        const { carried, outbox } = relay()
        const from = { email: "quotes@acme.com", name: "Quotes\r\nBcc: all@acme.com" }
        const html = "<html><body><p>Monday.</p></body></html>"
        yield* sendEmail(order(tenant, { from, body: html })).pipe(Effect.provide(carried))
        assert.deepStrictEqual(outbox[0]?.from, { email: "quotes@acme.com", name: "Quotes Bcc: all@acme.com" })
        assert.strictEqual(outbox[0]?.html, "<html><body><p>Monday.</p><br><div><p>Acme</p></div></body></html>")
        assert.strictEqual(outbox[0]?.text, "Monday.\n\n-- \nAcme")
        yield* sendEmail(order(tenant)).pipe(Effect.provide(carried))
        assert.deepStrictEqual(
          [outbox[1]?.from, outbox[1]?.text],
          [{ email: "sales@acme.com", name: "Acme Sales" }, "We can come on Monday.\n\n-- \nAcme"]
        )
        const stranger = { email: "boss@other.example", name: null }
        const wrong = yield* Effect.flip(sendEmail(order(tenant, { from: stranger })).pipe(Effect.provide(carried)))
        assert.strictEqual(wrong._tag === "EmailRequestInvalid" && wrong.issues[0]?.path, "from.email")
        const outside = yield* Effect.flip(updateAliases(tenant, ["a@acme.com", "b@other.example"]))
        assert.strictEqual(outside._tag === "EmailRequestInvalid" && outside.issues[0]?.path, "aliases.1")
        assert.strictEqual(outbox.length, 2)
      })
    )

    scene("a tenant has one connection, and cannot send without it", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open()
        const { carried } = relay()
        const before = yield* Effect.flip(sendEmail(order(tenant)).pipe(Effect.provide(carried)))
        assert.strictEqual(before._tag, "EmailNotConnected")
        const account = { provider: "smtp", providerGrantId: null, email: "a@acme.com", name: null } as const
        const both = yield* Effect.all(
          [Effect.exit(connectEmail("acme", account)), Effect.exit(connectEmail("acme", account))],
          {
            concurrency: 2
          }
        )
        assert.deepStrictEqual(both.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
        const hosted = yield* Effect.flip(connectEmail("acme", { ...account, provider: "google" }))
        assert.strictEqual(kindOf(hosted), "NotConfigured")
      })
    )

    scene("a rejection ends the send and is reported to the caller", () =>
      Effect.gen(function* () {
        const tenant = yield* connected
        const { carried, outbox } = relay(refused)
        const error = yield* Effect.flip(sendEmail(order(tenant, {}, "key:1")).pipe(Effect.provide(carried)))
        assert.strictEqual(error._tag === "MailRefused" && error.reason, "550 no such user")
        const again = yield* Effect.flip(sendEmail(order(tenant, {}, "key:1")).pipe(Effect.provide(carried)))
        assert.isTrue(again._tag === "MailRefused" && again.replayed)
        const reservation = (yield* (yield* Sends).findByKey("acme", "api:key:1")) ?? assert.fail()
        assert.strictEqual((yield* messageOf(reservation.messageId)).delivery, "failed")
        yield* TestClock.adjust("1 day")
        assert.strictEqual(yield* workDueSends().pipe(Effect.provide(carried)), 0)
        assert.strictEqual(outbox.length, 1)
      })
    )

    scene("a relay outage delays the send until the relay accepts the mail", () =>
      Effect.gen(function* () {
        const tenant = yield* connected
        const { carried, outbox } = relay(away, away)
        const work = workDueSends().pipe(Effect.provide(carried))
        const sent = yield* sendEmail(order(tenant)).pipe(Effect.provide(carried))
        assert.strictEqual((yield* messageOf(sent.messageId)).delivery, "queued")
        yield* TestClock.adjust(backoffMillis(1) - 1)
        assert.strictEqual(yield* work, 0)
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* work, 1)
        assert.strictEqual(yield* work, 0)
        yield* TestClock.adjust(backoffMillis(2))
        assert.strictEqual(yield* work, 1)
        const message = yield* messageOf(sent.messageId)
        assert.deepStrictEqual([message.delivery, outbox.length, yield* (yield* Sends).backlog], ["sent", 3, 0])
        assert.strictEqual(new Set(outbox.map(({ internetMessageId }) => internetMessageId)).size, 1)
      })
    )

    scene("a relay outage of a day fails the send and creates a task", () =>
      Effect.gen(function* () {
        const tenant = yield* connected
        const { carried } = relay(...Array.from({ length: 200 }, () => away))
        const { messageId } = yield* sendEmail(order(tenant)).pipe(Effect.provide(carried))
        const end = (yield* Clock.currentTimeMillis) + sendRetryWindowMillis + 1
        while ((yield* Clock.currentTimeMillis) < end) {
          yield* TestClock.adjust("15 minutes")
          yield* workDueSends().pipe(Effect.provide(carried))
        }
        const message = yield* messageOf(messageId)
        assert.strictEqual(message.delivery, "failed")
        assert.deepStrictEqual(yield* tasksOf(message.contactId), ["review"])
      })
    )

    scene("a send without a response is unknown, never repeated, and creates a task", () =>
      Effect.gen(function* () {
        const tenant = yield* connected
        const { carried, outbox } = relay(lost)
        const { messageId } = yield* sendEmail(order(tenant)).pipe(Effect.provide(carried))
        const message = yield* messageOf(messageId)
        assert.deepStrictEqual([message.delivery, yield* tasksOf(message.contactId)], ["unknown", ["review"]])
        yield* TestClock.adjust("2 days")
        assert.strictEqual(yield* workDueSends().pipe(Effect.provide(carried)), 0)
        assert.strictEqual(outbox.length, 1)
      })
    )

    scene("a crash before the handover leaves the send to other servers, and a crash after it does not", () =>
      Effect.gen(function* () {
        const tenant = yield* connected
        const dying = Layer.succeed(EmailTransport, { send: () => Effect.interrupt })
        const sends = yield* Sends
        const mute = Layer.succeed(Sends, { ...sends, handOver: () => Effect.interrupt })
        yield* Effect.exit(sendEmail(order(tenant, { subject: "before" })).pipe(Effect.provide([dying, mute])))
        const gone = Layer.succeed(Sends, { ...sends, settle: () => Effect.interrupt })
        yield* Effect.exit(sendEmail(order(tenant, { subject: "after" })).pipe(Effect.provide([dying, gone])))
        const { carried, outbox } = relay()
        const work = workDueSends().pipe(Effect.provide(carried))
        yield* TestClock.adjust(sendLeaseMillis - 1)
        assert.strictEqual(yield* work, 0)
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* work, 2)
        assert.deepStrictEqual(
          outbox.map(({ subject }) => subject),
          ["before"]
        )
        assert.strictEqual(yield* sends.backlog, 0)
        const [head] = yield* (yield* Conversations).page("acme", 1, null, null)
        const history = yield* (yield* Messages).ofContact("acme", head?.contactId ?? "none")
        assert.deepStrictEqual(
          history.map(({ delivery, subject }) => [subject, delivery]),
          [
            ["before", "sent"],
            ["after", "unknown"]
          ]
        )
      })
    )

    scene("a repeated request with the same key is sent once, and another request with it is a conflict", () =>
      Effect.gen(function* () {
        const tenant = yield* connected
        const { carried, outbox } = relay()
        const send = (changes: Partial<SendInput["request"]> = {}) =>
          sendEmail(order(tenant, changes, "key:1")).pipe(Effect.provide(carried))
        const first = yield* send()
        const again = yield* send()
        assert.deepStrictEqual([again.messageId, again.replayed, first.replayed], [first.messageId, true, false])
        assert.strictEqual((yield* Effect.flip(send({ body: "Another" })))._tag, "IdempotencyConflict")
        const many = yield* Effect.forEach(
          Array.from({ length: 8 }),
          () => Effect.exit(sendEmail(order(tenant, {}, "key:2")).pipe(Effect.provide(carried))),
          { concurrency: "unbounded" }
        )
        assert.isAtLeast(many.filter(({ _tag }) => _tag === "Success").length, 1)
        assert.strictEqual(outbox.length, 2)
        yield* TestClock.adjust("25 hours")
        assert.notStrictEqual((yield* send()).messageId, first.messageId)
      })
    )

    scene("two hundred concurrent sends hand over exactly fifty, and the next one follows when the hour allows", () =>
      Effect.gen(function* () {
        const tenant = yield* connected
        const { carried, outbox } = relay()
        const send = sendEmail(order(tenant)).pipe(Effect.provide(carried))
        const early = yield* send
        assert.deepStrictEqual([early.rate.limit, early.rate.remaining], [maxSendsPerHour, maxSendsPerHour - 1])
        yield* TestClock.adjust("10 minutes")
        const exits = yield* Effect.forEach(Array.from({ length: 200 }), () => Effect.result(send), {
          concurrency: "unbounded"
        })
        assert.strictEqual(exits.filter(({ _tag }) => _tag === "Success").length, maxSendsPerHour - 1)
        assert.strictEqual(outbox.length, maxSendsPerHour)
        const over = yield* Effect.flip(send)
        assert.strictEqual(over._tag === "SendLimitReached" && over.rate.retryAfterSeconds, 50 * 60)
        yield* TestClock.adjust(50 * 60_000 - 1)
        assert.strictEqual((yield* Effect.flip(send))._tag, "SendLimitReached")
        yield* TestClock.adjust(1)
        yield* send
        assert.strictEqual((yield* Effect.flip(send))._tag, "SendLimitReached")
        assert.strictEqual(outbox.length, maxSendsPerHour + 1)
      })
    )

    scene("a queued send is cancelled when the account is disconnected", () =>
      Effect.gen(function* () {
        const tenant = yield* connected
        const { carried, outbox } = relay(away)
        const { messageId } = yield* sendEmail(order(tenant)).pipe(Effect.provide(carried))
        const grants = yield* Grants
        const grant = (yield* grants.current("acme")) ?? assert.fail()
        yield* grants.remove("acme", grant.grantId)
        yield* TestClock.adjust("1 hour")
        yield* workDueSends().pipe(Effect.provide(carried))
        assert.deepStrictEqual([(yield* messageOf(messageId)).delivery, outbox.length], ["failed", 1])
      })
    )
  })
}
