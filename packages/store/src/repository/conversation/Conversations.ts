/**
 * Repositories of messages, threads, calls, drafts, sends and connected email accounts. Rules about them belong in
 * core. Tests: `packages/testkit/src/suite/conversation`, `packages/testkit/src/suite/mailbox`,
 * `packages/store/test/repository`.
 */
import { type Conversation, ConversationNotFound } from "@leadloom/core/internal/domain/conversation/Conversation"
import type { ConversationCount } from "@leadloom/core/internal/domain/conversation/ConversationCount"
import type { ConversationHead } from "@leadloom/core/internal/domain/conversation/ConversationHead"
import { waitOf } from "@leadloom/core/internal/domain/conversation/InboxState"
import { countsAsUnread, type Message, preview } from "@leadloom/core/internal/domain/conversation/Message"
import type { ContactId } from "@leadloom/core/internal/domain/Id"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Clock, type Context, Effect, Layer } from "effect"
import { Database, type DatabaseShape } from "../../Database.ts"
import { assignedRows } from "../../sql/AssignedRows.ts"
import { first, type Queries } from "../../sql/Queries.ts"
import type { Query } from "../../sql/Statements.ts"
import { contactList } from "../contact/ContactList.ts"
import { addingAlias, advancing } from "./AdvanceHead.ts"
import {
  asOfNow,
  inboxColumns,
  listColumns,
  listJoins,
  mayHaveArrived,
  type Stored,
  withTags
} from "./ConversationRows.ts"
import { pageOfStreams, pageOnSqlite, streamsAfter, streamsOf } from "./ConversationStreams.ts"

type Port = Context.Service.Shape<typeof Conversations>

const bareHead = `c.tenant_id AS "tenantId", c.contact_id AS "contactId", c.last_message_id AS "lastMessageId",
  c.last_message AS "lastMessage", c.last_channel AS "lastChannel", c.last_timestamp AS "lastTimestamp",
  c.lead_id AS "leadId", c.unread, ${inboxColumns}`

/** The statements that write the inbox state and the tags. */
const inboxStates = ({ command, items, isOneOf, whole }: Queries): Pick<Port, "setInboxState"> => {
  const update = command(
    `UPDATE conversations SET state = ?, assignee_id = ?, team_id = ?, tags = ?, priority = ?, snooze_until = ?,
      waiting_since = ? WHERE tenant_id = ? AND contact_id = ?`
  )
  const removeTags = command(
    `DELETE FROM conversation_tags WHERE tenant_id = ? AND contact_id = ? AND NOT (${isOneOf("tag")})`
  )
  const addTags = command(
    `INSERT INTO conversation_tags (tenant_id, contact_id, tag, last_timestamp)
      SELECT c.tenant_id, c.contact_id, item.value, c.last_timestamp FROM conversations c CROSS JOIN ${items}
      WHERE c.tenant_id = ? AND c.contact_id = ? ON CONFLICT (tenant_id, contact_id, tag) DO NOTHING`
  )
  return {
    setInboxState: (tenantId, contactId, next) => {
      const { assigneeId, priority, snoozeUntil, state, teamId, waitingSince } = next
      const tags = JSON.stringify(next.tags)
      return whole(
        update(state, assigneeId, teamId, tags, priority, snoozeUntil, waitingSince, tenantId, contactId).pipe(
          Effect.andThen(removeTags(tenantId, contactId, tags)),
          Effect.andThen(addTags(tags, tenantId, contactId))
        )
      )
    }
  }
}

