/**
 * Suites of intake: mail, events, forms, assistants and the stored sources of mail. MIME parsing is tested in
 * `packages/connectors/test/mime`.
 */
import { assert, describe } from "@effect/vitest"
import { archiveContact } from "@leadloom/core/internal/workflow/contact/ArchiveContact"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import type { Accepted } from "@leadloom/core/internal/workflow/intake/Inbound"
import { ingestEvent, type CustomEvent } from "@leadloom/core/internal/workflow/intake/IngestEvent"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { eraseContact } from "@leadloom/core/internal/workflow/privacy/EraseContact"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, present, scenesOn, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const stored = ({ messageId }: Accepted) => acme.messageOf(messageId)

const smsEvent: CustomEvent = {
  entity: { id: "c-1", name: "Jo Smith", email: null, phone: "+14155550123", company: null },
  body: "Are you open today?",
  subject: null,
  channel: "sms",
  direction: "inbound",
  metadata: {},
  timestamp: null,
  messageId: null
}

/** Tests intake on a store. */
export const intakeSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`intake on ${name}`, () => {
    scene("a first mail creates contact, thread, lead, message, conversation, signal and events", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const accepted = yield* acme.receiveMail()
        const message = yield* stored(accepted)
        assert.strictEqual(accepted.outcome, "message")
        assert.strictEqual(message.body, "What would a new roof cost?")
        assert.strictEqual(message.timestamp, start - 300_000)
        assert.strictEqual(message.receivedAlias, "sales@acme.com")
        const contact = yield* acme.contactOf(message.contactId)
        assert.deepStrictEqual([contact.name, contact.email], ["Jo Smith", "jo@customer.example"])
        const lead = yield* acme.leadOf(accepted.leadId)
        assert.deepStrictEqual([lead.state, lead.threadId], ["open", accepted.threadId])
        const conversation = yield* (yield* Conversations).get("acme", message.contactId)
        assert.deepStrictEqual([conversation.unread, conversation.leadId], [1, accepted.leadId])
        assert.strictEqual(yield* (yield* Signals).backlog, 1)
        assert.deepStrictEqual(yield* acme.eventTypes(), ["contact.created", "lead.received", "conversation.updated"])
      })
    )

    scene("fifty concurrent copies create one message, one signal and fifty ledger lines", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const all = yield* Effect.forEach(Array.from({ length: 50 }), () => acme.receiveMail(), {
          concurrency: "unbounded"
        })
        assert.strictEqual(new Set(all.map(({ messageId }) => messageId)).size, 1)
        assert.strictEqual(yield* (yield* Signals).backlog, 1)
        const counts = yield* acme.arrivals
        assert.deepStrictEqual(counts.map(({ outcome, count }) => [outcome, count]).toSorted(), [
          ["duplicate_of", 49],
          ["message", 1]
        ])
      })
    )

    scene("a copy without its Message-ID is recognised by its content", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const first = yield* acme.receiveMail()
        const copy = yield* acme.receiveMail({ id: "rewritten@relay.example", more: ["Received: by relay.example"] })
        assert.deepStrictEqual([copy.outcome, copy.messageId], ["duplicate_of", first.messageId])
      })
    )

    scene("quoted history is folded, and stays in order if replies are between its lines", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const top = ["Yes, please.", "", "On Mon, 2 Mar 2026, Ann wrote:", "> Shall we come?", "> Ann"].join("\r\n")
        const above = yield* stored(yield* acme.receiveMail({ body: top }))
        assert.strictEqual(above.body, "Yes, please.")
        assert.include(above.quotedText, "Shall we come?")
        const lines = ["> Shall we come?", "Yes, please.", "> On Tuesday?", "Rather on Friday."]
        const between = yield* stored(yield* acme.receiveMail({ id: "b@x.example", body: lines.join("\r\n") }))
        assert.notInclude(between.body, "Shall we come?")
        assert.deepStrictEqual(between.quotedText?.split(/\r?\n/u).slice(0, 4), lines)
      })
    )

    scene("a reply to a copy with another Message-ID finds the thread", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const early = yield* acme.receiveMail({
          id: "early@x.example",
          inReplyTo: "copy@relay.example",
          body: "Before it"
        })
        const first = yield* acme.receiveMail()
        yield* acme.receiveMail({ id: "copy@relay.example" })
        const answer = yield* acme.receiveMail({
          id: "late@x.example",
          inReplyTo: "copy@relay.example",
          body: "After it"
        })
        const threads = [yield* stored(early), yield* stored(first), yield* stored(answer)].map((each) => each.threadId)
        assert.strictEqual(new Set(threads).size, 1)
      })
    )

    scene("equal mails that reply to different messages are both stored", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const resent = yield* acme.receiveMail({ id: "resent@customer.example" })
        const answer = yield* acme.receiveMail({ id: "answer@customer.example", inReplyTo: "other@acme.com" })
        assert.strictEqual(answer.outcome, "message")
        assert.notStrictEqual(answer.threadId, resent.threadId)
      })
    )

    scene("another mail with a used Message-ID is stored and flagged", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const first = yield* acme.receiveMail()
        const other = yield* acme.receiveMail({ from: "Eve <eve@elsewhere.example>", body: "Something else" })
        assert.notStrictEqual(other.messageId, first.messageId)
        assert.include((yield* stored(other)).flags, "reused_message_id")
      })
    )

    scene("a reply joins the thread and its lead, whatever its subject", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const first = yield* acme.receiveMail()
        yield* TestClock.adjust("1 minute")
        const reply = yield* acme.receiveMail({
          id: "second@customer.example",
          inReplyTo: "first@customer.example",
          subject: "Another matter",
          body: "And the gutter?"
        })
        assert.deepStrictEqual([reply.threadId, reply.leadId], [first.threadId, first.leadId])
        assert.include((yield* stored(reply)).flags, "subject_changed")
        assert.include(yield* acme.eventTypes(), "lead.contact_replied")
      })
    )

    scene("a subject alone joins nothing", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const first = yield* acme.receiveMail()
        const second = yield* acme.receiveMail({
          id: "other@customer.example",
          subject: "Re: A roof",
          body: "Hello again"
        })
        assert.notStrictEqual(second.threadId, first.threadId)
      })
    )

    scene("a mail that links two threads merges them and their leads", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const older = yield* acme.receiveMail({ id: "a@customer.example", body: "One" })
        yield* TestClock.adjust("1 minute")
        const younger = yield* acme.receiveMail({ id: "b@customer.example", body: "Two" })
        yield* TestClock.adjust("1 minute")
        const link = yield* acme.receiveMail({
          id: "c@customer.example",
          references: "<b@customer.example> <a@customer.example>",
          body: "Three"
        })
        assert.deepStrictEqual([link.threadId, link.leadId], [older.threadId, older.leadId])
        assert.strictEqual((yield* acme.leadOf(younger.leadId)).mergedInto, older.leadId)
        const moved = yield* stored(younger)
        assert.deepStrictEqual([moved.threadId, moved.leadId], [older.threadId, older.leadId])
      })
    )

    scene("a late parent joins the replies that arrived first", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const child = yield* acme.receiveMail({
          id: "child@x.example",
          inReplyTo: "first@customer.example",
          body: "Yes"
        })
        const sibling = yield* acme.receiveMail({
          id: "sib@x.example",
          inReplyTo: "first@customer.example",
          body: "No"
        })
        const parent = yield* acme.receiveMail()
        assert.strictEqual(sibling.threadId, child.threadId)
        assert.strictEqual(parent.threadId, child.threadId)
      })
    )

    scene("an unknown sender who replies into a thread joins it unverified", () =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* acme.receiveMail()
        const reply = { id: "s@else.example", inReplyTo: "first@customer.example", body: "I am Jo's partner" }
        const stranger = yield* acme.receiveMail({ ...reply, from: "Max <max@else.example>" })
        assert.include((yield* stored(stranger)).flags, "sender_unverified")
      })
    )

    scene("outbound mail is an agent's message in the contact's conversation, without a signal", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const first = yield* acme.receiveMail()
        const own = yield* acme.receiveMail({
          id: "ours@acme.com",
          from: "Ann <ann@acme.com>",
          to: "jo@customer.example",
          inReplyTo: "first@customer.example",
          body: "About 9,000."
        })
        const message = yield* stored(own)
        assert.deepStrictEqual([own.outcome, own.signalId, message.actor], ["own", null, "agent"])
        assert.deepStrictEqual([own.contactId, own.leadId], [first.contactId, first.leadId])
        assert.strictEqual(yield* (yield* Signals).backlog, 1)
      })
    )

    scene("an automatic reply opens no lead and queues no signal", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const away = yield* acme.receiveMail({ more: ["Auto-Submitted: auto-replied"], subject: "Automatic reply" })
        assert.deepStrictEqual([away.outcome, away.leadId, away.signalId], ["auto", null, null])
      })
    )

    scene("old mail is stored and threaded, without a signal", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const old = yield* acme.receiveMail({ date: "Tue, 01 Apr 2025 10:00:00 +0000" }, true)
        assert.deepStrictEqual([old.outcome, old.signalId], ["message", null])
        assert.strictEqual((yield* stored(old)).timestamp, Date.parse("2025-04-01T10:00:00Z"))
      })
    )

    scene("mail with a future date is stored with the current time", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const future = yield* acme.receiveMail({ date: "Tue, 01 Apr 2036 10:00:00 +0000" })
        assert.strictEqual((yield* stored(future)).timestamp, start)
      })
    )

    scene("a lost lead reopens when its contact writes", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const first = yield* acme.receiveMail()
        yield* (yield* Leads).update({ ...(yield* acme.leadOf(first.leadId)), state: "lost" })
        yield* acme.receiveMail({ id: "b@x.example", inReplyTo: "first@customer.example", body: "Still there?" })
        assert.strictEqual((yield* acme.leadOf(first.leadId)).state, "open")
        assert.include(yield* acme.eventTypes(), "lead.state_changed")
      })
    )

    scene("a repeated event with the same key returns the same id and changes nothing", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const requestKey = { key: "k-1", fingerprint: "one" }
        const send = acme.receiveEvent(smsEvent, "form", requestKey)
        const both = [yield* send, yield* send]
        assert.strictEqual(both[0]?.eventId, both[1]?.eventId)
        assert.strictEqual(both[1]?.accepted.outcome, "duplicate_of")
        const other = yield* acme.receiveEvent(smsEvent, "chat", requestKey)
        assert.strictEqual(other.accepted.outcome, "message")
      })
    )

    scene("another event with the same key is rejected, even after the first was erased", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const send = (body: string, fingerprint: string) =>
          acme.receiveEvent({ ...smsEvent, body }, "form", { key: "k-1", fingerprint })
        const { accepted } = yield* send("One", "one")
        assert.strictEqual((yield* Effect.flip(send("Two", "two")))._tag, "IdempotencyConflict")
        const contactId = present(accepted.contactId)
        yield* eraseContact({ tenantId: "acme", contactId, confirm: contactId, requestedBy: "a test" })
        assert.strictEqual((yield* Effect.flip(send("Two", "two")))._tag, "IdempotencyConflict")
        const again = yield* send("One", "one")
        assert.deepStrictEqual([again.accepted.outcome, again.accepted.messageId], ["duplicate_of", null])
      })
    )

    scene("entered data of a contact stays, missing data is added, and an archived contact becomes active", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const entered = { name: "Johanna Smith", email: "jo@customer.example" }
        const { contactId } = yield* createContact("acme", entered)
        yield* archiveContact("acme", contactId)
        const accepted = yield* acme.receiveMail()
        assert.strictEqual(accepted.contactId, contactId)
        const contact = yield* acme.contactOf(contactId)
        assert.deepStrictEqual([contact.name, contact.archivedAt], ["Johanna Smith", null])
        const sms = { ...smsEvent, entity: { ...smsEvent.entity, email: "jo@customer.example", company: "Smith & Co" } }
        yield* acme.receiveEvent(sms, "phone")
        const filled = yield* acme.contactOf(contactId)
        assert.deepStrictEqual([filled.phone, filled.company], ["+14155550123", "Smith & Co"])
      })
    )

    scene("two identities of two contacts suggest a merge, without a merge", () =>
      Effect.gen(function* () {
        const tenant = yield* acme.open()
        const send = (entity: Partial<CustomEvent["entity"]>) =>
          ingestEvent({
            tenant,
            sourceId: "form",
            event: {
              ...smsEvent,
              entity: { id: null, name: null, email: null, phone: null, company: null, ...entity }
            },
            requestKey: null
          })
        const byEmail = yield* send({ email: "jo@customer.example" })
        yield* TestClock.adjust("1 minute")
        const byPhone = yield* send({ phone: "+14155550123" })
        yield* TestClock.adjust("1 minute")
        const contacts = yield* Contacts
        const suggested: Array<readonly [into: string | null, from: string | null]> = []
        const both = yield* send({ email: "JO@customer.example", phone: "(415) 555-0123" }).pipe(
          Effect.provideService(Contacts, {
            ...contacts,
            suggestMerge: (tenantId, into, from, reason, at) => {
              suggested.push([into, from])
              return contacts.suggestMerge(tenantId, into, from, reason, at)
            }
          })
        )
        assert.notStrictEqual(byEmail.accepted.contactId, byPhone.accepted.contactId)
        assert.strictEqual(both.accepted.contactId, byEmail.accepted.contactId)
        assert.deepStrictEqual(suggested, [[byEmail.accepted.contactId, byPhone.accepted.contactId]])
        assert.isNull((yield* contacts.get("acme", byPhone.accepted.contactId ?? "none")).archivedAt)
      })
    )
  })
}
