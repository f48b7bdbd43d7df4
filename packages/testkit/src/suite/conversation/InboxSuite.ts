/**
 * Suites of the inbox: the state of conversations, filters, orders and counts.
 */
import { assert, describe } from "@effect/vitest"
import type { Conversation } from "@leadloom/core/internal/domain/conversation/Conversation"
import type { ConversationChange } from "@leadloom/core/internal/domain/conversation/ConversationChange"
import {
  conversationSorts,
  type ConversationSort,
  noOne,
  priorityRank
} from "@leadloom/core/internal/domain/conversation/ConversationQuery"
import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { Teams } from "@leadloom/core/internal/port/repository/tenant/Teams"
import { Users } from "@leadloom/core/internal/port/repository/tenant/Users"
import { countConversations } from "@leadloom/core/internal/workflow/conversation/CountConversations"
import { type InboxFilter, noFilter } from "@leadloom/core/internal/domain/conversation/InboxFilter"
import { listConversations } from "@leadloom/core/internal/workflow/conversation/ListConversations"
import { markRead } from "@leadloom/core/internal/workflow/conversation/MarkRead"
import { updateConversation } from "@leadloom/core/internal/workflow/conversation/UpdateConversation"
import { wakeAllConversations } from "@leadloom/core/internal/workflow/conversation/WakeConversations"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { contactRecord, idOf, leadRecord, messageRecord } from "../Records.ts"
import { teamRecord, userRecord } from "../WorkspaceRecords.ts"
import { acme, drainJobs, scenesOn, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const [ann, ben] = [idOf("usr", 1), idOf("usr", 2)]
const [sales, service] = [idOf("team", 1), idOf("team", 2)]

const openTenant = Effect.gen(function* () {
  yield* acme.open()
  for (const number of [1, 2]) {
    yield* (yield* Users).insert(userRecord("acme", number))
    yield* (yield* Teams).insert(teamRecord("acme", number))
  }
})

let messages = 0

/** Stores a message of a contact, or one to the contact. */
const say = Effect.fnUntraced(function* (contact: number, at: number, changes: Partial<Message> = {}) {
  const message = messageRecord("acme", ++messages, { contactId: idOf("con", contact), timestamp: at, ...changes })
  yield* (yield* Messages).insert(message, [])
  yield* (yield* Conversations).advance(message)
  return message
})

const meet = (contact: number) => Effect.flatMap(Contacts, ({ insert }) => insert(contactRecord("acme", contact)))

const change = (contact: number, changes: ConversationChange, userId: string | null = null) =>
  updateConversation("acme", idOf("con", contact), changes, userId)

const row = (contact: number, userId: string | null = null) =>
  Effect.flatMap(Conversations, ({ get }) => get("acme", idOf("con", contact), userId))

/** Reads all pages of a list. */
const listAll = Effect.fnUntraced(function* (
  filter: Partial<InboxFilter>,
  sort: ConversationSort = "-last_timestamp",
  userId: string | null = null
) {
  const found: Array<Conversation> = []
  for (let cursor: string | null = null; ;) {
    const view = { ...noFilter, ...filter, sort }
    const page: Effect.Success<ReturnType<typeof listConversations>> = yield* listConversations("acme", view, {
      cursor,
      userId
    })
    found.push(...page.conversations)
    cursor = page.nextCursor
    if (cursor === null) return found
  }
})

/** The events about changes of the inbox state, oldest first. */
const inboxEvents = Effect.map(acme.events(), (events) => events.filter(({ data }) => data["changes"] !== undefined))

const numbersOf = (conversations: ReadonlyArray<Conversation>): ReadonlyArray<string> =>
  conversations.map(({ contactId }) => contactId)

/** Creates conversations whose fields differ in all combinations that the filters distinguish. */
const fill = Effect.fnUntraced(function* (count: number) {
  for (let number = 1; number <= count; number++) {
    yield* meet(number)
    const leadId = idOf("lead", number)
    const tier = (["hot", "warm", "cold"] as const)[number % 3] ?? "cold"
    const state = number % 7 === 0 ? "won" : "open"
    yield* (yield* Leads).insert(leadRecord("acme", number, { contactId: idOf("con", number), tier, state }))
    // Two conversations each have the same time, so that the id decides their order.
    const receivedAlias = number % 4 === 0 ? "a@acme.com" : number % 4 === 1 ? "b@acme.com" : null
    yield* say(number, start + (number >> 1) * 1_000, {
      leadId,
      receivedAlias,
      channel: number % 5 === 0 ? "sms" : "email"
    })
    yield* change(number, {
      assigneeId: number % 3 === 0 ? null : number % 2 === 0 ? ann : ben,
      teamId: number % 4 === 0 ? null : number % 2 === 0 ? sales : service,
      tags: number % 3 === 1 ? ["vip", "new"] : number % 3 === 2 ? ["vip"] : [],
      priority: number % 6 === 0 ? "urgent" : number % 6 === 1 ? "high" : number % 6 === 2 ? "low" : "normal",
      ...(number % 10 === 0 ? { snoozeUntil: start + 86_400_000 + number } : {}),
      ...(number % 4 === 3 ? { state: "closed" as const } : {})
    })
    if (number % 8 === 0) yield* markRead("acme", idOf("con", number), null)
    if (number % 9 === 0) yield* markRead("acme", idOf("con", number), null, ann)
    if (number % 11 === 0) yield* change(number, { unread: true }, ann)
  }
})

const has = (filter: Partial<InboxFilter>, one: Conversation): boolean =>
  (filter.state === undefined || one.state === filter.state) &&
  (filter.assigneeId === undefined || (one.assigneeId ?? noOne) === filter.assigneeId) &&
  (filter.teamId === undefined || (one.teamId ?? noOne) === filter.teamId) &&
  (filter.tags ?? []).every((tag) => one.tags.includes(tag)) &&
  (filter.priority === undefined || one.priority === filter.priority) &&
  (filter.snoozeUntil === undefined || (one.snoozeUntil ?? Infinity) <= (filter.snoozeUntil ?? 0)) &&
  (filter.unread === undefined || one.unread > 0 === filter.unread) &&
  (filter.channel === undefined || one.lastChannel === filter.channel) &&
  (filter.tier === undefined || one.tier === filter.tier) &&
  (filter.leadState === undefined || one.leadState === filter.leadState)

/** One filter of each kind. */
const singleFilters: ReadonlyArray<Partial<InboxFilter>> = [
  { state: "open" },
  { state: "snoozed" },
  { state: "closed" },
  { assigneeId: ann },
  { assigneeId: noOne },
  { teamId: sales },
  { teamId: noOne },
  { tags: ["vip"] },
  { tags: ["vip", "new"] },
  { priority: "urgent" },
  { priority: "normal" },
  { snoozeUntil: start + 86_400_030 },
  { unread: true },
  { unread: false },
  { channel: "sms" },
  { tier: "hot" },
  { leadState: "won" }
]

/** Filters of each kind, alone and together with another one. */
const filters: ReadonlyArray<Partial<InboxFilter>> = [
  {},
  ...singleFilters,
  ...singleFilters.map((filter) => ({ state: "open" as const, channel: "email" as const, ...filter })),
  { assigneeId: ben, state: "open", tags: ["vip"] },
  { teamId: service, unread: true, priority: "high" },
  { tier: "cold", leadState: "open", channel: "email", state: "closed" }
]

const compareTexts = (one: string, other: string): number => (one < other ? -1 : 1)

const before: Readonly<Record<ConversationSort, (one: Conversation, other: Conversation) => number>> = {
  "-last_timestamp": (one, other) =>
    other.lastTimestamp - one.lastTimestamp || compareTexts(other.contactId, one.contactId),
  waiting_since: (one, other) =>
    (one.waitingSince ?? 0) - (other.waitingSince ?? 0) || compareTexts(one.contactId, other.contactId),
  "-priority": (one, other) =>
    priorityRank(other.priority) - priorityRank(one.priority) ||
    other.lastTimestamp - one.lastTimestamp ||
    compareTexts(other.contactId, one.contactId)
}

const recount = (all: ReadonlyArray<Conversation>, userId: string | null) => {
  const open = all.filter(({ state }) => state === "open")
  const ofTeam = (teamId: string) => open.filter((one) => one.teamId === teamId).length
  return {
    open: open.length,
    snoozed: all.filter(({ state }) => state === "snoozed").length,
    closed: all.filter(({ state }) => state === "closed").length,
    unassigned: open.filter(({ assigneeId }) => assigneeId === null).length,
    mine: userId === null ? 0 : open.filter(({ assigneeId }) => assigneeId === userId).length,
    unread: all.filter(({ unread }) => unread > 0).length,
    teams: [sales, service].map((teamId) => ({ teamId, open: ofTeam(teamId) })).filter(({ open }) => open > 0)
  }
}

/** Compares every list and the counts of a user with the list of all conversations. */
const compareLists = Effect.fnUntraced(function* (userId: string | null) {
  const all = yield* listAll({}, "-last_timestamp", userId)
  assert.lengthOf(all, 70)
  assert.deepStrictEqual(yield* countConversations("acme", userId), recount(all, userId))
  for (const filter of filters) {
    for (const sort of conversationSorts) {
      const expected = all
        .filter((one) => has(filter, one) && (sort !== "waiting_since" || one.waitingSince !== null))
        .toSorted(before[sort])
      const found = yield* listAll(filter, sort, userId)
      assert.deepStrictEqual(numbersOf(found), numbersOf(expected), JSON.stringify({ filter, sort, userId }))
    }
  }
})

/** Tests the inbox on a store. */
export const inboxSuite = (name: string, store: StoreLayer): void => {
  const scene = scenesOn(store)

  describe(`the inbox on ${name}`, () => {
    scene("opens a closed or snoozed conversation when the contact writes, and at the end of its snooze", () =>
      Effect.gen(function* () {
        yield* openTenant
        yield* meet(1)
        yield* say(1, start)
        assert.deepInclude(yield* change(1, { state: "closed", assigneeId: ann, tags: ["a", "a", "b"] }), {
          state: "closed",
          unread: 0,
          assigneeId: ann,
          tags: ["a", "b"]
        })
        yield* say(1, start + 1, { actor: "agent" })
        yield* say(1, start + 2, { auto: "auto_reply" })
        assert.strictEqual((yield* row(1)).state, "closed")
        yield* say(1, start + 3)
        assert.deepInclude(yield* row(1), { state: "open", unread: 1, assigneeId: ann, tags: ["a", "b"] })
        assert.deepInclude(yield* change(1, { snoozeUntil: start + 1_000 }), { state: "snoozed" })
        yield* TestClock.setTime(start + 999)
        assert.lengthOf(yield* listAll({ state: "snoozed" }), 1)
        yield* TestClock.setTime(start + 1_000)
        assert.deepInclude(yield* row(1), { state: "open", snoozeUntil: null })
        assert.lengthOf(yield* listAll({ state: "open" }), 1)
        assert.strictEqual((yield* countConversations("acme", null)).open, 1)
        assert.lengthOf(yield* inboxEvents, 2)
        yield* drainJobs
        const [, , woken] = yield* inboxEvents
        assert.deepInclude(woken?.data, { actor: "system", changes: ["state", "snooze_until"] })
        assert.lengthOf(yield* listAll({ state: "open" }), 1)
        yield* change(1, { snoozeUntil: start + 2_000 })
        yield* say(1, start + 4)
        assert.deepInclude(yield* row(1), { state: "open", snoozeUntil: null })
      })
    )
    scene("waits since the oldest message without an answer", () =>
      Effect.gen(function* () {
        yield* openTenant
        yield* meet(1)
        const waiting = Effect.map(row(1), ({ waitingSince }) => waitingSince)
        yield* say(1, start + 10)
        yield* say(1, start + 20)
        yield* say(1, start + 5)
        assert.strictEqual(yield* waiting, start + 5)
        yield* say(1, start + 30, { actor: "assistant" })
        assert.isNull(yield* waiting)
        // The message arrives after a later answer, so nobody could answer it.
        yield* say(1, start + 25)
        assert.strictEqual(yield* waiting, start + 25)
        yield* say(1, start + 24, { actor: "agent" })
        assert.strictEqual(yield* waiting, start + 25)
        yield* say(1, start + 40)
        yield* say(1, start + 50, { actor: "agent", auto: "own" })
        assert.isNull(yield* waiting)
        yield* say(1, start + 60)
        yield* change(1, { state: "closed" })
        assert.isNull(yield* waiting)
      })
    )
    scene("rejects an invalid snooze, an unknown user and an unknown team, and changes nothing", () =>
      Effect.gen(function* () {
        yield* openTenant
        yield* meet(1)
        yield* say(1, start)
        const retired = userRecord("acme", 3, { active: false })
        yield* (yield* Users).insert(retired)
        const issueOf = (changes: ConversationChange) =>
          Effect.map(Effect.flip(change(1, changes)), (error) =>
            error._tag === "ConversationChangeInvalid" ? error.issues.map(({ path }) => path) : [error._tag]
          )
        const initial = yield* row(1)
        assert.deepStrictEqual(yield* issueOf({ state: "snoozed" }), ["snooze_until"])
        assert.deepStrictEqual(yield* issueOf({ snoozeUntil: start }), ["snooze_until"])
        assert.deepStrictEqual(yield* issueOf({ state: "closed", snoozeUntil: start + 9 }), ["snooze_until"])
        assert.deepStrictEqual(yield* issueOf({ assigneeId: idOf("usr", 9) }), ["assignee_id"])
        assert.deepStrictEqual(yield* issueOf({ assigneeId: retired.userId }), ["assignee_id"])
        assert.deepStrictEqual(yield* issueOf({ teamId: idOf("team", 9), priority: "high" }), ["team_id"])
        assert.deepStrictEqual(yield* row(1), initial)
        yield* change(1, { priority: "normal", assigneeId: null })
        assert.deepStrictEqual(yield* inboxEvents, [])
        const missing = yield* Effect.flip(updateConversation("acme", idOf("con", 9), { state: "open" }, null))
        assert.strictEqual(missing._tag, "ConversationNotFound")
      })
    )
    scene("has an unread state for each user", () =>
      Effect.gen(function* () {
        yield* openTenant
        yield* meet(1)
        const first = yield* say(1, start)
        yield* say(1, start + 1)
        const unread = Effect.gen(function* () {
          return [(yield* row(1)).unread, (yield* row(1, ann)).unread, (yield* row(1, ben)).unread]
        })
        const contactId = idOf("con", 1)
        yield* markRead("acme", contactId, first.messageId, ann)
        assert.deepStrictEqual(yield* unread, [2, 1, 2])
        yield* markRead("acme", contactId, null, ann)
        assert.deepStrictEqual(yield* unread, [2, 0, 2])
        yield* change(1, { unread: true }, ann)
        assert.deepStrictEqual(yield* unread, [2, 1, 2])
        yield* markRead("acme", contactId, null, ann)
        yield* markRead("acme", contactId, first.messageId)
        assert.deepStrictEqual(yield* unread, [1, 0, 1])
        yield* say(1, start + 2)
        assert.deepStrictEqual(yield* unread, [2, 1, 2])
        yield* markRead("acme", contactId, null)
        assert.deepStrictEqual(yield* unread, [0, 0, 0])
        yield* change(1, { unread: true }, ben)
        assert.deepStrictEqual(yield* unread, [0, 0, 1])
        assert.deepStrictEqual(numbersOf(yield* listAll({ unread: true }, "-last_timestamp", ben)), [contactId])
        assert.deepStrictEqual(yield* listAll({ unread: true }, "-last_timestamp", ann), [])
        assert.strictEqual((yield* countConversations("acme", ben)).unread, 1)
        yield* change(1, { unread: true })
        assert.deepStrictEqual(yield* unread, [1, 1, 2])
        yield* change(1, { state: "closed" })
        assert.deepStrictEqual(yield* unread, [0, 0, 1])
      })
    )
    scene("lists every filter in every order, and counts exactly", () =>
      Effect.gen(function* () {
        yield* openTenant
        yield* fill(70)
        for (const userId of [null, ann, ben]) yield* compareLists(userId)
        // Time ends some snoozes. Lists and counts show it without a write, and the same after the wake-up.
        yield* TestClock.setTime(start + 86_400_035)
        const events = yield* inboxEvents
        yield* compareLists(ann)
        assert.deepStrictEqual(yield* inboxEvents, events)
        yield* wakeAllConversations()
        assert.isAbove((yield* inboxEvents).length, events.length)
        yield* compareLists(ann)
        const ofAlias = yield* listAll({ alias: "A@acme.com", state: "open" })
        assert.lengthOf(ofAlias, ofAlias.filter(({ state }) => state === "open").length)
        assert.isAbove(ofAlias.length, 5)
      })
    )
  })
}
