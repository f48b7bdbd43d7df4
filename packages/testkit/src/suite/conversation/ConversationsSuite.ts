import { assert, layer } from "@effect/vitest"
import {
  allConversations,
  type ConversationKey,
  type ConversationQuery
} from "@leadloom/core/internal/domain/conversation/ConversationQuery"
import { newInboxState } from "@leadloom/core/internal/domain/conversation/InboxState"
import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import {
  Conversations,
  type ListedConversation
} from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { ReadMarks } from "@leadloom/core/internal/port/repository/conversation/ReadMarks"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Effect } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { contactRecord, freshTenant, idOf, leadRecord, messageRecord, noon } from "../Records.ts"

/** Stores a message and updates the head of its conversation. */
const receive = Effect.fnUntraced(function* (message: Message) {
  yield* (yield* Messages).insert(message, [])
  yield* (yield* Conversations).advance(message)
})

const openContact = (tenantId: string, number: number) =>
  Effect.flatMap(Contacts, (contacts) => contacts.insert(contactRecord(tenantId, number)))

const newestFirst: ConversationQuery = { ...allConversations, sort: "-last_timestamp" }

/** Reads all pages. Runs an effect between two pages. */
const readAll = <E, R>(tenantId: string, alias: string | null, between: (page: number) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const conversations = yield* Conversations
    const seen: Array<string> = []
    let after: ConversationKey | null = null
    for (let number = 1; ; number++) {
      const query = { ...newestFirst, aliases: alias === null ? null : [alias] }
      const page: ReadonlyArray<ListedConversation> = yield* conversations.walk(tenantId, query, {
        userId: null,
        after,
        limit: 4
      })
      if (page.length === 0) return seen
      seen.push(...page.map(({ key: { contactId } }) => contactId))
      after = page.at(-1)?.key ?? null
      yield* between(number)
    }
  })

