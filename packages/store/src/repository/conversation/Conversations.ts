import type { ContactId } from "@leadloom/core/internal/domain/Id"
/**
 * Repositories of messages, threads, calls, drafts, sends and connected email accounts. Rules about them belong in
 * core. Tests: `packages/testkit/src/suite/conversation`, `packages/testkit/src/suite/mailbox`,
 * `packages/store/test/repository`.
 */
import { type Conversation, ConversationNotFound } from "@leadloom/core/internal/domain/conversation/Conversation"
import { countsAsUnread, preview } from "@leadloom/core/internal/domain/conversation/Message"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { type Context, Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import type { ConversationHead } from "@leadloom/core/internal/domain/conversation/ConversationHead"
import { contactList } from "../contact/ContactList.ts"
import { first, newest, type Queries } from "../../sql/Queries.ts"
import { lastOfEach } from "../../sql/ArrayRows.ts"
import type { Row, RowsForm } from "../../unit/RowsForm.ts"

/** Returns the head of a conversation (its newest message and counters), with the current data of contact and lead. */
const head = `SELECT c.contact_id AS "contactId", p.name AS "contactName", p.email AS "contactEmail",
    c.last_message_id AS "lastMessageId", c.last_message AS "lastMessage", c.last_channel AS "lastChannel",
    c.last_timestamp AS "lastTimestamp", c.lead_id AS "leadId", l.state AS "leadState", l.tier, c.unread`

const bareHead = `c.tenant_id AS "tenantId", c.contact_id AS "contactId", c.last_message_id AS "lastMessageId",
  c.last_message AS "lastMessage", c.last_channel AS "lastChannel", c.last_timestamp AS "lastTimestamp",
  c.lead_id AS "leadId", c.unread`

const people = `LEFT JOIN contacts p ON p.tenant_id = c.tenant_id AND p.contact_id = c.contact_id
  LEFT JOIN leads l ON l.tenant_id = c.tenant_id AND l.lead_id = c.lead_id`

/**
 * A condition: the new message is newer than the stored one. If both have the same time, the message with the greater
 * id is newer.
 */
const isNewer =
  "(excluded.last_timestamp, excluded.last_message_id) > (conversations.last_timestamp, conversations.last_message_id)"

const ifNewer = (column: string): string =>
  `${column} = CASE WHEN ${isNewer} THEN excluded.${column} ELSE conversations.${column} END`

/** The head refers to the lead of the newest message that has a lead. Automatic mail may have none. */
const advanceText = (source: string): string => `INSERT INTO conversations
    (tenant_id, last_timestamp, contact_id, last_message_id, last_message, last_channel, lead_id, unread)
  ${source} ON CONFLICT (tenant_id, contact_id) DO UPDATE SET
    ${["last_timestamp", "last_message_id", "last_message", "last_channel"].map(ifNewer).join(", ")},
    lead_id = CASE WHEN ${isNewer} THEN coalesce(excluded.lead_id, conversations.lead_id)
      ELSE coalesce(conversations.lead_id, excluded.lead_id) END,
    unread = conversations.unread + excluded.unread`

/** Returns whether the message of a row of `advancing` is newer than the one of another row. */
const isRowNewer = ([, at, , id]: Row, [, otherAt, , otherId]: Row): boolean =>
  Number(at) > Number(otherAt) || (at === otherAt && String(id) > String(otherId))

/**
 * Combines consecutive messages of a contact with the same lead. The effect is that of all messages one after another:
 * the newest message counts, and the lead does not depend on their order. `ON CONFLICT` cannot update a row twice in
 * one statement, so a message with another lead goes into the next statement.
 */
const runsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Row>> => {
  const runs = new Map<string, Array<Row>>()
  for (const row of rows) {
    const [tenantId, , contactId, , , , leadId] = row
    const key = JSON.stringify([tenantId, contactId])
    const own = runs.get(key)
    const last = own?.at(-1)
    if (own === undefined) runs.set(key, [row])
    else if (last === undefined || last[6] !== leadId) own.push(row)
    else own[own.length - 1] = [...(isRowNewer(row, last) ? row : last).slice(0, 7), Number(last[7]) + Number(row[7])]
  }
  const rounds: Array<Array<Row>> = []
  for (const own of runs.values()) for (const [round, row] of own.entries()) (rounds[round] ??= []).push(row)
  return rounds
}

/** The values of a row are in the order of the columns. */
const advancing: RowsForm = {
  text: advanceText("VALUES (?, ?, ?, ?, ?, ?, ?, ?)"),
  types: ["text", "bigint", "text", "text", "text", "text", "text", "bigint"],
  batch: (source) => advanceText(`SELECT * FROM ${source}`),
  combine: runsOf
}

/**
 * The rows of a conversation's aliases have the same time as its head, so that an index returns the conversations of
 * one alias in order. The values of a row are tenant, contact and alias.
 */
const addingAlias: RowsForm = {
  text: `INSERT INTO conversation_aliases (tenant_id, contact_id, alias, last_timestamp)
    SELECT tenant_id, contact_id, ?, last_timestamp FROM conversations WHERE tenant_id = ? AND contact_id = ?
    ON CONFLICT (tenant_id, contact_id, alias) DO NOTHING`,
  params: ([[tenantId = null, contactId = null, alias = null] = []]) => [alias, tenantId, contactId],
  types: ["text", "text", "text"],
  batch: (source) =>
    `INSERT INTO conversation_aliases (tenant_id, contact_id, alias, last_timestamp)
      SELECT c.tenant_id, c.contact_id, item.alias, c.last_timestamp
      FROM ${source} AS item(tenant_id, contact_id, alias)
        JOIN conversations c ON c.tenant_id = item.tenant_id AND c.contact_id = item.contact_id
      ON CONFLICT (tenant_id, contact_id, alias) DO NOTHING`,
  combine: lastOfEach(3),
  phase: "derived"
}

const moveJoined = (from: string, which: string): string =>
  `UPDATE conversation_aliases SET last_timestamp = c.last_timestamp FROM ${from}
    WHERE ${which} AND conversation_aliases.tenant_id = c.tenant_id
      AND conversation_aliases.contact_id = c.contact_id AND conversation_aliases.last_timestamp <> c.last_timestamp`

const lastOfConversation = `(SELECT c.last_timestamp FROM conversations c
  WHERE c.tenant_id = conversation_aliases.tenant_id AND c.contact_id = conversation_aliases.contact_id)`
/** Most conversations have no aliases. Without a join, the statement ends at once for them. */
const moveAliases = `UPDATE conversation_aliases SET last_timestamp = ${lastOfConversation}
  WHERE tenant_id = ? AND contact_id = ? AND last_timestamp <> ${lastOfConversation}`

/** The values of a row are tenant and contact. */
const movingAliases: RowsForm = {
  text: moveAliases,
  types: ["text", "text"],
  batch: (source) =>
    moveJoined(
      `${source} AS item(tenant_id, contact_id)
        JOIN conversations c ON c.tenant_id = item.tenant_id AND c.contact_id = item.contact_id`,
      "true"
    ),
  combine: lastOfEach(2),
  phase: "derived"
}

/**
 * Messages after the given one stay unread. The statement never increases the count, because some of these messages may
 * already have been read.
 */
const readUpTo = `UPDATE conversations
  SET unread = (SELECT CASE WHEN count(*) < conversations.unread THEN count(*) ELSE conversations.unread END
    FROM messages given JOIN messages m ON m.tenant_id = given.tenant_id AND m.contact_id = conversations.contact_id
      AND (m.received_at, m.message_id) > (given.received_at, given.message_id)
    WHERE given.tenant_id = ? AND given.message_id = ? AND m.actor = 'contact' AND m.auto IS NULL)
  WHERE tenant_id = ? AND contact_id = ? RETURNING contact_id`

/** The statements that read and write complete heads, for a merge and its undo. */
const wholeHeads = (all: Queries): Pick<Context.Service.Shape<typeof Conversations>, "head" | "setHead"> => {
  const { command, items, query, rows, whole } = all
  const { refresh } = contactList(all)
  const advance = rows(advancing)
  const findHead = query<Omit<ConversationHead, "aliases">>(
    `SELECT ${bareHead} FROM conversations c WHERE c.tenant_id = ? AND c.contact_id = ?`
  )
  const aliasesOf = query<{ readonly alias: string }>(
    "SELECT alias FROM conversation_aliases WHERE tenant_id = ? AND contact_id = ?"
  )
  const remove = command("DELETE FROM conversations WHERE tenant_id = ? AND contact_id = ?")
  const removeAliases = command("DELETE FROM conversation_aliases WHERE tenant_id = ? AND contact_id = ?")
  const insertAliases = command(
    `INSERT INTO conversation_aliases (tenant_id, contact_id, alias, last_timestamp)
        SELECT ?, ?, item.value, ? FROM ${items}`
  )
  return {
    head: Effect.fnUntraced(function* (tenantId, contactId) {
      const found = first(yield* findHead(tenantId, contactId))
      if (found === null) return null
      const aliases = yield* aliasesOf(tenantId, contactId)
      return { ...found, aliases: new Set(aliases.map(({ alias }) => alias)) }
    }),
    setHead: (tenantId, contactId, head) =>
      whole(
        Effect.gen(function* () {
          yield* remove(tenantId, contactId)
          yield* removeAliases(tenantId, contactId)
          if (head !== null) {
            const { lastChannel, lastMessage, lastMessageId, lastTimestamp, leadId, unread } = head
            yield* advance([
              [tenantId, lastTimestamp, contactId, lastMessageId, lastMessage, lastChannel, leadId, unread]
            ])
            yield* insertAliases(tenantId, contactId, lastTimestamp, JSON.stringify([...head.aliases]))
          }
          yield* refresh(tenantId, contactId)
        })
      )
  }
}

/** The number of conversations of an address that `knownUsers` examines. */
const maxExamined = 200

/** The statement that finds the contacts of an address to whom a person of the tenant has written. */
const usersOf = ({ by, query }: Queries): Pick<Context.Service.Shape<typeof Conversations>, "knownUsers"> => {
  const knownUsers = query<{ readonly contactId: ContactId }>(
    `SELECT a.contact_id AS "contactId" FROM (SELECT tenant_id, contact_id FROM conversation_aliases
          WHERE tenant_id = ? AND alias = ? ORDER BY last_timestamp DESC, contact_id DESC LIMIT ${maxExamined}) AS a
      WHERE EXISTS (SELECT 1 FROM messages m ${by("messages_ours")}
        WHERE m.tenant_id = a.tenant_id AND m.contact_id = a.contact_id AND m.actor = 'agent' AND m.actor IN ('assistant', 'agent')) LIMIT ?`
  )
  return {
    knownUsers: (tenantId, alias, limit) =>
      Effect.map(knownUsers(tenantId, alias, limit), (rows) => rows.map(({ contactId }) => contactId))
  }
}

/** Stores the heads of conversations in SQL. */
export const layer: Layer.Layer<Conversations, never, Database> = Layer.effect(
  Conversations,
  Effect.map(Database, (all) => {
    const { query, rows, whole } = all
    const { refresh } = contactList(all)
    const advance = rows(advancing)
    const insertAlias = rows(addingAlias)
    const advanceAliases = rows(movingAliases)
    const page = query<Conversation>(
      `${head} FROM conversations c ${people}
        WHERE c.tenant_id = ? AND (c.last_timestamp, c.contact_id) < (?, ?)
        ORDER BY c.last_timestamp DESC, c.contact_id DESC LIMIT ?`
    )
    const pageOfAlias = query<Conversation>(
      `${head} FROM conversation_aliases a
        JOIN conversations c ON c.tenant_id = a.tenant_id AND c.contact_id = a.contact_id ${people}
        WHERE a.tenant_id = ? AND (a.last_timestamp, a.contact_id) < (?, ?) AND a.alias = ?
        ORDER BY a.last_timestamp DESC, a.contact_id DESC LIMIT ?`
    )
    const find = query<Conversation>(
      `${head} FROM conversations c ${people} WHERE c.tenant_id = ? AND c.contact_id = ?`
    )
    const markRead = query(
      "UPDATE conversations SET unread = 0 WHERE tenant_id = ? AND contact_id = ? RETURNING contact_id"
    )
    const markReadUpTo = query(readUpTo)
    return Conversations.of({
      ...wholeHeads(all),
      ...usersOf(all),
      advance: (message, isRead = false) => {
        const { tenantId, contactId, messageId, channel, leadId, receivedAlias, timestamp } = message
        const unread = countsAsUnread(message) && !isRead ? 1 : 0
        const text = preview(message.body)
        const noteAlias = receivedAlias === null ? Effect.void : insertAlias([[tenantId, contactId, receivedAlias]])
        return whole(
          advance([[tenantId, timestamp, contactId, messageId, text, channel, leadId, unread]]).pipe(
            Effect.andThen(noteAlias),
            Effect.andThen(advanceAliases([[tenantId, contactId]])),
            Effect.andThen(refresh(tenantId, contactId))
          )
        )
      },
      page: (tenantId, limit, after, alias) => {
        const [lastTimestamp, contactId] = [after?.lastTimestamp ?? newest, after?.contactId ?? ""]
        return alias === null
          ? page(tenantId, lastTimestamp, contactId, limit)
          : pageOfAlias(tenantId, lastTimestamp, contactId, alias, limit)
      },
      get: Effect.fnUntraced(function* (tenantId, contactId) {
        return first(yield* find(tenantId, contactId)) ?? (yield* new ConversationNotFound({ contactId }))
      }),
      markRead: Effect.fnUntraced(function* (tenantId, contactId) {
        const read = yield* markRead(tenantId, contactId)
        if (read.length === 0) return yield* new ConversationNotFound({ contactId })
      }),
      markReadUpTo: Effect.fnUntraced(function* (tenantId, contactId, messageId) {
        const read = yield* markReadUpTo(tenantId, messageId, tenantId, contactId)
        if (read.length === 0) return yield* new ConversationNotFound({ contactId })
      })
    })
  })
)
