import { assert, describe } from "@effect/vitest"
import { Erasures } from "@leadloom/core/internal/port/repository/contact/Erasures"
import { ThreadCorrections } from "@leadloom/core/internal/port/repository/conversation/ThreadCorrections"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { eraseContact } from "@leadloom/core/internal/workflow/privacy/EraseContact"
import { listCorrections, readThread } from "@leadloom/core/internal/workflow/thread/ReadThread"
import { ActingUser } from "@leadloom/core/internal/workflow/ActingUser"
import { Effect } from "effect"
import { acme, present, scenesOn } from "../Scene.ts"
import { userRecord } from "../WorkspaceRecords.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { anna, areTogether, join, move, reasonsOf, receive, split, stateOf, threadOf, undo } from "./CorrectionWorld.ts"

const kim = { from: "kim@other.example" }

/** A thread of four mails: a question, two answers, and an answer to the second answer. */
const fourMails = Effect.gen(function* () {
  yield* acme.open()
  const root = yield* receive(null)
  const first = yield* receive(root)
  const second = yield* receive(root)
  const third = yield* receive(second)
  return { root, first, second, third, all: [root, first, second, third] }
})

/** Tests corrections of threads on a store. */
export const correctionSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)
  describe(`corrections of threads on ${name}`, () => {
    scene("explain each mail by the id that decided and the message with this id", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const root = yield* receive(null)
        const answer = yield* receive(root, { answering: "in_reply_to" })
        yield* receive(answer, { answering: "references" })
        const unknown = yield* receive({ id: "never.seen.4z9@customer.example", references: [] })
        assert.deepStrictEqual(yield* reasonsOf(yield* threadOf(root)), [
          { rule: "new_without_reference", id: null, matchedMessageId: null, corrected: false },
          { rule: "in_reply_to", id: root.id, matchedMessageId: root.messageId, corrected: false },
          { rule: "references", id: answer.id, matchedMessageId: answer.messageId, corrected: false }
        ])
        const [first] = yield* reasonsOf(yield* threadOf(unknown))
        assert.deepInclude(first, { rule: "new_unknown_reference", id: "never.seen.4z9@customer.example" })
      })
    )
    scene("split a message with all answers to it, and later mail follows", () =>
      Effect.gen(function* () {
        const { first, root, second, third } = yield* fourMails
        const correction = yield* split(second)
        assert.isTrue(yield* areTogether([root, first]))
        assert.isTrue(yield* areTogether([second, third]))
        assert.isFalse(yield* areTogether([root, second]))
        assert.isTrue(yield* areTogether([third, yield* receive(third)]))
        assert.isTrue(yield* areTogether([root, yield* receive(root)]))
        assert.isTrue(yield* areTogether([first, yield* receive(first, { answering: "references" })]))
        const [lead] = new Set((yield* stateOf([root, second])).messages.map(({ leadId }) => leadId))
        assert.strictEqual((yield* acme.messageOf(third.messageId)).leadId, lead)
        const { corrections, participants } = yield* readThread("acme", correction.threadId, { limit: 9, cursor: null })
        assert.deepStrictEqual(corrections, [correction])
        assert.deepStrictEqual(participants, ["jo@customer.example", "sales@acme.com"])
        assert.deepInclude((yield* reasonsOf(correction.threadId))[0], { rule: "in_reply_to", corrected: true })
        const events = (yield* acme.events()).filter(({ type }) => type === "thread.corrected")
        assert.deepStrictEqual(
          events.map(({ data }) => data["correction_id"]),
          [correction.correctionId]
        )
      })
    )
    scene("undo a split with the mail that arrived since", () =>
      Effect.gen(function* () {
        const { all, root, third } = yield* fourMails
        const before = yield* stateOf(all)
        const [ann, ben] = [userRecord("acme", 1), userRecord("acme", 2)]
        const correction = yield* Effect.provideService(split(third), ActingUser, ann)
        const later = yield* receive(third)
        const undoing = undo({ ...correction, threadId: yield* threadOf(root) })
        const undone = yield* Effect.provideService(undoing, ActingUser, ben)
        assert.deepStrictEqual(yield* stateOf(all), before)
        assert.isTrue(yield* areTogether([root, third, later]))
        const list = yield* listCorrections("acme", yield* threadOf(root), { limit: 10, cursor: null })
        assert.deepStrictEqual(list.items, [undone])
        const by = { actor: anna.actor, userId: ann.userId, userName: ann.name }
        const undoneBy = { undoneBy: anna.actor, undoneByUser: ben.userId, undoneByUserName: ben.name }
        assert.deepInclude(undone, { ...by, ...undoneBy })
        const problem = yield* Effect.flip(undo({ ...correction, threadId: yield* threadOf(root) }))
        assert.deepInclude(problem, { problem: "already_undone" })
      })
    )
    scene("move one message to a thread of its contact and its lead, and back", () =>
      Effect.gen(function* () {
        const { all, root, second, third } = yield* fourMails
        const other = yield* receive(null)
        const mails = [...all, other]
        const before = yield* stateOf(mails)
        const correction = yield* move(second, other)
        assert.isTrue(yield* areTogether([second, other]))
        assert.isTrue(yield* areTogether([root, third]))
        const lead = (yield* acme.messageOf(other.messageId)).leadId
        assert.strictEqual((yield* acme.messageOf(second.messageId)).leadId, lead)
        yield* undo(correction)
        assert.deepStrictEqual(yield* stateOf(mails), before)
        const again = yield* move(second, other)
        assert.isTrue(yield* areTogether([other, yield* receive(second)]))
        assert.isTrue(yield* areTogether([root, yield* receive(third)]))
        assert.deepInclude(yield* Effect.flip(undo(again)), { problem: "later_mail" })
      })
    )
    scene("join threads of a contact into the oldest one with a lead, and back", () =>
      Effect.gen(function* () {
        const { all, root } = yield* fourMails
        const other = yield* receive(null)
        const answer = yield* receive(other)
        const mails = [...all, other, answer]
        const before = yield* stateOf(mails)
        const correction = yield* join(other, root)
        assert.isTrue(yield* areTogether(mails))
        const joined = yield* Effect.flip(
          readThread("acme", present(correction.fromThreadIds[0]), { limit: 9, cursor: null })
        )
        assert.deepInclude(joined, { _tag: "ThreadNotFound" })
        yield* undo(correction)
        assert.deepStrictEqual(yield* stateOf(mails), before)
        yield* join(other, root)
        assert.isTrue(yield* areTogether([root, yield* receive(answer)]))
      })
    )
    scene("keep the lead of each contact in a join, and in its undo", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const jo = yield* receive(null)
        const joined = yield* receive(jo, { from: "ann@customer.example" })
        const ann = yield* receive(null, { from: "ann@customer.example" })
        const mails = [jo, joined, ann]
        const leadsOf = Effect.forEach(mails, ({ messageId }) => Effect.map(acme.messageOf(messageId), (m) => m.leadId))
        const [ofJo, , ofAnn] = yield* leadsOf
        assert.notStrictEqual(ofJo, ofAnn)
        const correction = yield* join(ann, jo)
        assert.isTrue(yield* areTogether(mails))
        assert.deepStrictEqual(yield* leadsOf, [ofJo, ofJo, ofAnn])
        yield* undo(correction)
        assert.deepStrictEqual(yield* leadsOf, [ofJo, ofJo, ofAnn])
        assert.isFalse(yield* areTogether(mails))
      })
    )
    scene("are undone in reverse order only", () =>
      Effect.gen(function* () {
        const { all, root, second, third } = yield* fourMails
        const before = yield* stateOf(all)
        const earlier = yield* split(second)
        const later = yield* split(third)
        assert.deepInclude(yield* Effect.flip(undo(earlier)), {
          problem: "later_correction",
          undoFirst: later.correctionId
        })
        yield* undo(later)
        yield* undo(earlier)
        assert.deepStrictEqual(yield* stateOf(all), before)
        assert.isTrue(yield* areTogether([root, yield* receive(third)]))
      })
    )
    scene("refuse foreign contacts, an emptied thread, and messages of other threads", () =>
      Effect.gen(function* () {
        const { root, second } = yield* fourMails
        const foreign = yield* receive(null, kim)
        assert.deepInclude(yield* Effect.flip(move(second, foreign)), { problem: "other_contact" })
        assert.deepInclude(yield* Effect.flip(join(root, foreign)), { problem: "other_contact" })
        assert.deepInclude(yield* Effect.flip(split(root)), { problem: "nothing_remains" })
        assert.deepInclude(yield* Effect.flip(move(root, second)), { problem: "same_thread" })
        assert.deepInclude(yield* Effect.flip(join(root, second)), { problem: "same_thread" })
      })
    )
    scene("keep working after a merge of contacts", () =>
      Effect.gen(function* () {
        const { all, root } = yield* fourMails
        const foreign = yield* receive(null, kim)
        const [jane, kimId] = yield* Effect.forEach([root, foreign], ({ messageId }) =>
          Effect.map(acme.messageOf(messageId), ({ contactId }) => contactId)
        )
        yield* mergeContacts("acme", present(jane), present(kimId))
        const correction = yield* join(root, foreign)
        assert.isTrue(yield* areTogether([...all, foreign]))
        yield* undo(correction)
        assert.isFalse(yield* areTogether([root, foreign]))
      })
    )
    scene("restore nothing of an erased contact", () =>
      Effect.gen(function* () {
        const { all, root } = yield* fourMails
        const guest = yield* receive(root, kim)
        const other = yield* receive(null)
        const correction = yield* join(other, root)
        const { contactId } = yield* acme.messageOf(guest.messageId)
        yield* eraseContact({ tenantId: "acme", contactId, confirm: contactId, requestedBy: "anna" })
        assert.isNotNull(yield* (yield* Erasures).ofContact("acme", contactId))
        yield* undo(correction)
        const state = yield* stateOf([...all, other])
        assert.notInclude(JSON.stringify(state.participants), "kim@other.example")
        const carried = yield* (yield* ThreadCorrections).carriedIds("acme", yield* threadOf(root))
        assert.notInclude(
          carried.map(({ id }) => id),
          guest.id
        )
      })
    )
  })
}