/** The statements that read and write complete heads, for a merge and its undo. */
const wholeHeads = (all: Queries): Pick<Port, "head" | "setHead"> => {
  const { command, items, query, rows, whole } = all
  const { refresh } = contactList(all)
  const advance = rows(advancing)
  const { setInboxState } = inboxStates(all)
  const findHead = query<Stored<Omit<ConversationHead, "aliases">>>(
    `SELECT ${bareHead} FROM conversations c WHERE c.tenant_id = ? AND c.contact_id = ?`
  )
  const aliasesOf = query<{ readonly alias: string }>(
    "SELECT alias FROM conversation_aliases WHERE tenant_id = ? AND contact_id = ?"
  )
  const removals = ["conversations", "conversation_aliases", "conversation_tags"].map((table) =>
    command(`DELETE FROM ${table} WHERE tenant_id = ? AND contact_id = ?`)
  )
  const removeReads = command("DELETE FROM conversation_reads WHERE tenant_id = ? AND contact_id = ?")
  const limitReads = command(
    "UPDATE conversation_reads SET seen = ? WHERE tenant_id = ? AND contact_id = ? AND seen > ?"
  )
  const insertAliases = command(
    `INSERT INTO conversation_aliases (tenant_id, contact_id, alias, last_timestamp)
        SELECT ?, ?, item.value, ? FROM ${items}`
  )
  // After a merge, the head of the duplicate becomes that of another contact.
  const insert = Effect.fnUntraced(function* (tenantId: string, contactId: ContactId, head: ConversationHead) {
    const { answeredAt, lastChannel, lastMessage, lastMessageId, lastTimestamp, leadId, unread, waitingSince } = head
    const newest = [lastMessageId, lastMessage, lastChannel, leadId] as const
    yield* advance([[tenantId, lastTimestamp, contactId, ...newest, unread, waitingSince, answeredAt]])
    yield* setInboxState(tenantId, contactId, head)
    yield* insertAliases(tenantId, contactId, lastTimestamp, JSON.stringify([...head.aliases]))
    yield* limitReads(unread, tenantId, contactId, unread)
  })
  return {
    head: Effect.fnUntraced(function* (tenantId, contactId) {
      const found = first(yield* findHead(tenantId, contactId))
      if (found === null) return null
      const aliases = yield* aliasesOf(tenantId, contactId)
      return { ...withTags(found), aliases: new Set(aliases.map(({ alias }) => alias)) }
    }),
    setHead: (tenantId, contactId, head) =>
      whole(
        Effect.gen(function* () {
          for (const remove of removals) yield* remove(tenantId, contactId)
          yield* head === null ? removeReads(tenantId, contactId) : insert(tenantId, contactId, head)
          yield* refresh(tenantId, contactId)
        })
      )
  }
}

/** The statements that update a head for a new message. */
const advancement = (all: Queries): Pick<Port, "advance"> => {
  const { rows, whole } = all
  const { refresh } = contactList(all)
  const advance = rows(advancing)
  const insertAlias = rows(addingAlias)
  const rowOf = (message: Message, isRead: boolean) => {
    const { channel, contactId, leadId, messageId, tenantId, timestamp } = message
    const unread = countsAsUnread(message) && !isRead ? 1 : 0
    const { answeredAt, waitingSince } = waitOf(message, isRead)
    const newest = [messageId, preview(message.body), channel, leadId] as const
    return [tenantId, timestamp, contactId, ...newest, unread, waitingSince, answeredAt]
  }
  return {
    advance: (message, isRead = false) => {
      const { contactId, receivedAlias, tenantId } = message
      const noteAlias = receivedAlias === null ? Effect.void : insertAlias([[tenantId, contactId, receivedAlias]])
      return whole(
        advance([rowOf(message, isRead)]).pipe(Effect.andThen(noteAlias), Effect.andThen(refresh(tenantId, contactId)))
      )
    }
  }
}

type WalkedRow = Stored<Conversation> & { readonly rank: number; readonly at: number }