/** Tests the port `Conversations` on a store. */
export const conversationsSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`Conversations on ${name}`, (it) => {
    it.effect("shows the newest message by time, and counts the contact's messages", () =>
      Effect.gen(function* () {
        const conversations = yield* Conversations
        const tenantId = freshTenant()
        yield* openContact(tenantId, 1)
        const at = (number: number, minutes: number, changes: Partial<Message> = {}) =>
          messageRecord(tenantId, number, { timestamp: noon + minutes * 60_000, ...changes })
        yield* receive(at(1, 5, { body: `Hello\n\n  ${"long ".repeat(60)}`, channel: "sms" }))
        yield* receive(at(2, 1, { body: "arrived late" }))
        yield* receive(at(3, 4, { actor: "agent" }))
        const late = yield* conversations.get(tenantId, idOf("con", 1))
        assert.deepInclude(late, { lastMessageId: idOf("msg", 1), lastChannel: "sms", unread: 2 })
        assert.match(late.lastMessage, /^Hello long .+…$/u)
        yield* receive(at(4, 6, { actor: "agent", body: "Answer" }))
        const answered = yield* conversations.get(tenantId, idOf("con", 1))
        assert.deepInclude(answered, { lastMessage: "Answer", lastTimestamp: noon + 360_000, unread: 2 })
        // Of two messages with the same time, the one that was accepted later is shown.
        yield* receive(at(5, 6, { body: "Same time" }))
        assert.strictEqual((yield* conversations.get(tenantId, idOf("con", 1))).lastMessage, "Same time")
      })
    )
    it.effect("shows the current contact and lead", () =>
      Effect.gen(function* () {
        const tenantId = freshTenant()
        yield* openContact(tenantId, 1)
        yield* (yield* Leads).insert(leadRecord(tenantId, 1))
        yield* receive(messageRecord(tenantId, 1, { leadId: idOf("lead", 1) }))
        yield* receive(messageRecord(tenantId, 2, { auto: "auto_reply" }))
        yield* (yield* Contacts).update(contactRecord(tenantId, 1, { name: "Renamed", email: null }))
        yield* (yield* Leads).update(leadRecord(tenantId, 1, { state: "qualified", tier: "hot" }))
        const [head] = yield* (yield* Conversations).walk(tenantId, newestFirst, {
          userId: null,
          after: null,
          limit: 10
        })
        assert.deepStrictEqual(head?.conversation, {
          ...newInboxState,
          waitingSince: noon + 1,
          contactId: idOf("con", 1),
          contactName: "Renamed",
          contactEmail: null,
          lastMessageId: idOf("msg", 2),
          lastMessage: "Message 2",
          lastChannel: "email",
          lastTimestamp: noon + 2,
          leadId: idOf("lead", 1),
          leadState: "qualified",
          tier: "hot",
          unread: 1
        })
      })
    )
    it.effect("shows the remaining lead after a merge of leads", () =>
      Effect.gen(function* () {
        const tenantId = freshTenant()
        const leads = yield* Leads
        yield* openContact(tenantId, 1)
        yield* leads.insert(leadRecord(tenantId, 1, { state: "engaged" }))
        yield* leads.insert(leadRecord(tenantId, 2))
        yield* receive(messageRecord(tenantId, 1, { leadId: idOf("lead", 2) }))
        yield* leads.markMerged(tenantId, idOf("lead", 1), [idOf("lead", 2)], noon)
        yield* (yield* Messages).moveLead(tenantId, idOf("lead", 1), [idOf("lead", 2)])
        const head = yield* (yield* Conversations).get(tenantId, idOf("con", 1))
        assert.deepStrictEqual([head.leadId, head.leadState], [idOf("lead", 1), "engaged"])
      })
    )
    it.effect("returns each conversation once in pages, newest first, while contacts write", () =>
      Effect.gen(function* () {
        const [tenantId, other] = [freshTenant(), freshTenant()]
        // Two contacts each have the same time, so that the id decides the order of each pair.
        const opening = (number: number) =>
          messageRecord(tenantId, number, { contactId: idOf("con", number), timestamp: noon + (number >> 1) })
        for (let number = 1; number <= 10; number++) {
          yield* openContact(tenantId, number)
          yield* receive(opening(number))
        }
        yield* openContact(other, 5)
        yield* receive(messageRecord(other, 5, { contactId: idOf("con", 5) }))
        const seen = yield* readAll(tenantId, null, (page) =>
          Effect.gen(function* () {
            const contactId = idOf("con", 100 + page)
            yield* openContact(tenantId, 100 + page)
            yield* receive(messageRecord(tenantId, 100 + page, { contactId, timestamp: noon + 1_000 + page }))
          })
        )
        assert.deepStrictEqual(
          seen,
          Array.from({ length: 10 }, (_, index) => idOf("con", 10 - index))
        )
      })
    )
    it.effect("lists the conversations of an alias in the order of the whole list", () =>
      Effect.gen(function* () {
        const tenantId = freshTenant()
        for (let number = 1; number <= 9; number++) {
          yield* openContact(tenantId, number)
          const contactId = idOf("con", number)
          const receivedAlias = number % 3 === 0 ? "sales@x.example" : number % 3 === 1 ? "info@x.example" : null
          yield* receive(messageRecord(tenantId, number, { contactId, receivedAlias }))
        }
        // Contact 3 has written to the alias and now sends a text, so its conversation is the newest. Contact 5 has
        // only an older mail to the alias, and its conversation is listed too.
        yield* receive(messageRecord(tenantId, 50, { contactId: idOf("con", 3), channel: "sms" }))
        const old = { contactId: idOf("con", 5), timestamp: noon - 1_000, receivedAlias: "sales@x.example" }
        yield* receive(messageRecord(tenantId, 51, old))
        const nothing = () => Effect.void
        const sales = [3, 9, 6, 5].map((number) => idOf("con", number))
        assert.deepStrictEqual(yield* readAll(tenantId, "sales@x.example", nothing), sales)
        assert.deepStrictEqual(yield* readAll(tenantId, "nobody@x.example", nothing), [])
        assert.deepStrictEqual(yield* readAll(freshTenant(), "sales@x.example", nothing), [])
      })
    )
    it.effect("marks a conversation as read until the contact writes again", () =>
      Effect.gen(function* () {
        const conversations = yield* Conversations
        const marks = yield* ReadMarks
        const [tenantId, other] = [freshTenant(), freshTenant()]
        yield* openContact(tenantId, 1)
        yield* receive(messageRecord(tenantId, 1))
        yield* marks.read(tenantId, idOf("con", 1), null)
        assert.strictEqual((yield* conversations.get(tenantId, idOf("con", 1))).unread, 0)
        yield* receive(messageRecord(tenantId, 2))
        assert.strictEqual((yield* conversations.get(tenantId, idOf("con", 1))).unread, 1)
        const missing = Effect.flip(marks.read(other, idOf("con", 1), null))
        assert.strictEqual((yield* missing)._tag, "ConversationNotFound")
        assert.strictEqual((yield* Effect.flip(conversations.get(other, idOf("con", 1))))._tag, "ConversationNotFound")
      })
    )
    it.effect("keeps messages that are newer than the seen one unread, and does not count automatic mail", () =>
      Effect.gen(function* () {
        const conversations = yield* Conversations
        const marks = yield* ReadMarks
        const tenantId = freshTenant()
        const unread = Effect.map(conversations.get(tenantId, idOf("con", 1)), (head) => head.unread)
        yield* openContact(tenantId, 1)
        for (const number of [1, 2, 3]) yield* receive(messageRecord(tenantId, number))
        yield* receive(messageRecord(tenantId, 4, { auto: "auto_reply" }))
        yield* receive(messageRecord(tenantId, 5, { actor: "agent", auto: "own" }))
        // This message is accepted last, but has the earliest time.
        yield* receive(messageRecord(tenantId, 6, { timestamp: noon - 60_000 }))
        assert.strictEqual(yield* unread, 4)
        yield* marks.readUpTo(tenantId, idOf("con", 1), idOf("msg", 2), null)
        assert.strictEqual(yield* unread, 2)
        yield* marks.readUpTo(tenantId, idOf("con", 1), idOf("msg", 1), null)
        assert.strictEqual(yield* unread, 2)
        yield* marks.readUpTo(tenantId, idOf("con", 1), idOf("msg", 6), null)
        assert.strictEqual(yield* unread, 0)
        const missing = Effect.flip(marks.readUpTo(tenantId, idOf("con", 2), idOf("msg", 1), null))
        assert.strictEqual((yield* missing)._tag, "ConversationNotFound")
      })
    )
  })
