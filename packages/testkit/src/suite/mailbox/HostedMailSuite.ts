import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { Fate } from "../../memory/EmailTransport.ts"
import { assert, describe } from "@effect/vitest"
import type { HostedMailEvent } from "@leadloom/core/internal/domain/email/HostedMail"
import { catchUpMillis, oldMailMillis } from "@leadloom/core/internal/domain/email/MailJob"
import { receiveProviderEvent } from "@leadloom/core/internal/workflow/mailbox/ReceiveProviderEvent"
import { runJob } from "@leadloom/core/internal/workflow/job/RunJob"
import { workDueJobs } from "@leadloom/core/internal/workflow/job/WorkJobs"
import { workDueSends } from "@leadloom/core/internal/workflow/sending/WorkSends"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Grants } from "@leadloom/core/internal/port/repository/conversation/Grants"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainJobs, type MailText } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { account, arrived, deliver, hostedScenesOn, signIn, stored } from "./HostedWorld.ts"

const onMonday = { subject: "Your roof", body: "On Monday." }

/** Returns the aliases of the account. */
const aliases = Effect.map(
  Effect.flatMap(Grants, (grants) => grants.current("acme")),
  (grant) => grant?.aliases
)

/** Tests inbound and outbound mail of hosted accounts on a store. */
export const hostedMailSuite = (name: string, store: StoreLayer): void => {
  const scene = hostedScenesOn(store)
  describe(`mail of hosted accounts on ${name}`, () => {
    scene("a mail is fetched once for any number of events, and becomes a lead", ({ mailbox: there }) =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* signIn
        yield* deliver(there, "m1", { id: "one@customer.example" })
        yield* Effect.forEach([1, 2, 3], () => receiveProviderEvent(arrived("m1")))
        yield* drainJobs
        yield* receiveProviderEvent(arrived("m1"))
        yield* drainJobs
        assert.deepStrictEqual(yield* acme.arrivals, [{ outcome: "message", count: 1 }])
        const [message] = yield* stored
        assert.deepInclude(message, {
          actor: "contact",
          source: "google",
          receivedAlias: "sales@acme.com",
          providerMessageId: "m1",
          internetMessageId: "one@customer.example"
        })
        assert.strictEqual(yield* (yield* Signals).backlog, 1)
        yield* receiveProviderEvent({ ...arrived("m2"), providerGrantId: "nobody" } as HostedMailEvent)
        assert.strictEqual(yield* workDueJobs(runJob), 0)
      })
    )

    scene(
      "a request is repeated after an outage, and a mail deleted at the provider is in the ledger",
      ({ mailbox: there }) =>
        Effect.gen(function* () {
          yield* acme.open()
          yield* signIn
          yield* deliver(there, "m1", {})
          there.failure = ProviderFailure.unavailable("mail", "503")
          yield* receiveProviderEvent(arrived("m1"))
          yield* receiveProviderEvent(arrived("gone"))
          yield* drainJobs
          assert.deepStrictEqual(yield* acme.arrivals, [])
          there.failure = null
          yield* TestClock.adjust(5_000)
          yield* drainJobs
          assert.deepStrictEqual(yield* acme.arrivals, [
            { outcome: "failed", count: 1 },
            { outcome: "message", count: 1 }
          ])
        })
    )

    scene("drafts and spam are ignored", ({ mailbox: there }) =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* signIn
        yield* deliver(there, "m1", {}, { aside: true })
        yield* receiveProviderEvent(arrived("m1"))
        yield* drainJobs
        assert.deepStrictEqual(yield* acme.arrivals, [])
      })
    )

    scene("mail without an event is found, and the pipeline ignores old mail", ({ mailbox: there }) =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* deliver(there, "before", { id: "before@customer.example" })
        yield* TestClock.adjust(1_000)
        yield* signIn
        yield* deliver(there, "told", { id: "told@customer.example" })
        yield* receiveProviderEvent(arrived("told"))
        yield* drainJobs
        yield* TestClock.adjust(1_000)
        for (const id of ["a", "b", "c"])
          yield* deliver(there, id, { id: `${id}@customer.example`, body: `I am ${id}.` })
        yield* receiveProviderEvent({ _tag: "AccountExpired", providerGrantId: account.providerGrantId })
        there.failure = ProviderFailure.signedOut("mail", "401")
        yield* TestClock.adjust(oldMailMillis + catchUpMillis)
        yield* drainJobs
        yield* deliver(there, "fresh", { id: "fresh@customer.example", body: "And now?" })
        there.failure = null
        const signals = yield* (yield* Signals).backlog
        yield* signIn
        yield* drainJobs
        const ids = (yield* stored).map(({ providerMessageId }) => providerMessageId).toSorted()
        assert.deepStrictEqual(ids, ["a", "b", "c", "fresh", "told"])
        assert.strictEqual(yield* (yield* Signals).backlog, signals + 1)
        yield* TestClock.adjust(catchUpMillis)
        yield* drainJobs
        assert.deepStrictEqual(yield* acme.arrivals, [{ outcome: "message", count: 5 }])
      })
    )

    scene(
      "a sent mail is a copy when the provider reports it, under the provider's id or before that id is known",
      ({ mail: { fates, outbox }, mailbox: there }) =>
        Effect.gen(function* () {
          yield* acme.open()
          yield* signIn
          const named: Fate = {
            left: true,
            response: "200",
            refused: [],
            assigned: {
              internetMessageId: "<CA+real@mail.provider.example>",
              providerMessageId: "s1",
              providerThreadId: "thread-s1"
            }
          }
          fates.push(named, named)
          const sent = yield* acme.sendMail(onMonday)
          const ours = outbox[0]?.internetMessageId ?? assert.fail()
          const asSent: MailText = {
            from: "sales@acme.com",
            to: "jo@customer.example",
            subject: "Your roof",
            body: "On Monday."
          }
          yield* deliver(there, "s1", { ...asSent, id: "CA+real@mail.provider.example" })
          yield* deliver(there, "s2", {
            ...asSent,
            id: "CA+other@mail.provider.example",
            more: [`X-Leadloom-Message: <${ours}>`]
          })
          yield* receiveProviderEvent(arrived("s1"))
          yield* receiveProviderEvent(arrived("s2"))
          yield* drainJobs
          const messages = yield* stored
          assert.strictEqual(messages.length, 1)
          assert.deepInclude(messages[0], {
            messageId: sent.messageId,
            actor: "agent",
            delivery: "sent",
            providerMessageId: "s1",
            internetMessageId: "CA+real@mail.provider.example"
          })
          yield* deliver(there, "r1", { id: "answer@customer.example", inReplyTo: "CA+real@mail.provider.example" })
          yield* deliver(there, "r2", { id: "answer2@customer.example", inReplyTo: "CA+other@mail.provider.example" })
          yield* deliver(
            there,
            "r3",
            { id: "answer3@customer.example", subject: "Re: Your roof" },
            { providerThreadId: "thread-s1" }
          )
          yield* deliver(
            there,
            "x",
            { id: "recycled@customer.example", subject: "Cake", from: "ann@other.example" },
            { providerThreadId: "thread-s1" }
          )
          yield* Effect.forEach(["r1", "r2", "r3", "x"], (id) => receiveProviderEvent(arrived(id)))
          yield* drainJobs
          const all = yield* stored
          const threadOf = (id: string) => all.find(({ providerMessageId }) => providerMessageId === id)?.threadId
          assert.deepStrictEqual(
            [threadOf("r1"), threadOf("r2"), threadOf("r3")],
            [sent.threadId, sent.threadId, sent.threadId]
          )
          assert.notStrictEqual(threadOf("x"), sent.threadId)
          const answered = all.find(({ providerMessageId }) => providerMessageId === "r1") ?? assert.fail()
          yield* acme.sendMail({ ...onMonday, replyToMessageId: answered.messageId })
          assert.strictEqual(outbox[1]?.answersProviderId, "r1")
        })
    )

    scene("only mail written by hand in the account is the tenant's own", ({ mailbox: there }) =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* signIn
        yield* deliver(there, "h1", { from: "sales@acme.com", to: "jo@customer.example", id: "hand@acme.com" })
        yield* deliver(there, "h2", { from: "boss@acme.com", to: "sales@acme.com", id: "boss@acme.com" })
        yield* Effect.forEach(["h1", "h2"], (id) => receiveProviderEvent(arrived(id)))
        yield* drainJobs
        const all = yield* stored
        const of = (id: string) => all.find(({ providerMessageId }) => providerMessageId === id)
        assert.deepInclude(of("h1"), { actor: "agent", auto: "own" })
        assert.deepInclude(of("h2"), { actor: "contact", auto: null })
        assert.isTrue(of("h2")?.flags.includes("sender_unverified"))
      })
    )

    scene(
      "mail that claims an address of the account is the tenant's only if the provider proves it",
      ({ mailbox: there }) =>
        Effect.gen(function* () {
          yield* acme.open()
          yield* signIn
          const claims = { from: "sales@acme.com", to: "jo@customer.example" }
          const results = (text: string) => ({ more: [`Authentication-Results: ${text}`] })
          const passed =
            "mx.google.com; dkim=pass header.i=@acme.com; spf=pass smtp.mailfrom=sales@acme.com; dmarc=pass"
          const failed =
            "mx.google.com; dkim=none; spf=fail smtp.mailfrom=evil.example; dmarc=fail header.from=acme.com"
          const foreign = "mx.google.com; dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=x@evil.example"
          const arrivals: ReadonlyArray<readonly [string, MailText, boolean | null, "agent" | "contact"]> = [
            ["sent", claims, true, "agent"],
            ["inbox", claims, false, "contact"],
            ["inbox.passed", { ...claims, ...results(passed) }, false, "agent"],
            ["inbox.failed", { ...claims, ...results(failed) }, false, "contact"],
            ["unknown.failed", { ...claims, ...results(failed) }, null, "contact"],
            ["unknown.foreign", { ...claims, ...results(foreign) }, null, "contact"],
            [
              "forged.below",
              { ...claims, more: [`Authentication-Results: ${failed}`, `Authentication-Results: ${passed}`] },
              null,
              "contact"
            ],
            ["two.senders", { ...claims, from: "sales@acme.com, x@evil.example" }, null, "contact"]
          ]
          for (const [id, mail, sent] of arrivals)
            yield* deliver(there, id, { ...mail, id: `${id}@x.example`, body: id }, { sent })
          yield* Effect.forEach(arrivals, ([id]) => receiveProviderEvent(arrived(id)))
          yield* drainJobs
          const all = yield* stored
          for (const [id, , , actor] of arrivals) {
            const message = all.find(({ providerMessageId }) => providerMessageId === id)
            assert.deepStrictEqual([id, message?.actor], [id, actor])
            assert.strictEqual(message?.auto, actor === "agent" ? "own" : null, id)
            assert.strictEqual(message?.flags.includes("sender_unverified"), actor === "contact", id)
          }
          const verified = all.find(({ providerMessageId }) => providerMessageId === "inbox.passed")
          assert.deepStrictEqual(verified?.authentication, {
            spf: "pass",
            dkim: "pass",
            dmarc: "pass",
            arc: "none",
            fromDomainAligned: true,
            verifiedBy: "mx.google.com"
          })
        })
    )

    scene("an address on the tenant's domain becomes an alias when the tenant writes from it", ({ mailbox: there }) =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* signIn
        const to = "jo@customer.example"
        yield* deliver(there, "m1", { id: "a@x.example", to: "Roofs <roofs@acme.com>, jo@elsewhere.example" })
        yield* deliver(there, "m2", { id: "b@acme.com", from: "Boss <boss@acme.com>", to }, { sent: false })
        yield* deliver(there, "m3", { id: "c@acme.com", from: "Team <team+x@acme.com>", to }, { sent: true })
        yield* deliver(there, "m4", { id: "d@acme.com", from: "sales+y@acme.com", to }, { sent: true })
        yield* Effect.forEach(["m1", "m2", "m3", "m4"], (id) => receiveProviderEvent(arrived(id)))
        yield* drainJobs
        assert.deepStrictEqual(yield* aliases, ["team@acme.com"])
      })
    )

    scene("three known contacts make an address an alias, and any number of strangers does not", ({ mailbox: there }) =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* signIn
        let number = 0
        const arrive = Effect.fnUntraced(function* (from: string, to: string) {
          const id = `arrived.${++number}`
          yield* deliver(there, id, { id: `${id}@x.example`, from, to, body: `Mail ${number}.` })
          yield* receiveProviderEvent(arrived(id))
          yield* drainJobs
        })
        for (let stranger = 0; stranger < 22; stranger++) {
          yield* arrive(`stranger.${stranger}@junk.example`, "info@acme.com")
          yield* arrive("one@junk.example", `a${stranger}@acme.com`)
        }
        for (const name of ["ann", "ben", "cleo"]) {
          const from = `${name}@customer.example`
          yield* acme.receiveMail({ id: `${name}@acme.com`, from: "sales@acme.com", to: from, body: `Hello ${name}.` })
          yield* arrive(from, "roofs@acme.com")
          assert.deepStrictEqual(yield* aliases, name === "cleo" ? ["roofs@acme.com"] : [])
        }
        yield* arrive("ann@customer.example", "roofs+spring@acme.com")
        assert.deepStrictEqual(yield* aliases, ["roofs@acme.com"])
      })
    )

    scene("a bounce reported by the provider marks its address, if we sent mail to it", ({ mail: { fates } }) =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* signIn
        const assigned = { internetMessageId: null, providerMessageId: "s1", providerThreadId: null }
        fates.push({ left: true, response: "200", refused: [], assigned })
        const sent = yield* acme.sendMail(onMonday)
        const back = (email: string, hard: boolean, closed = true): HostedMailEvent => ({
          _tag: "MailReturned",
          providerGrantId: account.providerGrantId,
          originalMessageId: null,
          originalProviderId: "s1",
          recipients: [{ email, name: null }],
          reason: "550 no such user",
          hard,
          closed
        })
        const messages = yield* Messages
        yield* receiveProviderEvent(back("jo@customer.example", false))
        yield* receiveProviderEvent(back("somebody@else.example", true))
        assert.strictEqual((yield* messages.find("acme", sent.messageId))?.delivery, "sent")
        const contacts = yield* Contacts
        yield* receiveProviderEvent(back("jo@customer.example", true, false))
        assert.strictEqual((yield* messages.find("acme", sent.messageId))?.delivery, "bounced")
        assert.isNull(yield* contacts.undeliverable("acme", "jo@customer.example"))
        yield* receiveProviderEvent(back("jo@customer.example", true))
        assert.include(yield* contacts.undeliverable("acme", "jo@customer.example"), "550")
        assert.isNull(yield* contacts.undeliverable("acme", "somebody@else.example"))
      })
    )

    scene("a send that the provider rejects waits until the owner signs in again", ({ mail: { fates, outbox } }) =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* signIn
        fates.push(ProviderFailure.signedOut("mail", "401"))
        const sent = yield* acme.sendMail(onMonday)
        assert.strictEqual((yield* (yield* Grants).current("acme"))?.status, "expired")
        yield* TestClock.adjust(60_000)
        yield* workDueSends()
        assert.strictEqual(outbox.length, 1)
        yield* signIn
        yield* TestClock.adjust(900_000)
        yield* workDueSends()
        assert.strictEqual(outbox.length, 2)
        assert.strictEqual((yield* (yield* Messages).find("acme", sent.messageId))?.delivery, "sent")
      })
    )
  })
}