/** The statements that read lists. */
const lists = ({ by, isOneOf, query, sql }: DatabaseShape): Pick<Port, "among" | "get" | "walk"> => {
  // The text depends on the filters that are present and on the number of streams, and not on their values.
  const prepared = new Map<string, Query<WalkedRow>>()
  const prepare = (text: string): Query<WalkedRow> => {
    const statement = prepared.get(text) ?? query<WalkedRow>(text)
    prepared.set(text, statement)
    return statement
  }
  const pageStatement = sql.onDialectOrElse({ pg: () => pageOfStreams, orElse: () => pageOnSqlite })
  const shown = { columns: listColumns, joins: listJoins }
  const select = `SELECT ${listColumns} FROM conversations c ${by("conversations_contact")} ${listJoins}`
  const find = query<Stored<Conversation>>(`${select} WHERE c.tenant_id = ? AND c.contact_id = ?`)
  const among = query<Stored<Conversation>>(`${select} WHERE c.tenant_id = ? AND ${isOneOf("c.contact_id")}`)
  return {
    walk: Effect.fnUntraced(function* (tenantId, request, { after, limit, userId }) {
      const now = yield* Clock.currentTimeMillis
      const streams = streamsAfter(streamsOf(by, request, { now, userId }), request, after)
      if (streams.length === 0) return []
      const [text, params] = pageStatement(by, shown, streams, request.sort, { tenantId, userId, limit })
      const found = yield* asOfNow(prepare(text)(...params))
      return found.map(({ at, rank, ...conversation }) => ({
        key: { rank, at, contactId: conversation.contactId },
        conversation
      }))
    }),
    among: (tenantId, contactIds, userId = null) =>
      contactIds.length === 0 ? Effect.succeed([]) : asOfNow(among(userId ?? "", tenantId, JSON.stringify(contactIds))),
    get: Effect.fnUntraced(function* (tenantId, contactId, userId = null) {
      const found = yield* asOfNow(find(userId ?? "", tenantId, contactId))
      return first(found) ?? (yield* new ConversationNotFound({ contactId }))
    })
  }
}

/** The statements that find conversations whose snooze has ended. */
const snoozes = ({ by, query }: Queries): Pick<Port, "due" | "nextSnoozing"> => {
  const due = query<{ readonly contactId: ContactId }>(
    `SELECT contact_id AS "contactId" FROM conversations ${by("conversations_snoozed")}
      WHERE tenant_id = ? AND snooze_until IS NOT NULL AND snooze_until <= ? ORDER BY snooze_until, contact_id LIMIT ?`
  )
  const next = query<{ readonly tenantId: string }>(
    `SELECT tenant_id AS "tenantId" FROM conversations ${by("conversations_snoozed")}
      WHERE tenant_id > ? AND snooze_until IS NOT NULL ORDER BY tenant_id LIMIT 1`
  )
  return {
    due: (tenantId, now, limit) =>
      Effect.map(due(tenantId, now, limit), (rows) => rows.map(({ contactId }) => contactId)),
    nextSnoozing: (after) => Effect.map(next(after), (rows) => first(rows)?.tenantId ?? null)
  }
}

/** The statements that read the conversations of users and teams. */
const assignedConversations = (all: Queries): Pick<Port, "heldBy" | "openCounts"> => {
  const { heldBy, openCounts } = assignedRows(all, {
    name: "conversations",
    columns: 'contact_id AS "contactId"',
    isOpen: "state = 'open'",
    isUnfinished: "state IN ('open', 'snoozed')",
    indexes: { assignee: "conversations_assignee", team: "conversations_team" },
    prepare: (text) => all.query<{ readonly contactId: ContactId }>(text)
  })
  const contactsOf = (rows: ReadonlyArray<{ readonly contactId: ContactId }>) => rows.map(({ contactId }) => contactId)
  return { openCounts, heldBy: (...asked) => Effect.map(heldBy(...asked), contactsOf) }
}

/** The newest answer that the contact may have received. */
const newestAnswer = `coalesce((SELECT max(m."timestamp") FROM messages m
  WHERE m.tenant_id = c.tenant_id AND m.contact_id = c.contact_id AND m.actor IN ('assistant', 'agent')
    AND coalesce(m.auto, 'own') = 'own' AND ${mayHaveArrived("m")}), 0)`

const oldestUnanswered = `CASE WHEN c.state <> 'closed' THEN (SELECT min(m."timestamp") FROM messages m
  WHERE m.tenant_id = c.tenant_id AND m.contact_id = c.contact_id AND m.actor = 'contact' AND m.auto IS NULL
    AND m."timestamp" > ?) END`

