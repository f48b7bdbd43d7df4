/**
 * The suite of search. Query plans are tested in `packages/store/test/search`.
 */
import { assert, describe } from "@effect/vitest"
import { archiveContact } from "@leadloom/core/internal/workflow/contact/ArchiveContact"
import { updateContact } from "@leadloom/core/internal/workflow/contact/UpdateContact"
import type { Contact } from "@leadloom/core/internal/domain/contact/Contact"
import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Search } from "@leadloom/core/internal/port/repository/contact/Search"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { catchUp, catchUpLimit } from "@leadloom/core/internal/workflow/search/WorkSearch"
import { type SearchRequest, searchTenant } from "@leadloom/core/internal/workflow/search/SearchTenant"
import { Effect } from "effect"
import { contactRecord, idOf, messageRecord } from "../Records.ts"
import { acme, inTenant, scenesOn, type Services, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const tenantId = "acme"
const day = 24 * 3_600_000

const say = (number: number, changes: Partial<Message>) =>
  Effect.flatMap(Messages, (messages) =>
    messages.insert(messageRecord(tenantId, number, { timestamp: start - number * 1_000, ...changes }), [])
  )

const know = (number: number, changes: Partial<Contact>) =>
  Effect.flatMap(Contacts, (contacts) =>
    contacts.insert(contactRecord(tenantId, number, { name: null, email: null, ...changes }))
  )

/** Searches all contacts and messages of the tenant. `changes` replaces fields of the request. */
const find = (query: string, changes: Partial<SearchRequest> = {}) =>
  searchTenant(tenantId, {
    query,
    deep: false,
    kinds: ["contacts", "conversations"],
    limit: 20,
    cursor: null,
    ...changes
  })

/** Returns the numbers of the matches, in order. */
const numbers = Effect.fnUntraced(function* (query: string, changes: Partial<SearchRequest> = {}) {
  const { contacts, messages } = yield* find(query, changes)
  return {
    contacts: contacts.map(({ value }): string => value.contactId),
    messages: messages.map(({ value }): string => value.messageId)
  }
})

const messagesFound = (query: string, changes: Partial<SearchRequest> = {}) =>
  Effect.map(numbers(query, changes), ({ messages }) => messages)
const contactsFound = (query: string) => Effect.map(numbers(query), ({ contacts }) => contacts)

const ids = (prefix: "msg" | "con", ...list: ReadonlyArray<number>): ReadonlyArray<string> =>
  list.map((number) => idOf(prefix, number))

/** Returns all pages of a search. */
const allPages = Effect.fnUntraced(function* (
  query: string,
  limit: number,
  between: Effect.Effect<void, unknown, Messages> = Effect.void
) {
  const seen: Array<string> = []
  let cursor: string | null = null
  for (let page = 0; page < 200; page++) {
    const answer: Effect.Success<ReturnType<typeof find>> = yield* find(query, { limit, cursor })
    seen.push(...answer.messages.map(({ value }) => value.messageId))
    cursor = answer.nextCursor
    if (cursor === null) return seen
    yield* between
  }
  return assert.fail("there is no end of it")
})

/** Encloses the matched ranges of a text in brackets: `[this]`. */
const marked = (text: string, ranges: ReadonlyArray<{ readonly start: number; readonly end: number }>): string =>
  ranges
    .toReversed()
    .reduce((shown, { end, start }) => `${shown.slice(0, start)}[${shown.slice(start, end)}]${shown.slice(end)}`, text)

const highlightsOf = Effect.fnUntraced(function* (query: string) {
  const { contacts, messages } = yield* find(query)
  return [...contacts, ...messages].flatMap(({ fit }) =>
    fit.highlights.map(({ field, ranges, text }) => `${field}: ${marked(text, ranges)}`)
  )
})

/** Tests search on a store. */
export const searchSuite = (name: string, store: StoreLayer): void => {
  const add = scenesOn(store)
  const scene = (title: string, test: () => Effect.Effect<void, unknown, Services>) =>
    add(title, () => Effect.andThen(acme.open(), test()))

  describe(`search on ${name}`, () => {
    scene("finds a new message at once by its words, in any case, order and accents", () =>
      Effect.gen(function* () {
        yield* say(1, { subject: "Ärger mit der Straße", body: "Der Zürcher Façade fehlt ein naïver Anstrich." })
        yield* say(2, { body: "ÆRØ and Łódź, ΟΔΌΣ" })
        for (const query of [
          "arger",
          "ÄRGER",
          "strasse",
          "facade zurcher",
          "Anstrich naiver",
          "  façade, «Zürcher»!"
        ]) {
          assert.deepStrictEqual(yield* messagesFound(query), ids("msg", 1), query)
        }
        for (const query of ["aero", "lodz", "οδος"])
          assert.deepStrictEqual(yield* messagesFound(query), ids("msg", 2), query)
        for (const query of ["arger fehltnicht", "rger", "zurcher lodz"]) {
          assert.deepStrictEqual(yield* messagesFound(query), [], query)
        }
      })
    )
    scene("treats the last word as a prefix, and the others as whole words", () =>
      Effect.gen(function* () {
        yield* say(1, { body: "kitchen cabinets" })
        assert.deepStrictEqual(yield* messagesFound("kitchen cab"), ids("msg", 1))
        assert.deepStrictEqual(yield* messagesFound("k"), ids("msg", 1))
        assert.deepStrictEqual(yield* messagesFound("kit cabinets"), [])
      })
    )
    scene("finds text without spaces by any two adjacent characters, or by one", () =>
      Effect.gen(function* () {
        yield* say(1, { body: "東京都の屋根を修理してください" })
        yield* say(2, { body: "ราคาหลังคาใหม่เท่าไหร่" })
        yield* say(3, { body: "지붕을 고쳐 주세요" })
        for (const query of ["屋根", "東京", "京都の屋根", "根", "い"]) {
          assert.deepStrictEqual(yield* messagesFound(query), ids("msg", 1), query)
        }
        assert.deepStrictEqual(yield* messagesFound("หลังคา"), ids("msg", 2))
        assert.deepStrictEqual(yield* messagesFound("지붕"), ids("msg", 3))
        assert.deepStrictEqual(yield* messagesFound("屋東"), [])
      })
    )
    scene("finds contacts by parts of numbers in any format, by parts of addresses, and by words", () =>
      Effect.gen(function* () {
        yield* know(1, { name: "Zoë Müller", email: "zoe.mueller@Bau-Haus.example", phone: "+491715551234" })
        yield* know(2, { name: "Ann Lee", company: "Müller & Söhne", tags: ["vip client"], notes: "Likes slate." })
        const contacts = yield* Contacts
        yield* contacts.attach(
          tenantId,
          idOf("con", 2),
          [
            { kind: "email", value: "private@second.example" },
            { kind: "phone", value: "+442079460000" },
            { kind: "external", value: "CRM-77", source: "crm" }
          ],
          start
        )
        for (const query of ["0171 555", "+49 (0)171/555-12", "555 1234", "0049171", "5512"]) {
          assert.deepStrictEqual(yield* contactsFound(query), ids("con", 1), query)
        }
        for (const query of [
          "zoe.m",
          "@bau-haus",
          "ueller@b",
          "haus.ex",
          "zoe.mueller@bau-haus.example",
          "zoe",
          "ZOË mul"
        ]) {
          assert.deepStrictEqual(yield* contactsFound(query), ids("con", 1), query)
        }
        for (const query of ["020 7946", "vate@sec", "slate", "vip", "crm-77", "sohne"]) {
          assert.deepStrictEqual(yield* contactsFound(query), ids("con", 2), query)
        }
        // A match in the name ranks higher than a match in the company.
        assert.deepStrictEqual(yield* contactsFound("müller"), ids("con", 1, 2))
      })
    )
    scene("finds a message by the other side's address, by attachments, and by numbers in it", () =>
      Effect.gen(function* () {
        yield* say(1, {
          from: "jo.smith@customer.example",
          to: ["sales@acme.com"],
          body: "Call 0171 / 555-1234 please"
        })
        yield* say(2, {
          actor: "agent",
          from: "sales@acme.com",
          to: ["bea@customer.example"],
          body: "Sure",
          attachments: [
            { filename: "Angebot_2026.pdf", contentType: "application/pdf", size: 1, contentId: null, inline: false }
          ]
        })
        assert.deepStrictEqual(yield* messagesFound("jo.smith@cust"), ids("msg", 1))
        assert.deepStrictEqual(yield* messagesFound("bea@"), ids("msg", 2))
        assert.deepStrictEqual(yield* messagesFound("angebot"), ids("msg", 2))
        assert.deepStrictEqual(yield* messagesFound("+49 171 555"), [])
        assert.deepStrictEqual(yield* messagesFound("(0171) 5551"), ids("msg", 1))
        assert.deepStrictEqual(yield* messagesFound("sales"), [])
      })
    )
    scene("covers the last six months, and older messages on request", () =>
      Effect.gen(function* () {
        yield* say(1, { body: "slate", timestamp: start - 100 * day })
        yield* say(2, { body: "slate", timestamp: Date.parse("2025-09-01T00:00:00.000Z") })
        yield* say(3, { body: "slate", timestamp: Date.parse("2025-09-02T00:00:00.000Z") })
        yield* say(4, { body: "slate", timestamp: 0 })
        yield* say(5, { body: "slate", timestamp: -1e15 })
        assert.deepStrictEqual(yield* messagesFound("slate"), ids("msg", 1, 3))
        assert.deepStrictEqual(yield* messagesFound("slate", { deep: true }), ids("msg", 1, 3, 2, 4, 5))
        assert.strictEqual((yield* find("slate")).since, Date.parse("2025-09-02T00:00:00.000Z"))
      })
    )
    scene("ranks better matches before newer ones, and newer before older", () =>
      Effect.gen(function* () {
        yield* say(1, { body: "roofing, and a roof" })
        yield* say(2, { body: "the roof", timestamp: start - 40 * day })
        yield* say(3, { body: "roofing" })
        yield* say(4, { subject: "A roof", body: "about it" })
        assert.deepStrictEqual(yield* messagesFound("roof"), ids("msg", 4, 1, 2, 3))
        yield* say(5, { body: "red and blue slate" })
        yield* say(6, { body: "blue slate" })
        assert.deepStrictEqual(yield* messagesFound("blue slate"), ids("msg", 5, 6))
        yield* say(7, { body: "slate that is not blue" })
        assert.deepStrictEqual(yield* messagesFound("blue slate"), ids("msg", 5, 6, 7))
      })
    )
    scene("returns the matched ranges in plain text", () =>
      Effect.gen(function* () {
        yield* know(1, { name: "Zoë Ähm", email: "zoe@bau.example", phone: "+491715551234" })
        yield* say(1, { subject: "Zoë?", body: `${"word ".repeat(60)}<b>zoe</b>\n& ZOË's 👩‍👩‍👧 ${"end ".repeat(80)}` })
        const shown = yield* highlightsOf("zoe")
        assert.deepStrictEqual(shown.slice(0, 3), ["name: [Zoë] Ähm", "email: [zoe]@bau.example", "subject: [Zoë]?"])
        assert.match(shown[3] ?? "", /^body: word .*<b>\[zoe\]<\/b> & \[ZOË\]'s 👩‍👩‍👧 end/u)
        assert.deepStrictEqual(yield* highlightsOf("au.ex"), ["email: zoe@b[au.ex]ample"])
        assert.deepStrictEqual(yield* highlightsOf("0171 55"), ["phone: [+491715551234]"])
      })
    )
    scene("shows every message once over its pages, with new messages in between", () =>
      Effect.gen(function* () {
        const count = 260
        for (let number = 1; number <= count; number++) {
          yield* say(number, {
            body: number % 3 === 0 ? "slate slate" : "slates",
            subject: number % 7 === 0 ? "slate" : null
          })
        }
        yield* Effect.repeat(catchUp(tenantId, "oldest"), { until: (isDone) => isDone })
        let next = 1_000
        const seen = yield* allPages(
          "slate",
          17,
          Effect.suspend(() => say(next++, { body: "slate", timestamp: start + next }))
        )
        const old = seen.filter((id) => id < idOf("msg", 1_000))
        assert.strictEqual(new Set(seen).size, seen.length)
        assert.strictEqual(old.length, count)
      })
    )
    scene("finds new messages behind a long indexing backlog, and reports the backlog", () =>
      Effect.gen(function* () {
        for (let number = 1; number <= 2 * catchUpLimit; number++) yield* say(number, { body: "slate" })
        yield* say(999, { body: "brand new" })
        const { complete, messages } = yield* find("brand new")
        assert.deepStrictEqual(
          messages.map(({ value }): string => value.messageId),
          ids("msg", 999)
        )
        const { behind } = yield* Search
        assert.isFalse(complete)
        assert.strictEqual(yield* behind, tenantId)
        yield* Effect.repeat(catchUp(tenantId, "oldest"), { until: (isDone) => isDone })
        assert.isNull(yield* behind)
        assert.isTrue((yield* find("slate")).complete)
        assert.strictEqual((yield* allPages("slate", 100)).length, 2 * catchUpLimit)
      })
    )
    scene("follows changed, archived and erased contacts, and accepts only its own cursors", () =>
      Effect.gen(function* () {
        yield* know(1, { name: "Before", email: "a@customer.example" })
        assert.deepStrictEqual(yield* contactsFound("before"), ids("con", 1))
        yield* updateContact(tenantId, idOf("con", 1), { name: "After" })
        assert.deepStrictEqual(yield* contactsFound("before"), [])
        assert.deepStrictEqual(yield* contactsFound("after"), ids("con", 1))
        yield* archiveContact(tenantId, idOf("con", 1))
        assert.deepStrictEqual(yield* contactsFound("after"), [])
        yield* say(1, { body: "slate" })
        yield* say(2, { body: "slate" })
        const { nextCursor } = yield* find("slate", { limit: 1 })
        assert.isNotNull(nextCursor)
        for (const changes of [{ deep: true }, { kinds: ["conversations" as const] }]) {
          const error = yield* Effect.flip(find("slate", { cursor: nextCursor, ...changes }))
          assert.strictEqual(error._tag, "CursorInvalid")
        }
        assert.strictEqual((yield* Effect.flip(find("other", { cursor: nextCursor })))._tag, "CursorInvalid")
        const { forget } = yield* Search
        yield* (yield* Transactions).atomically(tenantId, forget(tenantId, [idOf("msg", 1)]))
        assert.deepStrictEqual(yield* messagesFound("slate"), ids("msg", 2))
      })
    )
    scene("never shows anything of another tenant", () =>
      Effect.gen(function* () {
        yield* inTenant("acme-2").open()
        yield* inTenant("acm").open()
        const messages = yield* Messages
        yield* say(1, { body: "slate" })
        for (const other of ["acme-2", "acm"]) {
          yield* messages.insert(messageRecord(other, 2, { body: "slate 2 secret", timestamp: start }), [])
          yield* (yield* Contacts).insert(contactRecord(other, 2, { name: "secret slate" }))
          yield* searchTenant(other, { query: "x", deep: true, kinds: ["contacts"], limit: 1, cursor: null })
        }
        const nothing: ReadonlyArray<string> = []
        assert.deepStrictEqual(yield* numbers("slate"), { contacts: nothing, messages: ids("msg", 1) })
        for (const query of ["secret", "acme-2·", "2", "acme-2 slate", '" OR words:slate']) {
          assert.deepStrictEqual(yield* numbers(query), { contacts: [], messages: [] }, query)
        }
      })
    )
  })
}
