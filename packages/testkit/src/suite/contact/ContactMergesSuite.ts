import { assert, layer } from "@effect/vitest"
import type { Activity } from "@leadloom/core/internal/domain/contact/Activity"
import type { ContactMerge } from "@leadloom/core/internal/domain/contact/ContactMerge"
import type { ConversationHead } from "@leadloom/core/internal/domain/conversation/ConversationHead"
import { newestConversations } from "../NewestConversations.ts"
import { newInboxState } from "@leadloom/core/internal/domain/conversation/InboxState"
import { Calls } from "@leadloom/core/internal/port/repository/conversation/Calls"
import { Activities, Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { ContactMerges } from "@leadloom/core/internal/port/repository/contact/ContactMerges"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Notes } from "@leadloom/core/internal/port/repository/conversation/Notes"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { Effect } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import {
  callRecord,
  contactRecord,
  draftRecord,
  freshTenant,
  idOf,
  leadRecord,
  messageRecord,
  noon,
  taskRecord
} from "../Records.ts"
import { noteRecord } from "../WorkspaceRecords.ts"

/** A number of the tenant. */
const own = "+15550001111"

const headRecord = (tenantId: string, contact: number): ConversationHead => ({
  tenantId,
  contactId: idOf("con", contact),
  lastMessageId: idOf("msg", contact),
  lastMessage: "Grüße 👋",
  lastChannel: "sms",
  lastTimestamp: noon,
  leadId: null,
  aliases: new Set(["a@x.example", "b@x.example"]),
  unread: 3,
  ...newInboxState
})

const mergeRecord = (tenantId: string, number: number, changes: Partial<ContactMerge> = {}): ContactMerge => {
  const primary = contactRecord(tenantId, 1)
  return {
    mergeId: idOf("mrg", number),
    tenantId,
    primaryId: idOf("con", 1),
    duplicateId: idOf("con", 2),
    ordinal: number,
    mergedAt: noon,
    undoneAt: null,
    watermark: noon + 1_000,
    before: {
      primary,
      duplicate: contactRecord(tenantId, 2, { attributes: { x: 'a "b"' } }),
      primaryHead: headRecord(tenantId, 1),
      duplicateHead: null
    },
    after: { primary, unread: 3 },
    ...changes
  }
}

const activityRecord = (tenantId: string, number: number, changes: Partial<Activity> = {}): Activity => ({
  activityId: idOf("act", number),
  tenantId,
  contactId: idOf("con", 2),
  leadId: null,
  type: "lead_scored",
  actor: "system",
  userId: null,
  userName: null,
  at: noon + number,
  data: { score: 7, nested: [{ quoted: 'a "word"' }] },
  ...changes
})

/** Stores one row of every kind that a merge moves. The rows belong to contact 2. */
const fill = Effect.fnUntraced(function* (tenantId: string) {
  const of = { contactId: idOf("con", 2) }
  const contacts = yield* Contacts
  for (const number of [1, 2]) yield* contacts.insert(contactRecord(tenantId, number))
  yield* contacts.attach(tenantId, idOf("con", 2), [{ kind: "email", value: "two@x.example" }], noon)
  yield* (yield* Leads).insert(leadRecord(tenantId, 1, of))
  yield* (yield* Messages).insert(messageRecord(tenantId, 1, of), [])
  yield* (yield* Tasks).insert(taskRecord(tenantId, 1, of))
  for (const number of [1, 2])
    yield* (yield* Drafts).propose(draftRecord(tenantId, number, { contactId: idOf("con", number) }))
  yield* (yield* Activities).insert(activityRecord(tenantId, 1))
  yield* (yield* Calls).insert(callRecord(tenantId, 1, of))
  yield* (yield* Notes).insert(noteRecord(tenantId, 1, of))
})

