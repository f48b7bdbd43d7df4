/**
 * Suites of outbound email and texts: limits, replies and delivery states. SMTP is tested in
 * `packages/connectors/test/smtp`.
 */
import { kindOf } from "../../FailureKind.ts"
import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { Fate } from "../../memory/EmailTransport.ts"
import { assert, describe } from "@effect/vitest"
import { connectEmail } from "@leadloom/core/internal/workflow/mailbox/ConnectEmail"
import { backoffMillis } from "@leadloom/core/internal/domain/time/Retry"
import { sendLeaseMillis, sendRetryWindowMillis } from "@leadloom/core/internal/domain/sending/Reservation"
import type { SendInput } from "@leadloom/core/internal/workflow/sending/SendEmail"
import { maxSendsPerHour } from "@leadloom/core/internal/domain/sending/SendLimit"
import { updateAliases, updateSignature } from "@leadloom/core/internal/workflow/mailbox/Grants"
import { workDueSends } from "@leadloom/core/internal/workflow/sending/WorkSends"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { EmailTransport } from "@leadloom/core/internal/port/provider/EmailTransport"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { Sends } from "@leadloom/core/internal/port/repository/conversation/Sends"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { acme, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { newestConversations } from "../NewestConversations.ts"

const away: Fate = ProviderFailure.unavailable("mail", "451 try later")
const refused: Fate = ProviderFailure.refused("mail", "550 no such user")
const lost: Fate = ProviderFailure.outcomeUnknown("mail", "the connection is gone")

/** Creates a tenant with a connected account. */
const connected = Effect.gen(function* () {
  const tenant = yield* acme.open()
  const account = { provider: "smtp", providerGrantId: null, email: "Sales@Acme.com", name: "Acme Sales" } as const
  yield* connectEmail("acme", account)
  return tenant
})

/** Tests sending on a store. */
export const sendSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`sending email on ${name}`, () => {
    scene(
      "a sent email appears in the conversation and in events, and its thread finds the reply",
      ({ mail: { outbox } }) =>
        Effect.gen(function* () {
          yield* connected
          const sent = yield* acme.sendMail()
          const message = yield* acme.messageOf(sent.messageId)
          assert.deepStrictEqual(
            [message.actor, message.delivery, message.from, message.to, message.body, message.leadId],
            ["agent", "sent", "sales@acme.com", ["jo@customer.example"], "We can come on Monday.", null]
          )
          assert.strictEqual(outbox[0]?.internetMessageId, message.internetMessageId)
          assert.match(message.internetMessageId ?? "", /^[0-9a-z]{26}@acme\.com$/u)
          assert.strictEqual(
            (yield* (yield* Conversations).get("acme", message.contactId)).lastMessageId,
            sent.messageId
          )
          const events = yield* acme.eventTypes()
          assert.deepStrictEqual(events, ["contact.created", "conversation.updated", "message.sent"])
          yield* TestClock.adjust("1 minute")
          const answer = yield* acme.receiveMail({
            id: "a@x.example",
            subject: "AW: Your roof",
            inReplyTo: message.internetMessageId ?? ""
          })
          assert.deepStrictEqual([answer.threadId, answer.contactId], [sent.threadId, message.contactId])
          assert.deepStrictEqual((yield* acme.messageOf(answer.messageId)).flags, [])
          const echo = yield* acme.receiveMail({
            id: message.internetMessageId,
            from: "sales@acme.com",
            to: "jo@customer.example",
            subject: "Your roof",
            date: new Date(message.timestamp).toUTCString()
          })
          assert.deepStrictEqual([echo.outcome, echo.messageId], ["duplicate_of", sent.messageId])
        })
    )

    scene(
      "a reply keeps thread, lead and contact, refers to the thread, and supersedes the draft",
      ({ mail: { outbox } }) =>
        Effect.gen(function* () {
          yield* connected
          const first = yield* acme.receiveMail()
          yield* TestClock.adjust("1 minute")
          const second = yield* acme.receiveMail({
            id: "b@x.example",
            inReplyTo: "first@customer.example",
            body: "Well?"
          })
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
          const answer = { subject: null, replyToMessageId: second.messageId }
          const sent = yield* acme.sendMail(answer)
          const message = yield* acme.messageOf(sent.messageId)
          assert.deepStrictEqual(
            [sent.threadId, message.leadId, message.contactId],
            [first.threadId, first.leadId, first.contactId]
          )
          const mail = outbox[0] ?? assert.fail("nothing left")
          assert.deepStrictEqual(
            [mail.subject, mail.inReplyTo, mail.references],
            ["Re: A roof", "b@x.example", ["first@customer.example", "b@x.example"]]
          )
          assert.isNull(yield* acme.draftOf(message.contactId))
        })
    )

    scene(
      "a reply repeats the references of its mail, including those to mails that never arrived here",
      ({ mail: { outbox } }) =>
        Effect.gen(function* () {
          yield* connected
          const first = yield* acme.receiveMail({
            id: "c@x.example",
            inReplyTo: "b@x.example",
            references: "<root@x.example> <b@x.example>"
          })
          const answer = { subject: null, replyToMessageId: first.messageId ?? assert.fail() }
          const sent = yield* acme.sendMail(answer)
          const expected = ["root@x.example", "b@x.example", "c@x.example"]
          assert.deepStrictEqual(outbox[0]?.references, expected)
          assert.deepStrictEqual((yield* acme.messageOf(sent.messageId)).references, expected)
        })
    )

    scene(
      "mail is sent only from the account or an alias, with the given names and signature",
      ({ mail: { outbox } }) =>
        Effect.gen(function* () {
          const tenant = yield* connected
          yield* updateAliases(tenant, ["Quotes@acme.com", "sales@acme.com", "x@mail.acme.com"])
          yield* updateSignature(tenant, "<p>Acme</p><script>bad()</script>")
          const from = { email: "quotes@acme.com", name: "Quotes\r\nBcc: all@acme.com" }
          const html = "<html><body><p>Monday.</p></body></html>"
          yield* acme.sendMail({ from, body: html })
          assert.deepStrictEqual(outbox[0]?.from, { email: "quotes@acme.com", name: "Quotes Bcc: all@acme.com" })
          assert.strictEqual(outbox[0]?.html, "<html><body><p>Monday.</p><br><div><p>Acme</p></div></body></html>")
          assert.strictEqual(outbox[0]?.text, "Monday.\n\n-- \nAcme")
          yield* acme.sendMail()
          assert.deepStrictEqual(
            [outbox[1]?.from, outbox[1]?.text],
            [{ email: "sales@acme.com", name: "Acme Sales" }, "We can come on Monday.\n\n-- \nAcme"]
          )
          const stranger = { email: "boss@other.example", name: null }
          const wrong = yield* Effect.flip(acme.sendMail({ from: stranger }))
          assert.strictEqual(wrong._tag === "EmailRequestInvalid" && wrong.issues[0]?.path, "from.email")
          const outside = yield* Effect.flip(updateAliases(tenant, ["a@acme.com", "b@other.example"]))
          assert.strictEqual(outside._tag === "EmailRequestInvalid" && outside.issues[0]?.path, "aliases.1")
          assert.strictEqual(outbox.length, 2)
        })
    )

    scene("a tenant has one connection, and cannot send without it", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const before = yield* Effect.flip(acme.sendMail())
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

    scene("a rejection ends the send and is reported to the caller", ({ mail: { fates, outbox } }) =>
      Effect.gen(function* () {
        yield* connected
        fates.push(refused)
        const error = yield* Effect.flip(acme.sendMail({}, { idempotencyKey: "key:1" }))
        assert.strictEqual(error._tag === "MailRefused" && error.reason, "550 no such user")
        const again = yield* Effect.flip(acme.sendMail({}, { idempotencyKey: "key:1" }))
        assert.isTrue(again._tag === "MailRefused" && again.replayed)
        const reservation = (yield* (yield* Sends).findByKey("acme", "api:key:1")) ?? assert.fail()
        assert.strictEqual((yield* acme.messageOf(reservation.messageId)).delivery, "failed")
        yield* TestClock.adjust("1 day")
        assert.strictEqual(yield* workDueSends(), 0)
        assert.strictEqual(outbox.length, 1)
      })
    )

    scene("a relay outage delays the send until the relay accepts the mail", ({ mail: { fates, outbox } }) =>
      Effect.gen(function* () {
        yield* connected
        fates.push(away, away)
        const work = workDueSends()
        const sent = yield* acme.sendMail()
        assert.strictEqual((yield* acme.messageOf(sent.messageId)).delivery, "queued")
        yield* TestClock.adjust(backoffMillis(1) - 1)
        assert.strictEqual(yield* work, 0)
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* work, 1)
        assert.strictEqual(yield* work, 0)
        yield* TestClock.adjust(backoffMillis(2))
        assert.strictEqual(yield* work, 1)
        const message = yield* acme.messageOf(sent.messageId)
        assert.deepStrictEqual([message.delivery, outbox.length, yield* (yield* Sends).backlog], ["sent", 3, 0])
        assert.strictEqual(new Set(outbox.map(({ internetMessageId }) => internetMessageId)).size, 1)
      })
    )

    scene("a relay outage of a day fails the send and creates a task", ({ mail: { fates } }) =>
      Effect.gen(function* () {
        yield* connected
        fates.push(...Array.from({ length: 200 }, () => away))
        const { messageId } = yield* acme.sendMail()
        const end = (yield* Clock.currentTimeMillis) + sendRetryWindowMillis + 1
        while ((yield* Clock.currentTimeMillis) < end) {
          yield* TestClock.adjust("15 minutes")
          yield* workDueSends()
        }
        const message = yield* acme.messageOf(messageId)
        assert.strictEqual(message.delivery, "failed")
        assert.deepStrictEqual(yield* acme.taskTypesOf(message.contactId), ["review"])
      })
    )

    scene("a send without a response is unknown, never repeated, and creates a task", ({ mail: { fates, outbox } }) =>
      Effect.gen(function* () {
        yield* connected
        fates.push(lost)
        const { messageId } = yield* acme.sendMail()
        const message = yield* acme.messageOf(messageId)
        assert.deepStrictEqual([message.delivery, yield* acme.taskTypesOf(message.contactId)], ["unknown", ["review"]])
        yield* TestClock.adjust("2 days")
        assert.strictEqual(yield* workDueSends(), 0)
        assert.strictEqual(outbox.length, 1)
      })
    )

    scene(
      "a crash before the handover leaves the send to other servers, and a crash after it does not",
      ({ mail: { outbox } }) =>
        Effect.gen(function* () {
          yield* connected
          const dying = Layer.succeed(EmailTransport, { send: () => Effect.interrupt })
          const sends = yield* Sends
          const mute = Layer.succeed(Sends, { ...sends, handOver: () => Effect.interrupt })
          yield* Effect.exit(acme.sendMail({ subject: "before" }).pipe(Effect.provide([dying, mute])))
          const gone = Layer.succeed(Sends, { ...sends, settle: () => Effect.interrupt })
          yield* Effect.exit(acme.sendMail({ subject: "after" }).pipe(Effect.provide([dying, gone])))
          const work = workDueSends()
          yield* TestClock.adjust(sendLeaseMillis - 1)
          assert.strictEqual(yield* work, 0)
          yield* TestClock.adjust(1)
          assert.strictEqual(yield* work, 2)
          assert.deepStrictEqual(
            outbox.map(({ subject }) => subject),
            ["before"]
          )
          assert.strictEqual(yield* sends.backlog, 0)
          const [head] = yield* newestConversations("acme", 1)
          const history = yield* acme.messagesOf(head?.contactId ?? null)
          assert.deepStrictEqual(
            history.map(({ delivery, subject }) => [subject, delivery]),
            [
              ["before", "sent"],
              ["after", "unknown"]
            ]
          )
        })
    )

    scene(
      "a repeated request with the same key is sent once, and another request with it is a conflict",
      ({ mail: { outbox } }) =>
        Effect.gen(function* () {
          yield* connected
          const send = (changes: Partial<SendInput["request"]> = {}) =>
            acme.sendMail(changes, { idempotencyKey: "key:1" })
          const first = yield* send()
          const again = yield* send()
          assert.deepStrictEqual([again.messageId, again.replayed, first.replayed], [first.messageId, true, false])
          assert.strictEqual((yield* Effect.flip(send({ body: "Another" })))._tag, "IdempotencyConflict")
          const many = yield* Effect.forEach(
            Array.from({ length: 8 }),
            () => Effect.exit(acme.sendMail({}, { idempotencyKey: "key:2" })),
            { concurrency: "unbounded" }
          )
          assert.isAtLeast(many.filter(({ _tag }) => _tag === "Success").length, 1)
          assert.strictEqual(outbox.length, 2)
          yield* TestClock.adjust("25 hours")
          assert.notStrictEqual((yield* send()).messageId, first.messageId)
        })
    )

    scene(
      "two hundred concurrent sends hand over exactly fifty, and the next one follows when the hour allows",
      ({ mail: { outbox } }) =>
        Effect.gen(function* () {
          yield* connected
          const send = acme.sendMail()
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

    scene("a queued send is cancelled when the account is disconnected", ({ mail: { fates, outbox } }) =>
      Effect.gen(function* () {
        yield* connected
        fates.push(away)
        const { messageId } = yield* acme.sendMail()
        const grants = yield* Grants
        const grant = (yield* grants.current("acme")) ?? assert.fail()
        yield* grants.remove("acme", grant.grantId)
        yield* TestClock.adjust("1 hour")
        yield* workDueSends()
        assert.deepStrictEqual([(yield* acme.messageOf(messageId)).delivery, outbox.length], ["failed", 1])
      })
    )
  })
}
