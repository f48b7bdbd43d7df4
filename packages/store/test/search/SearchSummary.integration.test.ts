import { assert, describe, it } from "@effect/vitest"
import { parseSearchQuery } from "@leadloom/core/internal/domain/search/SearchQuery"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { type SearchKind, Search } from "@leadloom/core/internal/port/repository/contact/Search"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { catchUp, summarize } from "@leadloom/core/internal/workflow/search/WorkSearch"
import { contactRecord, idOf, messageRecord } from "@leadloom/testkit/suite/Records"
import { Effect, type Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type * as Store from "../../src/Store.ts"
import { livePostgres } from "../TemporaryPostgres.ts"
import { temporaryStore } from "../TemporaryStore.ts"

const tenantId = "acme"

const index = Effect.repeat(catchUp(tenantId, "oldest"), { until: (isDone) => isDone })
const summarizeAll = Effect.repeat(summarize(tenantId), { until: (isDone) => isDone })

const say = (number: number, body: string) =>
  Effect.flatMap(Messages, (messages) =>
    messages.insert(messageRecord(tenantId, number, { body, from: null, contactId: idOf("con", 9) }), [])
  )

/** Sets the number of documents of the newest segment, as if two further documents filled it. */
const almostFill = Effect.flatMap(SqlClient, (sql) =>
  sql.unsafe(`UPDATE search_segments SET documents = 4094 WHERE tenant_id = '${tenantId}' AND documents < 4094
    AND segment % 1048576 > 0`)
)

const find = (query: string, kind: SearchKind = "conversations") =>
  Effect.flatMap(Search, ({ places }) =>
    places(tenantId, kind, parseSearchQuery(query), { since: null, after: null, until: null, limit: 10 })
  ).pipe(
    Effect.map((found) => {
      assert.isNull(found.end)
      return found.places.map(({ id }) => id)
    })
  )

const forget = (id: `msg_${string}` | `con_${string}`) =>
  Effect.gen(function* () {
    yield* (yield* Transactions).atomically(tenantId, (yield* Search).forget(tenantId, [id]))
  })

/** Removes the words of all summaries, so that a search that reads them skips their segments. */
const emptySummaries = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.onDialectOrElse({
    pg: () => sql.unsafe("DELETE FROM search_summaries"),
    orElse: () => sql.unsafe("INSERT INTO search_summaries (search_summaries) VALUES ('delete-all')")
  })
})

/** Three segments of messages: 1 to 4, 5 to 8 and 9. */
const threeSegments = Effect.gen(function* () {
  for (let number = 1; number <= 9; number++) {
    yield* say(number, `Gutter number x${number} ${number === 2 || number === 6 ? "copper pipe" : "slate"} 屋根`)
    if (number % 4 === 2) {
      yield* index
      yield* almostFill
    }
  }
  yield* index
})

const messages = (...numbers: ReadonlyArray<number>) => numbers.map((number) => idOf("msg", number))

const stores: ReadonlyArray<readonly [string, () => Layer.Layer<Store.Store | SqlClient, unknown>]> = [
  ["SQLite", () => temporaryStore],
  ["Postgres", () => livePostgres]
]

describe.each(stores)("the summaries of the search index on %s", (_, store) => {
  const scene = (title: string, test: Effect.Effect<void, unknown, Store.Store | SqlClient>) =>
    it.live(title, () => Effect.provide(test, store()))

  scene(
    "find the same messages as without summaries",
    Effect.gen(function* () {
      yield* threeSegments
      const queries = [
        "gutter",
        "copper",
        "pip",
        "x3",
        "x9",
        "x1 slate",
        "copper slate",
        "slate x",
        "g",
        "根",
        "屋根",
        "oak"
      ]
      const before = yield* Effect.forEach(queries, (query) => find(query))
      assert.deepStrictEqual(before[1], messages(6, 2))
      assert.strictEqual(yield* (yield* Search).behind, tenantId)
      yield* summarizeAll
      assert.isNull(yield* (yield* Search).behind)
      assert.isNull(yield* (yield* Search).behind)
      assert.deepStrictEqual(yield* Effect.forEach(queries, (query) => find(query)), before)
    })
  )

  scene(
    "let a search skip the full segments without its words",
    Effect.gen(function* () {
      yield* threeSegments
      yield* summarizeAll
      yield* emptySummaries
      assert.deepStrictEqual(yield* find("copper"), [])
      assert.deepStrictEqual(yield* find("gutter"), messages(9))
      // A single letter has too many words.
      assert.deepStrictEqual(yield* find("c"), messages(6, 2))
    })
  )

  scene(
    "are removed with a deleted message, and written again",
    Effect.gen(function* () {
      yield* threeSegments
      yield* summarizeAll
      yield* forget(idOf("msg", 2))
      yield* emptySummaries
      // Messages 1 to 4 have no summary now, 5 to 8 have an empty one.
      assert.deepStrictEqual(yield* find("slate"), messages(9, 4, 3, 1))
      assert.deepStrictEqual(yield* find("copper"), [])
      assert.isFalse(yield* summarize(tenantId))
      assert.isTrue(yield* summarize(tenantId))
      assert.deepStrictEqual(yield* find("x3"), messages(3))
    })
  )

  scene(
    "lose the former words of a contact when it is deleted, but not when it changes",
    Effect.gen(function* () {
      const contacts = yield* Contacts
      const know = (number: number) =>
        contacts.insert(contactRecord(tenantId, number, { name: `Person ${number}`, email: null }))
      yield* know(1)
      yield* know(2)
      yield* index
      yield* almostFill
      yield* Effect.forEach([3, 4, 5], know, { discard: true })
      yield* index
      yield* summarizeAll
      yield* contacts.update(contactRecord(tenantId, 2, { name: "Changed", email: null }))
      yield* index
      assert.isFalse(yield* (yield* Search).hasUnsummarized(tenantId))
      assert.deepStrictEqual(yield* find("changed", "contacts"), [idOf("con", 2)])
      assert.deepStrictEqual(yield* find("person 1", "contacts"), [idOf("con", 1)])
      // The newest segment has no summary, but the older one has the former name.
      yield* forget(idOf("con", 2))
      assert.deepStrictEqual(yield* find("changed", "contacts"), [])
      yield* forget(idOf("con", 3))
      assert.isTrue(yield* (yield* Search).hasUnsummarized(tenantId))
      yield* summarizeAll
      assert.deepStrictEqual(yield* find("person 1", "contacts"), [idOf("con", 1)])
    })
  )
})
