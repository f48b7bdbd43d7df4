import { Secrets } from "@leadloom/core/internal/domain/access/Secrets"
import { encodeCursor } from "@leadloom/core/internal/domain/conversation/Cursor"
import { conversationPageSize } from "@leadloom/core/internal/domain/conversation/Conversation"
import { allConversations, type ConversationSort } from "@leadloom/core/internal/domain/conversation/ConversationQuery"
import { countConversations } from "@leadloom/core/internal/workflow/conversation/CountConversations"
import { type InboxFilter, noFilter } from "@leadloom/core/internal/domain/conversation/InboxFilter"
import { findConversations } from "@leadloom/core/internal/workflow/conversation/FindConversations"
import { listConversations, maxExamined } from "@leadloom/core/internal/workflow/conversation/ListConversations"
import { readConversation } from "@leadloom/core/internal/workflow/conversation/ReadConversation"
import { emailIdentity } from "@leadloom/core/internal/domain/contact/Identity"
import type { Crm } from "@leadloom/core/internal/port/provider/Crm"
import type { Ids } from "@leadloom/core/internal/port/system/Ids"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { searchTenant } from "@leadloom/core/internal/workflow/search/SearchTenant"
import { Effect } from "effect"
import type * as Store from "../src/Store.ts"
import { chance, personOf, spanMillis, wordOf, writerOf, writerOfAbout } from "./Correspondence.ts"
import { end, recipient } from "./FillTenant.ts"
import { agentId, deskId } from "./InboxWork.ts"

/** A measured request on a store with `size` mails. `time` is the number of the repetition. */
export type Question = (
  size: number,
  time: number
) => Effect.Effect<unknown, unknown, Crm | Ids | Secrets | Store.Store>

const { tenantId } = recipient

/** Finds the contact of a person by address. */
const contactOf = (person: number) =>
  Effect.gen(function* () {
    const identity = emailIdentity(personOf(person).email)
    const holders = identity === null ? [] : yield* (yield* Contacts).holders(tenantId, [identity])
    return holders[0]?.contact.contactId ?? "con_of_nobody"
  })

const historyOf = (person: number) =>
  Effect.flatMap(contactOf(person), (contactId) => readConversation(tenantId, contactId, { cursor: null }))

const search = (query: string, deep = false, kinds: ReadonlyArray<"contacts" | "conversations"> = ["conversations"]) =>
  searchTenant(tenantId, { query, deep, kinds, limit: 20, cursor: null })

/** Words by frequency: one of the rarest, and one in nearly every mail. Each repetition takes the next one. */
const rare = (time: number): string => wordOf(18_000 + (time % 1_000))
const common = (time: number): string => wordOf(1 + (time % 4))

/** Returns the writer of a random mail. */
const someone = (size: number, time: number): number => writerOf(Math.floor(size * chance(time, 9)), size)

/** Reads a page of the inbox. */
const inbox = (
  filter: Partial<InboxFilter>,
  sort: ConversationSort = "-last_timestamp",
  cursor: string | null = null
) => listConversations(tenantId, { ...noFilter, ...filter, sort }, { cursor, userId: agentId(0) })

const randomPage: Question = (_, time) =>
  Effect.gen(function* () {
    const { pepper } = yield* Secrets
    const key = [Math.floor(end - chance(time, 8) * 0.9 * spanMillis), "con_"]
    const cursor = encodeCursor({ tenantId, list: "conversations", filters: {} }, key, pepper)
    return yield* inbox({}, "-last_timestamp", cursor)
  })

/** Reads a page with mail to any of several addresses, as the filter by mailbox does. */
const ofAddresses = (aliases: ReadonlyArray<string>) =>
  findConversations(
    tenantId,
    { ...allConversations, aliases, sort: "-last_timestamp" },
    { after: null, userId: agentId(0), wanted: conversationPageSize, examined: maxExamined }
  )

/** Returns whether search finds the only mail with the number of the newest mail. */
export const findsNewest = (size: number) =>
  Effect.map(search(`R${100_000 + size - 1}`, true), ({ messages }) => messages.length === 1)

