/**
 * Suites of drafts and their approval. Automatic replies belong in `suite/sending`.
 */
import { assert, describe } from "@effect/vitest"
import { archiveContact } from "@leadloom/core/internal/workflow/contact/ArchiveContact"
import { approveDraft } from "@leadloom/core/internal/workflow/draft/ApproveDraft"
import { dismissDraft, readDraft } from "@leadloom/core/internal/workflow/draft/Drafts"
import { contentHash } from "@leadloom/core/internal/domain/draft/Draft"
import { labelSubject } from "@leadloom/core/internal/workflow/conversation/LabelSubject"
import { markRead } from "@leadloom/core/internal/workflow/conversation/MarkRead"
import { sendMessage } from "@leadloom/core/internal/workflow/conversation/SendMessage"
import { maxSendsPerHour } from "@leadloom/core/internal/domain/sending/SendLimit"
import { workDueSends } from "@leadloom/core/internal/workflow/sending/WorkSends"
import { workDueSignals } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { updateTask } from "@leadloom/core/internal/workflow/task/UpdateTask"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { taskRecord } from "../Records.ts"
import { acme, scenesOn, type Services, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { open, accept, receive, approval, again, stateOf, conflict, letter, refused, away } from "./DraftWorld.ts"

/** Tests drafts on a store. */
export const draftSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`approving a draft on ${name}`, () => {
    scene("sends it once as the agent's reply to its message, for any number of requests", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        const tenant = yield* open
        const { contactId, draft, messageId } = yield* receive({ more: ["Reply-To: desk@customer.example"] })
        const shown = (yield* readDraft("acme", contactId)) ?? assert.fail("nothing is shown")
        assert.deepStrictEqual([shown.to, shown.subject], [["desk@customer.example"], "Re: A roof"])
        assert.deepStrictEqual([draft.messageId, draft.headMessageId], [messageId, messageId])
        const seen = approval({
          draftId: draft.draftId,
          contentHash: contentHash("Thank you."),
          headMessageId: draft.headMessageId
        })
        const both = yield* Effect.all(
          [approveDraft(tenant, contactId, seen), approveDraft(tenant, contactId, approval())],
          { concurrency: 2 }
        )
        const later = yield* approveDraft(tenant, contactId, seen)
        assert.deepStrictEqual([...both, later].map(({ replayed }) => replayed).toSorted(), [false, true, true])
        assert.strictEqual(new Set([...both, later].map((sent) => sent.messageId)).size, 1)
        assert.strictEqual(outbox.length, 1)
        const [mail] = outbox
        assert.deepStrictEqual(
          [mail?.from.email, mail?.to.map(({ email }) => email), mail?.subject, mail?.inReplyTo, mail?.automatic],
          ["sales@acme.com", ["desk@customer.example"], "Re: A roof", "first@customer.example", false]
        )
        const message = yield* (yield* Messages).find("acme", later.messageId)
        assert.deepStrictEqual([message?.actor, message?.body, message?.delivery], ["agent", "Thank you.", "sent"])
        assert.deepStrictEqual(yield* stateOf(contactId), ["sent", "done"])
        assert.isNull(yield* readDraft("acme", contactId))
        const events = yield* (yield* Events).after("acme", 0, 99)
        const eventsOfMessage = events.filter(({ event }) => event.data["message_id"] === later.messageId)
        assert.deepStrictEqual(
          eventsOfMessage.map(({ event }) => event.type),
          ["conversation.updated", "message.sent"]
        )
      })
    )

    scene("sends the edited text once, and its approval cannot be repeated with another text", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        const tenant = yield* open
        const { contactId, draft } = yield* receive()
        const edited = { draftId: draft.draftId, contentHash: contentHash(draft.text), body: "Thank you, Jo." }
        const sent = yield* approveDraft(tenant, contactId, approval(edited))
        assert.strictEqual((yield* approveDraft(tenant, contactId, approval(edited))).messageId, sent.messageId)
        assert.deepStrictEqual(yield* conflict(tenant, contactId), ["sent", null, sent.messageId])
        assert.deepStrictEqual(
          outbox.map(({ text }) => text),
          ["Thank you, Jo."]
        )
      })
    )

    scene("fails if the person saw another state, and returns the current one", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        const tenant = yield* open
        const first = yield* receive()
        const { contactId } = first
        const second = yield* receive(again("2@x.example"))
        const now = second.draft.draftId
        const stale = { draftId: first.draft.draftId }
        assert.deepStrictEqual(yield* conflict(tenant, contactId, stale), ["superseded", now, null])
        const otherText = { contentHash: contentHash("Something else.") }
        assert.deepStrictEqual(yield* conflict(tenant, contactId, otherText), ["edited", now, null])
        const oldHead = { headMessageId: first.messageId }
        assert.deepStrictEqual(yield* conflict(tenant, contactId, oldHead), ["newer_message", now, second.messageId])
        assert.deepStrictEqual(outbox, [])
        assert.deepStrictEqual(yield* stateOf(contactId), ["pending", "done", "open"])
        const sent = yield* approveDraft(tenant, contactId, approval({ headMessageId: second.messageId }))
        assert.deepStrictEqual(
          outbox.map(({ inReplyTo }) => inReplyTo),
          ["2@x.example"]
        )
        yield* accept(again("3@x.example"))
        assert.deepStrictEqual(yield* conflict(tenant, contactId), ["newer_message", null, null])
        assert.strictEqual(
          (yield* approveDraft(tenant, contactId, approval({ draftId: now }))).messageId,
          sent.messageId
        )
      })
    )

    scene(
      "fails for unknown contacts, without a draft or an account, for HIPAA tenants and above the hourly limit",
      () =>
        Effect.gen(function* () {
          const tenant = yield* open
          const quiet = yield* accept({
            from: "kim@customer.example",
            id: "k@x.example",
            body: "Hello",
            subject: "Hi"
          })
          yield* workDueSignals()
          assert.strictEqual(yield* conflict(tenant, quiet.contactId), "DraftNotFound")
          assert.strictEqual(yield* conflict(tenant, "con_of_nobody"), "ContactNotFound")
          const { contactId, draft } = yield* receive()
          const foreign = { draftId: draft.draftId }
          assert.strictEqual(yield* conflict(tenant, quiet.contactId, foreign), "DraftNotFound")
          assert.strictEqual(yield* conflict({ ...tenant, hipaa: true }, contactId), "EmailClosed")
          const { drafts, other } = { drafts: yield* Drafts, other: quiet.contactId }
          const sms = { ...draft, contactId: other, messageId: quiet.messageId, taskId: null }
          yield* drafts.propose({ ...sms, draftId: "draft_sms", channel: "sms" })
          assert.strictEqual(yield* conflict(tenant, other), "SmsNotConfigured")
          yield* drafts.propose({ ...sms, draftId: "draft_voice", channel: "voice" })
          assert.strictEqual(yield* conflict(tenant, other), "ChannelNotWritable")
          for (let number = 0; number < maxSendsPerHour; number++) yield* sendMessage(tenant, other, letter, null)
          assert.strictEqual(yield* conflict(tenant, contactId), "SendLimitReached")
          assert.deepStrictEqual(yield* stateOf(contactId), ["pending", "open"])
          yield* TestClock.adjust("1 hour")
          assert.strictEqual((yield* approveDraft(tenant, contactId, approval())).rate?.remaining, maxSendsPerHour - 1)
        })
    )

    scene(
      "makes the draft pending again with its task after a permanent rejection, and allows a retry",
      ({ mail: { fates, outbox } }) =>
        Effect.gen(function* () {
          const tenant = yield* open
          const { contactId, draft } = yield* receive()
          fates.push(refused)
          assert.strictEqual(yield* conflict(tenant, contactId), "MailRefused")
          assert.deepStrictEqual(yield* stateOf(contactId), ["pending", "open"])
          const sent = yield* approveDraft(tenant, contactId, approval({ draftId: draft.draftId }))
          const history = yield* acme.messagesOf(contactId)
          assert.deepStrictEqual(
            history.map(({ delivery }) => delivery),
            [null, "failed", "sent"]
          )
          assert.deepStrictEqual(
            [sent.replayed, outbox.length, ...(yield* stateOf(contactId))],
            [false, 2, "sent", "done"]
          )
        })
    )

    scene(
      "is completed by workers after an outage; a rejection makes the draft pending again unless a newer message exists",
      ({ mail: { fates, outbox } }) =>
        Effect.gen(function* () {
          const tenant = yield* open
          const { contactId } = yield* receive()
          fates.push(away, refused)
          const queued = yield* approveDraft(tenant, contactId, approval())
          assert.deepStrictEqual(yield* stateOf(contactId), ["sent", "done"])
          assert.strictEqual((yield* approveDraft(tenant, contactId, approval())).messageId, queued.messageId)
          yield* TestClock.adjust("1 minute")
          yield* workDueSends()
          assert.deepStrictEqual(yield* stateOf(contactId), ["pending", "open"])
          fates.push(away, refused)
          yield* approveDraft(tenant, contactId, approval())
          yield* accept(again("2@x.example"))
          yield* workDueSends()
          assert.deepStrictEqual([outbox.length, ...(yield* stateOf(contactId))], [4, "superseded", "done"])
        })
    )
  })

  describe(`a pending draft on ${name}`, () => {
    scene("is dismissed when a person completes its task, and by no other change of tasks", () =>
      Effect.gen(function* () {
        yield* open
        const { contactId, draft } = yield* receive()
        const approve = draft.taskId ?? "task_"
        const call = taskRecord("acme", 9, { contactId: draft.contactId, type: "callback" })
        yield* (yield* Tasks).insert(call)
        yield* updateTask("acme", call.taskId, { status: "done" })
        yield* updateTask("acme", approve, { snoozeUntil: start + 3_600_000 })
        yield* updateTask("acme", approve, { disposition: "called", status: "open" })
        assert.deepStrictEqual(yield* stateOf(contactId), ["pending", "open"])
        yield* updateTask("acme", approve, { status: "done" })
        assert.deepStrictEqual(yield* stateOf(contactId), ["dismissed", "done"])
        const ends = (yield* acme.events()).filter(({ type }) => ["draft.dismissed", "task.completed"].includes(type))
        assert.deepStrictEqual(
          ends.map(({ data, type }) => [type, data["draft_id"] ?? data["task_id"]]),
          [
            ["task.completed", call.taskId],
            ["draft.dismissed", draft.draftId],
            ["task.completed", approve]
          ]
        )
        const next = yield* receive(again("2@x.example"))
        yield* updateTask("acme", approve, { status: "open" })
        yield* updateTask("acme", approve, { status: "done" })
        assert.strictEqual((yield* (yield* Drafts).find("acme", next.draft.draftId))?.state, "pending")
      })
    )

    scene(
      "is dismissed with its task and sends nothing, and a sent draft cannot be dismissed",
      ({ mail: { outbox } }) =>
        Effect.gen(function* () {
          const tenant = yield* open
          const { contactId, draft } = yield* receive()
          yield* dismissDraft("acme", contactId, draft.draftId)
          yield* dismissDraft("acme", contactId, null)
          assert.deepStrictEqual(yield* stateOf(contactId), ["dismissed", "done"])
          assert.deepStrictEqual(yield* conflict(tenant, contactId), ["dismissed", null, null])
          yield* receive(again("2@x.example"))
          yield* approveDraft(tenant, contactId, approval())
          assert.strictEqual((yield* Effect.flip(dismissDraft("acme", contactId, null)))._tag, "DraftChanged")
          assert.strictEqual((yield* Effect.flip(dismissDraft("acme", contactId, "draft_x")))._tag, "DraftNotFound")
          assert.strictEqual(outbox.length, 1)
          const completed = (yield* acme.events()).filter(({ type }) => type === "task.completed")
          assert.deepStrictEqual(
            completed.map(({ data }) => [data["contact_id"], data["type"], data["status"]]),
            [
              [contactId, "reply_approval", "done"],
              [contactId, "reply_approval", "done"]
            ]
          )
        })
    )

    const supersedes = (
      what: string,
      step: (tenant: Tenant, contactId: string) => Effect.Effect<unknown, unknown, Services>,
      expected: ReadonlyArray<string> = ["superseded", "done"]
    ) =>
      scene(`${expected[0] === "pending" ? "outlives" : "is superseded by"} ${what}`, () =>
        Effect.gen(function* () {
          const tenant = yield* open
          const { contactId } = yield* receive()
          yield* step(tenant, contactId)
          const found: ReadonlyArray<string | undefined> = yield* stateOf(contactId)
          assert.deepStrictEqual(found, expected)
        })
      )
    const own = { from: "sales@acme.com", to: "jo@customer.example", inReplyTo: "first@customer.example", body: "Hm" }
    const early = "Mon, 02 Mar 2026 08:00:00 +0000"
    supersedes("a newer message of the contact", () => accept(again("2@x.example")))
    supersedes("a message that a person writes to the contact", (tenant, contactId) =>
      sendMessage(tenant, contactId, letter, null)
    )
    supersedes("a mail that a person wrote in another mail program", () =>
      accept({ ...own, id: "own@acme.com", date: "Mon, 02 Mar 2026 09:01:30 +0000" })
    )
    supersedes("the archiving of the contact", (_, contactId) => archiveContact("acme", contactId))
    const waiting = ["pending", "open"]
    supersedes("old mail that is only stored now", () => accept({ ...own, id: "o@acme.com", date: early }), waiting)
    supersedes("an imported history", () => accept({ ...again("old@x.example"), date: early }, true), waiting)
    supersedes(
      "a notice of absence",
      () => accept({ ...again("v@x.example"), more: ["Auto-Submitted: auto-replied"] }),
      waiting
    )

    scene("is not written if a person replied before the pipeline, or archived the contact", () =>
      Effect.gen(function* () {
        const tenant = yield* open
        const { contactId } = yield* accept()
        yield* sendMessage(tenant, contactId, letter, null)
        yield* workDueSignals()
        assert.deepStrictEqual(yield* stateOf(contactId), [undefined])
        yield* accept(again("2@x.example"))
        yield* archiveContact("acme", contactId)
        yield* workDueSignals()
        assert.deepStrictEqual(yield* stateOf(contactId), [undefined])
      })
    )
  })

  describe(`a conversation on ${name}`, () => {
    scene("records the contact of a message, reports it once, and removes it again", () =>
      Effect.gen(function* () {
        yield* open
        const jo = yield* accept()
        const kim = yield* accept({ from: "kim@customer.example", id: "k@x.example", subject: "Hi" })
        const label = (messageId: string, subject: string | null, contactId: string = jo.contactId) =>
          labelSubject("acme", contactId, messageId, subject)
        const tag = (effect: ReturnType<typeof label>) => Effect.map(Effect.flip(effect), ({ _tag }) => _tag)
        const events = yield* Events
        const before = (yield* events.after("acme", 0, 99)).length
        yield* label(jo.messageId, kim.contactId)
        yield* label(jo.messageId, kim.contactId)
        assert.strictEqual((yield* (yield* Messages).find("acme", jo.messageId))?.subjectContactId, kim.contactId)
        const newEvents = (yield* events.after("acme", 0, 99)).slice(before)
        assert.deepStrictEqual(
          newEvents.map(({ event }) => [event.type, event.data["message_id"], event.data["subject_contact_id"]]),
          [["conversation.updated", jo.messageId, kim.contactId]]
        )
        assert.strictEqual((yield* label(jo.messageId, null)).subjectContactId, null)
        assert.strictEqual(yield* tag(label(kim.messageId, kim.contactId)), "NotInConversation")
        assert.strictEqual(yield* tag(label("nonsense", kim.contactId)), "NotInConversation")
        assert.strictEqual(yield* tag(label(jo.messageId, "con_of_nobody")), "ContactNotFound")
        assert.strictEqual(yield* tag(label(jo.messageId, null, "con_of_nobody")), "ContactNotFound")
      })
    )

    scene(
      "is read up to the last seen message: later ones stay unread, and outbound and automatic mail never counts",
      () =>
        Effect.gen(function* () {
          const tenant = yield* open
          const { contactId, messageId } = yield* accept()
          yield* accept(again("2@x.example"))
          yield* accept({ ...again("v@x.example"), more: ["Auto-Submitted: auto-replied"] })
          yield* sendMessage(tenant, contactId, letter, null)
          const unread = Effect.map(
            Effect.flatMap(Conversations, (conversations) => conversations.get("acme", contactId)),
            (conversation) => conversation.unread
          )
          assert.strictEqual(yield* unread, 2)
          yield* markRead("acme", contactId, messageId)
          assert.strictEqual(yield* unread, 1)
          yield* markRead("acme", contactId, null)
          assert.strictEqual(yield* unread, 0)
          const other = yield* accept({ from: "kim@customer.example", id: "k@x.example", subject: "Hi" })
          const foreign = yield* Effect.flip(markRead("acme", contactId, other.messageId))
          assert.strictEqual(foreign._tag, "NotInConversation")
        })
    )
  })
}
