import { assert, describe } from "@effect/vitest"
import { approveDraft } from "@leadloom/core/internal/workflow/draft/ApproveDraft"
import { dismissDraft, readDraft } from "@leadloom/core/internal/workflow/draft/Drafts"
import { releaseScheduled, workDueScheduled } from "@leadloom/core/internal/workflow/schedule/ReleaseScheduled"
import { scheduleApproval } from "@leadloom/core/internal/workflow/schedule/ScheduleApproval"
import { cancelScheduled, readScheduled } from "@leadloom/core/internal/workflow/schedule/ScheduledSends"
import type { Approval } from "@leadloom/core/internal/workflow/draft/ApproveDraft"
import type { Tenant } from "@leadloom/core/internal/domain/tenant/Tenant"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, drainSends, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { accept, again, approval, open, receive, stateOf } from "./DraftWorld.ts"

/** Releases all due messages with three workers, then hands them over. */
const work = Effect.gen(function* () {
  yield* Effect.all([workDueScheduled(), workDueScheduled(), workDueScheduled()], { concurrency: 3 })
  yield* drainSends
})

const approve = (tenant: Tenant, contactId: string, changes: Partial<Approval> = {}, undoSeconds = 10) =>
  scheduleApproval({ tenant, contactId, approval: approval(changes), undoSeconds, createdBy: "user:kim" })

/** Approves a draft, and returns the waiting message. */
const waiting = (tenant: Tenant, contactId: string, changes: Partial<Approval> = {}) =>
  Effect.map(approve(tenant, contactId, changes), (result) =>
    "scheduled" in result ? result.scheduled : assert.fail("it was sent at once")
  )

const fateOf = (messageId: string) =>
  Effect.map(readScheduled("acme", messageId), ({ reason, state }) => [state, reason])