/** All measured requests, by name. */
export const questions: Readonly<Record<string, Question>> = {
  "list, first page": () => inbox({}),
  "list, any page": randomPage,
  "inbox, open": () => inbox({ state: "open" }),
  "inbox, snoozed": () => inbox({ state: "snoozed" }),
  "inbox, closed": () => inbox({ state: "closed" }),
  "inbox, of a user": (_, time) => inbox({ assigneeId: agentId(time % 10) }),
  "inbox, unassigned": () => inbox({ assigneeId: "none", state: "open" }),
  "inbox, of a team": (_, time) => inbox({ teamId: deskId(time % 3) }),
  "inbox, tag": (_, time) => inbox({ tags: [`tag${time % 5}`] }),
  "inbox, two tags": (_, time) => inbox({ tags: [`tag${time % 5}`, `tag${(time + 1) % 5}`] }),
  "inbox, priority": () => inbox({ priority: "urgent" }),
  "inbox, snooze end": () => inbox({ snoozeUntil: end + 40 * 86_400_000 }),
  "inbox, unread": () => inbox({ unread: true }),
  "inbox, read": () => inbox({ unread: false }),
  "inbox, channel": () => inbox({ channel: "email" }),
  "inbox, tier": () => inbox({ tier: "hot" }),
  "inbox, lead state": () => inbox({ leadState: "open" }),
  "inbox, alias": () => inbox({ alias: recipient.address }),
  "inbox, three addresses of a mailbox": () => ofAddresses([recipient.address, "info@acme.com", "help@acme.com"]),
  "inbox, text": (_, time) => inbox({ text: rare(time) }),
  "inbox, few match all filters": () =>
    inbox({ state: "open", assigneeId: "none", priority: "normal", unread: false, channel: "sms", tags: ["tag1"] }),
  "inbox, user and tag": (_, time) => inbox({ assigneeId: agentId(time % 10), tags: [`tag${time % 5}`] }),
  "inbox, team, tier and unread": (_, time) => inbox({ teamId: deskId(time % 3), tier: "hot", unread: true }),
  // No conversation matches, so these two read as many conversations as one page may examine.
  "inbox, none match": () => inbox({ state: "closed", channel: "sms" }),
  "inbox, none match, longest wait": () => inbox({ state: "snoozed" }, "waiting_since"),
  "inbox, longest wait": () => inbox({ state: "open" }, "waiting_since"),
  "inbox, most urgent": () => inbox({ state: "open" }, "-priority"),
  "inbox, counts": () => countConversations(tenantId, agentId(0)),
  "latest history, busiest contact": () => historyOf(0),
  "latest history, any contact": (size, time) => historyOf(someone(size, time)),
  // The writer of a random mail has more mails in a larger store. This page has the same length at every size.
  "latest history, contact of about ten": (size, time) => historyOf(writerOfAbout(10, size, time)),
  "rare word, warm": (_, time) => search(rare(time)),
  "rare word, deep": (_, time) => search(rare(time), true),
  "common word, warm": (_, time) => search(common(time)),
  "common word, deep": (_, time) => search(common(time), true),
  "two common words, deep": (_, time) => search(`${common(time)} ${common(time + 1)} `, true),
  "common and rare word, deep": (_, time) => search(`${common(time)} ${rare(time)}`, true),
  "prefix of three letters, warm": (_, time) => search(wordOf(20 + (time % 300)).slice(0, 3)),
  "one letter, deep": (_, time) => search("kmrtz"[time % 5] ?? "k", true),
  "word of nobody, deep": (_, time) => search(`xqxqxq${time}`, true),
  "number in a letter, deep": (size, time) => search(`R${100_000 + Math.floor(size * chance(time, 7))}`, true),
  "email fragment, contacts": (size, time) =>
    search(personOf(someone(size, time)).email.slice(2, 12), false, ["contacts"]),
  "name, both": (size, time) => search(personOf(someone(size, time)).name, false, ["contacts", "conversations"])
}
