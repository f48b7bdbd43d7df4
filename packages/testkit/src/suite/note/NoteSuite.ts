/** Suites of private notes: rights, mentions, events, the timeline and merges. */
import { assert, describe } from "@effect/vitest"
import { maxMentions, maxNoteLength } from "@leadloom/core/internal/domain/note/Note"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { readTimeline } from "@leadloom/core/internal/workflow/contact/ReadTimeline"
import { undoMerge } from "@leadloom/core/internal/workflow/contact/UndoMerge"
import {
  createNote,
  deleteNote,
  listNotes,
  type NoteWriter,
  updateNote
} from "@leadloom/core/internal/workflow/note/Notes"
import { ActingUser } from "@leadloom/core/internal/workflow/ActingUser"
import { createTeam } from "@leadloom/core/internal/workflow/user/Teams"
import { createTenant } from "@leadloom/core/internal/workflow/tenant/Tenants"
import { createUser, deactivateUser } from "@leadloom/core/internal/workflow/user/Users"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { idOf } from "../Records.ts"
import { acme, scenesOn, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"
import { userRecord } from "../WorkspaceRecords.ts"

const kim: NoteWriter = { author: "user:kim", isManager: false }
const lee: NoteWriter = { author: "user:lee", isManager: false }
const boss: NoteWriter = { author: "user:boss", isManager: true }

const person = (email: string) => Effect.map(createContact("acme", { email }), ({ contactId }) => contactId)

const bodiesOf = (contactId: string) =>
  Effect.map(listNotes("acme", contactId, { limit: 10, cursor: null }), ({ items }) => items.map(({ body }) => body))

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

/** Tests the workflows of private notes on a store. */
export const noteSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`notes on ${name}`, () => {
    scene("only the author changes a note, and a manager deletes it", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const jo = yield* person("jo@customer.example")
        const { noteId } = yield* createNote("acme", jo, "  Prefers calls.  ", kim)
        assert.strictEqual(yield* tagOf(updateNote("acme", jo, noteId, "No calls.", lee)), "NoteOfAnother")
        assert.strictEqual(yield* tagOf(updateNote("acme", jo, noteId, "No calls.", boss)), "NoteOfAnother")
        assert.strictEqual(yield* tagOf(deleteNote("acme", jo, noteId, lee)), "NoteOfAnother")
        yield* TestClock.adjust("1 minute")
        const changed = yield* updateNote("acme", jo, noteId, "Prefers texts.", kim)
        assert.deepInclude(changed, { body: "Prefers texts.", createdAt: start, updatedAt: start + 60_000 })
        yield* deleteNote("acme", jo, noteId, boss)
        assert.strictEqual(yield* tagOf(deleteNote("acme", jo, noteId, kim)), "NoteNotFound")
        assert.deepStrictEqual(yield* bodiesOf(jo), [])
        const notes = (yield* acme.events()).filter(({ type }) => type.startsWith("note."))
        assert.deepStrictEqual(
          notes.map(({ data, type }) => [type, data["preview"]]),
          [
            ["note.created", "Prefers calls."],
            ["note.updated", "Prefers texts."],
            ["note.deleted", "Prefers texts."]
          ]
        )
      })
    )
    scene("rejects an empty, an overlong and an overfull note, and a note about another contact", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const [jo, ann] = [yield* person("jo@customer.example"), yield* person("ann@customer.example")]
        const crowd = Array.from({ length: maxMentions + 1 }, (_, number) => `@${idOf("usr", number)}`).join(" ")
        for (const body of [" \n", "a".repeat(maxNoteLength + 1), crowd]) {
          assert.strictEqual(yield* tagOf(createNote("acme", jo, body, kim)), "NoteInvalid")
        }
        const { noteId } = yield* createNote("acme", jo, "Hello", kim)
        assert.strictEqual(yield* tagOf(updateNote("acme", ann, noteId, "Moved", kim)), "NoteNotFound")
        assert.strictEqual(yield* tagOf(createNote("acme", "con_nothing", "Hello", kim)), "ContactNotFound")
        assert.deepStrictEqual(yield* bodiesOf(jo), ["Hello"])
      })
    )
    scene("mentions resolve to users, including the members of teams, and unknown ones are rejected", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const jo = yield* person("jo@customer.example")
        const [ann, ben] = [
          yield* createUser("acme", { name: "Ann", email: null }, {}),
          yield* createUser("acme", { name: "Ben", email: null }, {})
        ]
        const sales = yield* createTeam("acme", { name: "Sales", memberIds: [ben.userId] })
        const text = `<@${ann.userId}> and @${sales.teamId}: please call.`
        const note = yield* createNote("acme", jo, text, kim)
        assert.deepInclude(note, { mentions: [ann.userId, ben.userId], teamMentions: [sales.teamId] })
        for (const body of [`<@${idOf("usr", 1)}>`, `@${idOf("team", 1)}`]) {
          assert.strictEqual(yield* tagOf(createNote("acme", jo, body, kim)), "NoteInvalid")
        }
        const event = (yield* acme.events()).find(({ type }) => type === "note.created")
        assert.deepStrictEqual(event?.data["mentions"], [ann.userId, ben.userId])
      })
    )
    scene("events list each mention as new once", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const jo = yield* person("jo@customer.example")
        const [ann, ben] = [
          yield* createUser("acme", { name: "Ann", email: null }, {}),
          yield* createUser("acme", { name: "Ben", email: null }, {})
        ]
        const { teamId } = yield* createTeam("acme", { name: "Sales", memberIds: [ann.userId, ben.userId] })
        const { noteId } = yield* createNote("acme", jo, `<@${ann.userId}>: please call.`, kim)
        yield* updateNote("acme", jo, noteId, `<@${ann.userId}>: please call today.`, kim)
        yield* updateNote("acme", jo, noteId, `<@${teamId}>: please call today.`, kim)
        yield* deleteNote("acme", jo, noteId, kim)
        const notes = (yield* acme.events()).filter(({ type }) => type.startsWith("note."))
        assert.deepStrictEqual(
          notes.map(({ data }) => data["new_mentions"]),
          [[ann.userId], [], [ben.userId], []]
        )
      })
    )
    scene("mentions of deactivated users and of users of another tenant are rejected, and earlier ones stay", () =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* createTenant({ tenantId: "other", name: "Other", domain: "other.example", preset: null, hipaa: false })
        const jo = yield* person("jo@customer.example")
        const ann = yield* createUser("acme", { name: "Ann", email: null }, {})
        const ben = yield* createUser("acme", { name: "Ben", email: null }, {})
        const stranger = yield* createUser("other", { name: "Cleo", email: null }, {})
        const { noteId } = yield* createNote("acme", jo, `<@${ann.userId}>: please call.`, kim)
        const { teamId } = yield* createTeam("acme", { name: "Sales", memberIds: [ann.userId, ben.userId] })
        yield* deactivateUser("acme", ann.userId)
        for (const { userId } of [ann, stranger]) {
          assert.strictEqual(yield* tagOf(createNote("acme", jo, `<@${userId}>`, kim)), "NoteInvalid")
          assert.strictEqual(yield* tagOf(createNote("other", jo, `<@${userId}>`, kim)), "ContactNotFound")
        }
        const changed = yield* updateNote("acme", jo, noteId, `<@${ann.userId}>: please call today.`, kim)
        assert.deepStrictEqual(changed.mentions, [ann.userId])
        assert.deepStrictEqual((yield* createNote("acme", jo, `<@${teamId}>`, kim)).mentions, [ben.userId])
      })
    )
    scene("a user stays the author with another credential", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const jo = yield* person("jo@customer.example")
        const as = (number: number) => Effect.provideService(ActingUser, userRecord("acme", number))
        const { authorId, noteId } = yield* as(1)(createNote("acme", jo, "Hello", kim))
        assert.strictEqual(authorId, userRecord("acme", 1).userId)
        assert.strictEqual(yield* tagOf(as(2)(updateNote("acme", jo, noteId, "Mine", kim))), "NoteOfAnother")
        assert.deepInclude(yield* as(1)(updateNote("acme", jo, noteId, "Changed", lee)), { body: "Changed" })
      })
    )
    scene("pages contain every note once, and the timeline shows notes", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const jo = yield* person("jo@customer.example")
        for (const body of ["one", "two", "three"]) yield* createNote("acme", jo, body, kim)
        const first = yield* listNotes("acme", jo, { limit: 2, cursor: null })
        const second = yield* listNotes("acme", jo, { limit: 2, cursor: first.nextCursor })
        assert.deepStrictEqual(
          [...first.items, ...second.items].map(({ body }) => body),
          ["three", "two", "one"]
        )
        assert.isNull(second.nextCursor)
        const { entries } = yield* readTimeline("acme", jo, { limit: 10, cursor: null })
        const shown = entries.flatMap((entry) => (entry._tag === "Note" ? [entry.note.body] : []))
        assert.deepStrictEqual(shown, ["three", "two", "one"])
      })
    )
    scene("notes follow their contact through a merge and back", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const [jo, twin] = [yield* person("jo@customer.example"), yield* person("jo@home.example")]
        const { noteId } = yield* createNote("acme", twin, "Called twice.", kim)
        const { merge } = yield* mergeContacts("acme", jo, twin)
        assert.deepStrictEqual(yield* bodiesOf(jo), ["Called twice."])
        assert.strictEqual(yield* tagOf(updateNote("acme", twin, noteId, "Lost", kim)), "ContactMerged")
        yield* undoMerge("acme", merge.mergeId)
        assert.deepStrictEqual(yield* bodiesOf(jo), [])
        assert.deepStrictEqual(yield* bodiesOf(twin), ["Called twice."])
      })
    )
  })
}