/** Tests approvals with an undo window on a store. */
export const approvalWindowSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`an approval with an undo window on ${name}`, () => {
    scene("waits, and then sends one mail for any number of approvals", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        const tenant = yield* open
        const { contactId, draft } = yield* receive({ more: ["Reply-To: desk@customer.example"] })
        const seen = { draftId: draft.draftId }
        const both = yield* Effect.all([approve(tenant, contactId, seen), approve(tenant, contactId)], {
          concurrency: 2
        })
        const ids = both.map((result) => ("scheduled" in result ? result.scheduled.messageId : null))
        const messageId = ids[0] ?? assert.fail("it was sent at once")
        assert.strictEqual(new Set(ids).size, 1)
        // Neither an approval without a window nor one of another text sends a second mail.
        const other = yield* Effect.flip(approveDraft(tenant, contactId, approval(seen)))
        assert.deepInclude(other, { _tag: "DraftChanged", reason: "sent", messageId })
        const edited = yield* Effect.flip(approve(tenant, contactId, { body: "Another text." }))
        assert.deepInclude(edited, { _tag: "DraftChanged", reason: "sent", messageId })
        assert.deepStrictEqual(
          [yield* readDraft("acme", contactId), yield* stateOf(contactId)],
          [null, ["pending", "open"]]
        )
        yield* TestClock.adjust("9 seconds")
        yield* work
        assert.deepStrictEqual(outbox, [])
        yield* TestClock.adjust("1 second")
        yield* work
        yield* work
        assert.deepStrictEqual(
          outbox.map(({ automatic, from, inReplyTo, subject, text, to }) => [
            from.email,
            to.map(({ email }) => email),
            subject,
            inReplyTo,
            text,
            automatic
          ]),
          [["sales@acme.com", ["desk@customer.example"], "Re: A roof", "first@customer.example", "Thank you.", false]]
        )
        assert.deepStrictEqual(yield* stateOf(contactId), ["sent", "done"])
        assert.deepStrictEqual(yield* fateOf(messageId), ["sent", null])
        // A late click gets the sent message.
        const late = yield* approve(tenant, contactId, seen)
        assert.deepInclude(late, { messageId, replayed: true })
        assert.strictEqual((yield* approveDraft(tenant, contactId, approval(seen))).messageId, messageId)
        assert.strictEqual(outbox.length, 1)
      })
    )

    scene("restores the draft when it is cancelled, and the draft can be approved again", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        const tenant = yield* open
        const { contactId, draft } = yield* receive()
        const first = yield* waiting(tenant, contactId, { body: "Thank you, Jo.", changes: { subject: "Your roof" } })
        yield* TestClock.adjust("5 seconds")
        yield* cancelScheduled("acme", first.messageId)
        yield* TestClock.adjust("1 hour")
        yield* work
        assert.deepStrictEqual(outbox, [])
        assert.strictEqual((yield* readDraft("acme", contactId))?.draft.draftId, draft.draftId)
        const second = yield* waiting(tenant, contactId, { body: "Thank you, Jo.", changes: { subject: "Your roof" } })
        assert.notStrictEqual(second.messageId, first.messageId)
        yield* TestClock.adjust("10 seconds")
        // A worker whose claim is outdated does nothing.
        yield* Effect.all([releaseScheduled(first), releaseScheduled(second), releaseScheduled(second)], {
          concurrency: 3
        })
        yield* drainSends
        assert.deepStrictEqual(
          outbox.map(({ inReplyTo, subject, text }) => [inReplyTo, subject, text]),
          [["first@customer.example", "Your roof", "Thank you, Jo."]]
        )
        assert.strictEqual((yield* Effect.flip(cancelScheduled("acme", second.messageId)))._tag, "ScheduledSendEnded")
      })
    )

    scene(
      "is cancelled by a newer message, before and after the pipeline has replaced the draft",
      ({ mail: { outbox } }) =>
        Effect.gen(function* () {
          const tenant = yield* open
          const { contactId } = yield* receive()
          const first = yield* waiting(tenant, contactId)
          const second = yield* receive(again("2@x.example"))
          yield* TestClock.adjust("10 seconds")
          yield* work
          const reason = "a newer message arrived in the conversation"
          assert.deepStrictEqual([yield* fateOf(first.messageId), outbox], [["canceled", reason], []])
          const other = yield* waiting(tenant, contactId, { draftId: second.draft.draftId })
          yield* accept(again("3@x.example"))
          yield* work
          assert.deepStrictEqual([yield* fateOf(other.messageId), outbox], [["canceled", reason], []])
          const late = yield* Effect.flip(approve(tenant, contactId, { draftId: second.draft.draftId }))
          assert.deepInclude(late, { _tag: "DraftChanged", reason: "superseded" })
        })
    )

    scene("sends the draft for a form as one email to the address of the contact, with a stated subject", ({ mail }) =>
      Effect.gen(function* () {
        const tenant = yield* open
        const { contactId } = (yield* acme.handleRequest()).result
        const { subject, to } = (yield* readDraft("acme", contactId)) ?? assert.fail("there is no draft")
        assert.deepStrictEqual([to, subject], [[], null])
        const unnamed = yield* Effect.flip(approve(tenant, contactId))
        assert.deepInclude(unnamed, { _tag: "ChannelNotWritable", email: "jo@customer.example" })
        const stated = { changes: { subject: "Your new roof" } }
        const closed = yield* Effect.flip(approve({ ...tenant, hipaa: true }, contactId, stated))
        assert.strictEqual(closed._tag, "EmailClosed")
        const first = yield* waiting(tenant, contactId, stated)
        yield* cancelScheduled("acme", first.messageId)
        const second = yield* waiting(tenant, contactId, stated)
        assert.strictEqual((yield* waiting(tenant, contactId, stated)).messageId, second.messageId)
        yield* TestClock.adjust("10 seconds")
        yield* work
        const late = yield* approve(tenant, contactId, stated)
        assert.deepInclude(late, { messageId: second.messageId, replayed: true })
        assert.deepStrictEqual(
          mail.outbox.map(({ from, inReplyTo, subject: line, text, to: recipients }) => [
            from.email,
            recipients.map(({ email }) => email),
            line,
            inReplyTo,
            text
          ]),
          [["office@acme.com", ["jo@customer.example"], "Your new roof", null, "Thank you."]]
        )
        assert.deepStrictEqual(yield* stateOf(contactId), ["sent", "done"])
      })
    )

    scene("sends no draft for a form to a contact without an address", ({ mail }) =>
      Effect.gen(function* () {
        const tenant = yield* open
        const stated = { changes: { subject: "Your new roof" } }
        const contact = { name: "Kim", email: null, phone: "+12125550100" }
        const { contactId } = (yield* acme.handleRequest({ contact })).result
        const without = yield* Effect.flip(approve(tenant, contactId, stated))
        assert.deepInclude(without, { _tag: "ChannelNotWritable", email: null })
        assert.deepStrictEqual([yield* stateOf(contactId), mail.outbox], [["pending", "open"], []])
      })
    )

    scene("is cancelled by the dismissal of the draft", ({ mail: { outbox } }) =>
      Effect.gen(function* () {
        const tenant = yield* open
        const { contactId, draft } = yield* receive()
        const { messageId } = yield* waiting(tenant, contactId)
        yield* dismissDraft("acme", contactId, draft.draftId)
        yield* TestClock.adjust("10 seconds")
        yield* work
        assert.deepStrictEqual([yield* fateOf(messageId), outbox], [["canceled", "the draft was dismissed"], []])
      })
    )
  })
}