/** Tests the port `ContactMerges` on a store. `MergeSuite` tests whole merges. */
export const contactMergesSuite = (name: string, store: StoreLayer): void =>
  layer(store)(`ContactMerges on ${name}`, (it) => {
    it.effect("returns stored merges, the latest active one first, and keeps tenants apart", () =>
      Effect.gen(function* () {
        const merges = yield* ContactMerges
        const [one, other] = [freshTenant(), freshTenant()]
        const [first, second] = [mergeRecord(one, 1), mergeRecord(one, 2, { duplicateId: idOf("con", 3) })]
        yield* merges.insert(first)
        yield* merges.insert(second)
        assert.deepStrictEqual(yield* merges.get(one, first.mergeId), first)
        assert.strictEqual((yield* Effect.flip(merges.get(other, first.mergeId)))._tag, "MergeNotFound")
        assert.deepStrictEqual(yield* merges.latestOf(one, idOf("con", 1)), second)
        assert.deepStrictEqual(yield* merges.ofPrimary(one, idOf("con", 1), 9), [second, first])
        assert.deepStrictEqual(yield* merges.ofDuplicate(one, idOf("con", 2)), first)
        assert.isNull(yield* merges.latestOf(other, idOf("con", 1)))
        yield* merges.end(one, second.mergeId, noon + 5)
        assert.deepStrictEqual(yield* merges.get(one, second.mergeId), { ...second, undoneAt: noon + 5 })
        assert.deepStrictEqual(yield* merges.latestOf(one, idOf("con", 1)), first)
        assert.isNull(yield* merges.ofDuplicate(one, idOf("con", 3)))
      })
    )
    it.effect("moves and counts all rows, and moves them back together with later rows that belong to them", () =>
      Effect.gen(function* () {
        const merges = yield* ContactMerges
        const tenantId = freshTenant()
        yield* fill(tenantId)
        assert.strictEqual(yield* merges.youngest(tenantId, [idOf("con", 1), idOf("con", 2)]), noon + 2)
        const merge = mergeRecord(tenantId, 1)
        const moved = yield* merges.move(merge)
        assert.deepStrictEqual(moved, {
          identity: 1,
          message: 1,
          lead: 1,
          task: 1,
          draft: 1,
          superseded_draft: 1,
          activity: 1,
          call: 1,
          note: 1
        })
        const draft = yield* (yield* Drafts).pending(tenantId, idOf("con", 1))
        assert.strictEqual(draft?.draftId, idOf("draft", 2))
        const about = { contactId: idOf("con", 1), leadId: idOf("lead", 1), receivedAt: noon + 2_000 }
        yield* (yield* Messages).insert(messageRecord(tenantId, 2, about), [])
        yield* (yield* Messages).insert(messageRecord(tenantId, 3, { ...about, leadId: null }), [])
        assert.deepStrictEqual(yield* merges.moveBack(merge), new Set(["email:two@x.example"]))
        yield* merges.restoreDrafts(merge)
        const ids = Effect.fnUntraced(function* (contact: number) {
          const found = yield* (yield* Messages).ofContact(tenantId, idOf("con", contact))
          return found.map(({ messageId }) => messageId)
        })
        assert.deepStrictEqual([yield* ids(1), yield* ids(2)], [[idOf("msg", 3)], [idOf("msg", 1), idOf("msg", 2)]])
        const since = yield* (yield* Messages).since(tenantId, idOf("con", 2), merge.watermark)
        assert.deepStrictEqual(
          since.map(({ messageId }) => messageId),
          [idOf("msg", 2)]
        )
        const { count, first } = yield* (yield* Messages).extent(tenantId, idOf("con", 2), 1)
        assert.deepStrictEqual([count, first?.messageId], [1, idOf("msg", 1)])
        assert.isNull(yield* (yield* Drafts).pending(tenantId, idOf("con", 1)))
        assert.strictEqual((yield* (yield* Drafts).pending(tenantId, idOf("con", 2)))?.draftId, idOf("draft", 2))
      })
    )
    it.effect("moves texts and calls back by phone number, even if their lead stays with the other contact", () =>
      Effect.gen(function* () {
        const merges = yield* ContactMerges
        const [contacts, messages, calls] = [yield* Contacts, yield* Messages, yield* Calls]
        const tenantId = freshTenant()
        yield* fill(tenantId)
        const [hers, his] = ["+14155550123", "+14155550124"]
        yield* contacts.attach(tenantId, idOf("con", 2), [{ kind: "phone", value: hers }], noon)
        yield* contacts.attach(tenantId, idOf("con", 1), [{ kind: "phone", value: his }], noon)
        const merge = mergeRecord(tenantId, 1)
        yield* merges.move(merge)
        const later = { contactId: idOf("con", 1), receivedAt: noon + 2_000 }
        const text = { ...later, channel: "sms" as const }
        yield* messages.insert(messageRecord(tenantId, 2, { ...text, from: hers }), [])
        yield* messages.insert(messageRecord(tenantId, 3, { ...text, from: his }), [])
        yield* messages.insert(messageRecord(tenantId, 4, { ...text, from: own, to: [hers], actor: "agent" }), [])
        yield* messages.insert(messageRecord(tenantId, 5, { ...text, from: hers, receivedAt: merge.watermark }), [])
        for (const [number, fields] of [
          [6, { direction: "inbound", fromNumber: hers, toNumber: own }],
          [7, { direction: "inbound", fromNumber: his, toNumber: own }],
          [8, { direction: "outbound", fromNumber: own, toNumber: hers }],
          [9, { direction: "inbound", fromNumber: null, toNumber: hers }]
        ] as const) {
          const messageId = idOf("msg", number)
          yield* messages.insert(messageRecord(tenantId, number, { ...later, channel: "voice" }), [])
          const about = { contactId: later.contactId, startedAt: later.receivedAt + number, messageId }
          yield* calls.insert(callRecord(tenantId, number, { ...about, ...fields }))
        }
        const ofLead = { leadId: idOf("lead", 1) }
        yield* messages.insert(messageRecord(tenantId, 11, { ...text, ...ofLead, from: his }), [])
        yield* messages.insert(messageRecord(tenantId, 12, { ...text, ...ofLead, from: "+14155550199" }), [])
        yield* messages.insert(messageRecord(tenantId, 13, { ...later, ...ofLead, channel: "voice" }), [])
        const about = { contactId: later.contactId, startedAt: later.receivedAt + 13, messageId: idOf("msg", 13) }
        yield* calls.insert(callRecord(tenantId, 13, { ...about, ...ofLead, direction: "inbound", fromNumber: his }))
        // The call was moved by the merge, and it ended after the merge.
        yield* messages.insert(messageRecord(tenantId, 10, { ...later, channel: "voice" }), [])
        const begun = yield* calls.get(tenantId, idOf("call", 1))
        yield* calls.update({ ...begun, messageId: idOf("msg", 10) })
        yield* merges.moveBack(merge)
        const idsOf = Effect.fnUntraced(function* (contact: number) {
          const contactId = idOf("con", contact)
          const said = yield* messages.ofContact(tenantId, contactId)
          const held = yield* calls.page(tenantId, { contactId, status: null, direction: null }, 99, null)
          const ids = [...said.map(({ messageId }) => messageId), ...held.map(({ callId }) => callId)]
          return new Set<string>(ids)
        })
        const named = (kind: "msg" | "call", ...numbers: ReadonlyArray<number>): ReadonlyArray<string> =>
          numbers.map((number) => idOf(kind, number))
        const [stayed, went] = [yield* idsOf(1), yield* idsOf(2)]
        assert.deepStrictEqual(stayed, new Set([...named("msg", 3, 5, 7, 9, 11, 13), ...named("call", 7, 9, 13)]))
        assert.deepStrictEqual(went, new Set([...named("msg", 1, 2, 4, 6, 8, 10, 12), ...named("call", 1, 6, 8)]))
      })
    )
    it.effect("returns the activities of a contact newest first, from any position", () =>
      Effect.gen(function* () {
        const activities = yield* Activities
        const [one, other] = [freshTenant(), freshTenant()]
        const twins = [1, 2, 3].map((number) => activityRecord(one, number, { at: noon, leadId: idOf("lead", number) }))
        for (const activity of twins) yield* activities.insert(activity)
        yield* activities.insert(activityRecord(one, 4, { contactId: idOf("con", 1) }))
        const page = yield* activities.before(one, idOf("con", 2), null, 2)
        assert.deepStrictEqual(page, twins.slice(1).toReversed())
        const key = { at: noon, id: idOf("act", 2) }
        assert.deepStrictEqual(yield* activities.before(one, idOf("con", 2), key, 2), twins.slice(0, 1))
        assert.deepStrictEqual(yield* activities.before(other, idOf("con", 2), null, 2), [])
      })
    )
    it.effect("splits and merges the heads of conversations", () =>
      Effect.gen(function* () {
        const conversations = yield* Conversations
        const tenantId = freshTenant()
        yield* (yield* Contacts).insert(contactRecord(tenantId, 1))
        const head = headRecord(tenantId, 1)
        yield* conversations.setHead(tenantId, head.contactId, head)
        assert.deepStrictEqual(yield* conversations.head(tenantId, head.contactId), head)
        assert.strictEqual((yield* newestConversations(tenantId, 9, "b@x.example")).length, 1)
        const other = { ...head, aliases: new Set(["c@x.example"]), lastTimestamp: noon - 1, unread: 0 }
        yield* conversations.setHead(tenantId, head.contactId, other)
        assert.deepStrictEqual(yield* conversations.head(tenantId, head.contactId), other)
        assert.deepStrictEqual(yield* newestConversations(tenantId, 9, "b@x.example"), [])
        yield* conversations.setHead(tenantId, head.contactId, null)
        assert.isNull(yield* conversations.head(tenantId, head.contactId))
        assert.deepStrictEqual(yield* newestConversations(tenantId, 9), [])
      })
    )
  })