/** The statements that adjust the wait of a contact to the delivery of an answer. */
const waits = ({ by, query }: Queries): Pick<Port, "endWait" | "resumeWait"> => {
  const end = query(
    `UPDATE conversations SET answered_at = ?,
        waiting_since = CASE WHEN waiting_since > ? THEN waiting_since END
      WHERE tenant_id = ? AND contact_id = ? AND answered_at < ? RETURNING contact_id`
  )
  const read = query<{ readonly answeredAt: number }>(
    `SELECT ${newestAnswer} AS "answeredAt" FROM conversations c ${by("conversations_contact")}
      WHERE c.tenant_id = ? AND c.contact_id = ? AND c.answered_at > 0`
  )
  const resume = query(
    `UPDATE conversations AS c SET answered_at = ?, waiting_since = ${oldestUnanswered}
      WHERE c.tenant_id = ? AND c.contact_id = ? AND c.answered_at <> ? RETURNING contact_id`
  )
  return {
    endWait: (tenantId, contactId, at) => Effect.map(end(at, at, tenantId, contactId, at), (rows) => rows.length > 0),
    resumeWait: Effect.fnUntraced(function* (tenantId, contactId) {
      const answeredAt = first(yield* read(tenantId, contactId))?.answeredAt
      if (answeredAt === undefined) return false
      return (yield* resume(answeredAt, answeredAt, tenantId, contactId, answeredAt)).length > 0
    })
  }
}

type CountRow = Omit<ConversationCount, "isUnread"> & { readonly unread: number }

/** Moves conversations whose snooze has ended from one state to the other. */
const asOpen = (row: CountRow): ReadonlyArray<CountRow> => [
  { ...row, state: "open" },
  { ...row, state: "snoozed", conversations: -row.conversations }
]

/** The number of conversations of an address that are examined. */
const maxExamined = 200

/** The statement that finds the contacts of an address to whom a person of the tenant has written. */
const knownUsers = ({ by, query }: Queries): Pick<Port, "knownUsers"> => {
  const find = query<{ readonly contactId: ContactId }>(
    `SELECT a.contact_id AS "contactId" FROM (SELECT tenant_id, contact_id FROM conversation_aliases
          WHERE tenant_id = ? AND alias = ? ORDER BY last_timestamp DESC, contact_id DESC LIMIT ${maxExamined}) AS a
      WHERE EXISTS (SELECT 1 FROM messages m ${by("messages_ours")}
        WHERE m.tenant_id = a.tenant_id AND m.contact_id = a.contact_id
          AND m.actor = 'agent' AND m.actor IN ('assistant', 'agent')) LIMIT ?`
  )
  return {
    knownUsers: (tenantId, alias, limit) =>
      Effect.map(find(tenantId, alias, limit), (rows) => rows.map(({ contactId }) => contactId))
  }
}

/** The statements that count conversations. Triggers maintain the numbers of the stored states. */
const counting = ({ by, query }: Queries): Pick<Port, "counts"> => {
  const stored = query<CountRow>(
    `SELECT state, assignee_id AS "assigneeId", team_id AS "teamId", unread, conversations FROM conversation_counts
      WHERE tenant_id = ? AND conversations <> 0`
  )
  // Jobs open these conversations when they become due, so there are few of them.
  const due = query<CountRow>(
    `SELECT state, coalesce(assignee_id, '') AS "assigneeId", coalesce(team_id, '') AS "teamId",
        CASE WHEN unread > 0 THEN 1 ELSE 0 END AS unread, count(*) AS conversations
      FROM conversations ${by("conversations_snoozed")}
      WHERE tenant_id = ? AND snooze_until IS NOT NULL AND snooze_until <= ?
      GROUP BY 1, 2, 3, 4`
  )
  return {
    counts: Effect.fnUntraced(function* (tenantId) {
      const ended = yield* due(tenantId, yield* Clock.currentTimeMillis)
      const rows = [...(yield* stored(tenantId)), ...ended.flatMap(asOpen)]
      return rows.map(({ unread, ...count }): ConversationCount => ({ ...count, isUnread: unread === 1 }))
    })
  }
}

/** Stores the heads of conversations in SQL. */
export const layer: Layer.Layer<Conversations, never, Database> = Layer.effect(
  Conversations,
  Effect.map(Database, (all) =>
    Conversations.of({
      ...advancement(all),
      ...assignedConversations(all),
      ...inboxStates(all),
      ...lists(all),
      ...snoozes(all),
      ...waits(all),
      ...wholeHeads(all),
      ...knownUsers(all),
      ...counting(all)
    })
  )
)
