/** The suite of the search for private notes. The query language is tested in `SearchSuite.ts`. */
import { assert, describe } from "@effect/vitest"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { createContact } from "@leadloom/core/internal/workflow/contact/CreateContact"
import { mergeContacts } from "@leadloom/core/internal/workflow/contact/MergeContacts"
import { undoMerge } from "@leadloom/core/internal/workflow/contact/UndoMerge"
import { createNote, deleteNote, type NoteWriter, updateNote } from "@leadloom/core/internal/workflow/note/Notes"
import { eraseContact } from "@leadloom/core/internal/workflow/privacy/EraseContact"
import { type SearchRequest, searchTenant } from "@leadloom/core/internal/workflow/search/SearchTenant"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { idOf, messageRecord } from "../Records.ts"
import { acme, inTenant, scenesOn, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const kim: NoteWriter = { author: "user:kim", isManager: false }

const person = (name: string, tenantId = "acme") =>
  Effect.map(createContact(tenantId, { name }), ({ contactId }) => contactId)

const find = (query: string, changes: Partial<SearchRequest> = {}, tenantId = "acme") =>
  searchTenant(tenantId, {
    query,
    deep: false,
    kinds: ["contacts", "conversations", "notes"],
    limit: 20,
    cursor: null,
    ...changes
  })

/** Returns the texts of the found notes, best match first. */
const textsFound = (query: string, changes: Partial<SearchRequest> = {}) =>
  Effect.map(find(query, changes), ({ notes }) => notes.map(({ value }) => value.body))

/** Returns the contacts of the found notes. */
const contactsFound = (query: string) =>
  Effect.map(find(query), ({ notes }) => notes.map(({ value }): string => value.contactId))

/** Tests the search for private notes on a store. */
export const noteSearchSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`search for notes on ${name}`, () => {
    scene("finds a note of any age at once, apart from messages and contacts", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const jo = yield* person("Jo Smith")
        const { noteId } = yield* createNote("acme", jo, "Prefers slate. Call +44 20 7946 0000.", kim)
        yield* (yield* Messages).insert(messageRecord("acme", 1, { body: "slate?", timestamp: start }), [])
        yield* TestClock.adjust("400 days")
        const { contacts, messages, notes } = yield* find("SLATE")
        assert.deepStrictEqual([contacts.length, messages.length], [0, 0])
        assert.deepStrictEqual(
          notes.map(({ fit, value }) => [value.noteId, value.contactId, value.contactName, fit.highlights]),
          [
            [
              noteId,
              jo,
              "Jo Smith",
              [
                {
                  field: "body",
                  text: "Prefers slate. Call +44 20 7946 0000.",
                  ranges: [{ start: 8, end: 13 }]
                }
              ]
            ]
          ]
        )
        assert.lengthOf(yield* textsFound("7946 00"), 1)
        assert.deepStrictEqual(yield* textsFound("slate", { kinds: ["contacts", "conversations"] }), [])
        assert.lengthOf((yield* find("slate", { deep: true })).messages, 1)
      })
    )

    scene("follows the change and the deletion of a note", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const jo = yield* person("Jo")
        const { noteId } = yield* createNote("acme", jo, "Prefers slate.", kim)
        assert.lengthOf(yield* textsFound("slate"), 1)
        yield* updateNote("acme", jo, noteId, "Prefers tiles.", kim)
        assert.deepStrictEqual([yield* textsFound("slate"), yield* textsFound("tiles")], [[], ["Prefers tiles."]])
        yield* deleteNote("acme", jo, noteId, kim)
        assert.deepStrictEqual(yield* textsFound("tiles"), [])
      })
    )

    scene("follows a merge of contacts, its undo and an erasure", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const [jo, ann] = [yield* person("Jo"), yield* person("Ann")]
        yield* createNote("acme", ann, "Prefers slate.", kim)
        const { merge } = yield* mergeContacts("acme", jo, ann)
        assert.deepStrictEqual(yield* contactsFound("slate"), [jo])
        yield* undoMerge("acme", merge.mergeId)
        assert.deepStrictEqual(yield* contactsFound("slate"), [ann])
        yield* eraseContact({ tenantId: "acme", contactId: ann, confirm: ann, requestedBy: "kim" })
        assert.deepStrictEqual(yield* contactsFound("slate"), [])
      })
    )

    scene("keeps tenants apart", () =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* inTenant("other").open()
        const jo = yield* person("Jo", "other")
        yield* createNote("other", jo, "Prefers slate.", kim)
        assert.lengthOf((yield* find("slate", {}, "other")).notes, 1)
        assert.deepStrictEqual(yield* textsFound("slate"), [])
      })
    )

    scene("returns every result of all kinds once over the pages", () =>
      Effect.gen(function* () {
        yield* acme.open()
        const expected: Array<string> = []
        for (let number = 1; number <= 7; number++) {
          const jo = yield* person(`Slate ${number}`)
          const { noteId } = yield* createNote("acme", jo, `slate ${number}`, kim)
          const message = messageRecord("acme", number, { body: "slate", timestamp: start - number })
          yield* (yield* Messages).insert(message, [])
          expected.push(jo, noteId, idOf("msg", number))
        }
        const seen: Array<string> = []
        let cursor: string | null = null
        do {
          const page: Effect.Success<ReturnType<typeof find>> = yield* find("slate", { limit: 3, cursor })
          seen.push(
            ...page.contacts.map(({ value }) => value.contactId),
            ...page.messages.map(({ value }) => value.messageId),
            ...page.notes.map(({ value }) => value.noteId)
          )
          cursor = page.nextCursor
        } while (cursor !== null && seen.length < 100)
        assert.deepStrictEqual(seen.toSorted(), expected.toSorted())
      })
    )
  })
}
