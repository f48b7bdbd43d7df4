import { type Message, type MessageOutline, MessageRow } from "@leadloom/core/internal/domain/conversation/Message"
import { maxCountedMessages, type MessageTally } from "@leadloom/core/internal/domain/conversation/MessageActivity"
import { mimeSource } from "@leadloom/core/internal/domain/email/MailSource"
import type { MessageId } from "@leadloom/core/internal/domain/Id"
import {
  type DedupKeyHolder,
  Messages,
  type TenantActivity
} from "@leadloom/core/internal/port/repository/conversation/Messages"
import { type Context, Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { contactList } from "../contact/ContactList.ts"
import { first, newest, oldest, type Queries } from "../../sql/Queries.ts"
import type { WriteRows } from "../../unit/RowsForm.ts"
import { mappedTable } from "../../sql/Table.ts"

/** The table of messages. */
export const messages = mappedTable(
  MessageRow,
  { name: "messages", key: ["tenantId", "messageId"] },
  {
    toRow: ({ raw, ...message }: Message) => ({
      ...message,
      rawKey: raw?.key ?? null,
      rawSize: raw?.size ?? null,
      rawType: raw?.mediaType ?? null
    }),
    fromRow: ({ rawKey, rawSize, rawType, ...row }): Message => ({
      ...row,
      raw: rawKey === null ? null : { key: rawKey, size: rawSize ?? 0, mediaType: rawType ?? mimeSource }
    })
  }
)

/** Encodes a JSON array. Most arrays are empty, so these are not encoded each time. */
const arrayText = (values: ReadonlyArray<unknown>): string => (values.length === 0 ? "[]" : JSON.stringify(values))

type Port = Context.Service.Shape<typeof Messages>
type ReadingPart =
  | "find"
  | "hasNewerFromContact"
  | "holders"
  | "idsOfThread"
  | "latestFromContact"
  | "newestEmail"
  | "newestText"
  | "newestSince"
  | "ofContact"
  | "ofLead"
  | "ofThread"
  | "ourSide"

/** The statements that read the messages of a contact. */
const ofContacts = (database: Queries): Pick<Port, "newestText" | "ofContact"> => {
  const { all, one } = messages.reading(database)
  const newestText = one(
    `SELECT ${messages.columns} FROM messages WHERE tenant_id = ? AND contact_id = ? AND channel = 'sms'
        AND actor = 'contact' AND from_address IS NOT NULL ORDER BY "timestamp" DESC, message_id DESC LIMIT 1`
  )
  const ofContact = all(
    `SELECT ${messages.columns} FROM messages WHERE tenant_id = ? AND contact_id = ? ORDER BY "timestamp", message_id`
  )
  return {
    newestText,
    ofContact
  }
}

/** The statements that read the messages of a lead or a thread. */
const ofLeads = (database: Queries): Pick<Port, "latestFromContact" | "ofLead" | "ofThread"> => {
  const { all, one } = messages.reading(database)
  const listed = (column: "lead_id" | "thread_id"): Port["ofLead"] => {
    const list = all(
      `SELECT ${messages.columns} FROM messages
        WHERE tenant_id = ? AND ${column} = ? AND ("timestamp", message_id) > (?, ?)
        ORDER BY "timestamp", message_id LIMIT ?`
    )
    return (tenantId, id, limit, after) => list(tenantId, id, after?.timestamp ?? oldest, after?.messageId ?? "", limit)
  }
  const latestFromContact = one(
    `SELECT ${messages.columns} FROM messages
      WHERE tenant_id = ? AND lead_id = ? AND actor = 'contact' AND auto IS NULL
      ORDER BY "timestamp" DESC, message_id DESC LIMIT 1`
  )
  return {
    ofLead: listed("lead_id"),
    ofThread: listed("thread_id"),
    latestFromContact
  }
}

const reading = (database: Queries): Pick<Port, ReadingPart> => {
  const { by, isOneOf, query } = database
  const { one } = messages.reading(database)
  const holders = query<DedupKeyHolder>(
    `SELECT k.dedup_key AS "key", k.message_id AS "messageId", k.fingerprint
      FROM dedup_keys k WHERE k.tenant_id = ? AND ${isOneOf("k.dedup_key")}`
  )
  const find = one(`SELECT ${messages.columns} FROM messages WHERE tenant_id = ? AND message_id = ?`)
  const newestEmail = one(
    `SELECT ${messages.columns} FROM messages WHERE tenant_id = ? AND contact_id = ? AND channel = 'email'
        AND lead_id IS NOT NULL AND internet_message_id IS NOT NULL AND (auto IS NULL OR auto NOT IN ('auto_reply', 'bounce'))
      ORDER BY "timestamp" DESC, message_id DESC LIMIT 1`
  )
  const newerFromContact = query(
    `SELECT newer.message_id FROM messages given JOIN messages newer ON newer.tenant_id = given.tenant_id
        AND (newer.received_at, newer.message_id) > (given.received_at, given.message_id)
      WHERE given.tenant_id = ? AND given.message_id = ? AND newer.contact_id = ? AND newer.actor = 'contact' LIMIT 1`
  )
  const newestSince = query<{ readonly messageId: MessageId }>(
    `SELECT newer.message_id AS "messageId" FROM messages given JOIN messages newer ON newer.tenant_id = given.tenant_id
        AND (newer."timestamp", newer.message_id) > (given."timestamp", given.message_id)
        AND (newer.received_at, newer.message_id) > (given.received_at, given.message_id)
      WHERE given.tenant_id = ? AND given.message_id = ? AND newer.contact_id = ? AND newer.actor IN ('contact', 'agent')
        AND (newer.auto IS NULL OR newer.auto = 'own') AND (newer.delivery IS NULL OR newer.delivery <> 'failed')
      ORDER BY newer."timestamp" DESC, newer.message_id DESC LIMIT 1`
  )
  const ours = `messages ${by("messages_ours")} WHERE tenant_id = ? AND contact_id = ?
    AND actor IN ('assistant', 'agent')`
  const ourSide = query<TenantActivity>(
    `SELECT (SELECT count(*) FROM ${ours} AND actor = 'assistant' AND "timestamp" >= ?) AS "repliesSince",
      (SELECT max("timestamp") FROM ${ours} AND actor = 'agent') AS "lastByPersonAt"`
  )
  const idsOfThread = query<{ readonly id: string }>(
    `SELECT internet_message_id AS id FROM messages
      WHERE tenant_id = ? AND thread_id = ? AND internet_message_id IS NOT NULL
      ORDER BY "timestamp" DESC, message_id DESC LIMIT ?`
  )
  return {
    ...ofContacts(database),
    ...ofLeads(database),
    holders: (tenantId, keys) =>
      keys.length === 0 ? Effect.succeed([]) : holders(tenantId, JSON.stringify([...new Set(keys)])),
    find,
    newestEmail,
    hasNewerFromContact: (tenantId, contactId, messageId) =>
      Effect.map(newerFromContact(tenantId, messageId, contactId), (rows) => rows.length > 0),
    ourSide: (tenantId, contactId, since) =>
      Effect.map(
        ourSide(tenantId, contactId, since, tenantId, contactId),
        (rows) => first(rows) ?? { repliesSince: 0, lastByPersonAt: null }
      ),
    newestSince: (tenantId, contactId, messageId) =>
      Effect.map(newestSince(tenantId, messageId, contactId), (rows) => first(rows)?.messageId ?? null),
    idsOfThread: (tenantId, threadId, limit) =>
      Effect.map(idsOfThread(tenantId, threadId, limit), (rows) => rows.map(({ id }) => id).toReversed())
  }
}

/**
 * Stores the result of parsing. Also queues the message for the search index, because the triggers of the index cover
 * new messages only.
 */
const parsing = ({ command, whole }: Queries): Pick<Port, "setParsed"> => {
  const setParsed = command(
    `UPDATE messages SET body = ?, html_body = ?, quoted_text = ?, attachments = ?, flags = ?
      WHERE tenant_id = ? AND message_id = ?`
  )
  const indexAgain = command(
    `INSERT INTO search_queue (tenant_id, kind, id) VALUES (?, 'message', ?)
      ON CONFLICT (tenant_id, kind, id) DO NOTHING`
  )
  return {
    setParsed: (tenantId, messageId, { attachments, body, flags, htmlBody, quotedText }) =>
      whole(
        Effect.andThen(
          setParsed(body, htmlBody, quotedText, arrayText(attachments), arrayText(flags), tenantId, messageId),
          indexAgain(tenantId, messageId)
        )
      )
  }
}

/**
 * One statement checks and stores the keys, so that a concurrent copy of the same message cannot store them in between.
 */
const claiming = ({ isOneOf, items, query }: Queries): Pick<Port, "claimKeys"> => {
  const claimKeys = query(
    `INSERT INTO dedup_keys (tenant_id, dedup_key, message_id, fingerprint) SELECT ?, item.value, ?, ? FROM ${items}
      WHERE NOT EXISTS (SELECT 1 FROM dedup_keys k WHERE k.tenant_id = ? AND ${isOneOf("k.dedup_key")})
      ON CONFLICT (tenant_id, dedup_key) DO NOTHING RETURNING message_id`
  )
  return {
    claimKeys: (tenantId, messageId, { absent, fingerprint, keys }) =>
      Effect.map(
        claimKeys(tenantId, messageId, fingerprint, JSON.stringify(keys), tenantId, JSON.stringify(absent)),
        (rows) => rows.length > 0
      )
  }
}

/** Stores dedup keys that are not stored yet. The values of a row are in the order of the columns. */
export const dedupKeys = ({ items, rows }: Queries): WriteRows =>
  rows({
    text: `INSERT INTO dedup_keys (tenant_id, message_id, fingerprint, dedup_key) SELECT ?, ?, ?, item.value FROM ${items}
      WHERE true ON CONFLICT (tenant_id, dedup_key) DO NOTHING`,
    params: (all) => {
      const [[tenantId = null, messageId = null, fingerprint = null] = []] = all
      return [tenantId, messageId, fingerprint, JSON.stringify(all.map(([, , , key]) => key))]
    },
    types: ["text", "text", "text", "text"],
    batch: (source) =>
      `INSERT INTO dedup_keys (tenant_id, message_id, fingerprint, dedup_key) SELECT * FROM ${source}
        ON CONFLICT (tenant_id, dedup_key) DO NOTHING`
  })

const writing = (all: Queries): Omit<Port, ReadingPart | HistoryPart | "claimKeys" | "setParsed"> => {
  const { command, isOneOf, query, rows, whole } = all
  const { refreshOfLeads } = contactList(all)
  const insert = rows(messages.inserting)
  const insertKeys = dedupKeys(all)
  const setDelivery = command("UPDATE messages SET delivery = ? WHERE tenant_id = ? AND message_id = ?")
  const setSubject = command("UPDATE messages SET subject_contact_id = ? WHERE tenant_id = ? AND message_id = ?")
  const recordProviderIds = command(
    "UPDATE messages SET internet_message_id = ?, provider_message_id = ? WHERE tenant_id = ? AND message_id = ?"
  )
  const setContent = query(
    `UPDATE messages SET raw_key = ?, raw_size = ?, raw_type = ?, attachments = ?
      WHERE tenant_id = ? AND message_id = ? RETURNING message_id`
  )
  const moved = isOneOf("lead_id")
  const moveHeads = command(
    `UPDATE conversations SET lead_id = ? WHERE ${moved} AND (tenant_id, contact_id) IN
      (SELECT m.tenant_id, m.contact_id FROM messages m WHERE m.tenant_id = ? AND ${isOneOf("m.lead_id")})`
  )
  const moveLead = command(`UPDATE messages SET lead_id = ? WHERE tenant_id = ? AND ${moved}`)
  return {
    insert: (message, keys, fingerprint = null) => {
      const stored = insert([messages.values(message)])
      if (keys.length === 0) return stored
      const { tenantId, messageId } = message
      return whole(Effect.andThen(stored, insertKeys(keys.map((key) => [tenantId, messageId, fingerprint, key]))))
    },
    setDelivery: (tenantId, messageId, delivery) => setDelivery(delivery, tenantId, messageId),
    setSubject: (tenantId, messageId, subject) => setSubject(subject, tenantId, messageId),
    recordProviderIds: (tenantId, messageId, { internetMessageId, providerMessageId }, keys) =>
      whole(
        Effect.andThen(
          recordProviderIds(internetMessageId, providerMessageId, tenantId, messageId),
          insertKeys(keys.map((key) => [tenantId, messageId, null, key]))
        )
      ),
    setContent: (tenantId, messageId, { key, mediaType, size }, attachments) =>
      Effect.map(
        setContent(key, size, mediaType, arrayText(attachments), tenantId, messageId),
        (rows) => rows.length > 0
      ),
    moveLead: (tenantId, into, from) => {
      const ids = JSON.stringify(from)
      return whole(
        moveHeads(into, ids, tenantId, ids).pipe(
          Effect.andThen(refreshOfLeads(tenantId, from)),
          Effect.andThen(moveLead(into, tenantId, ids))
        )
      )
    }
  }
}

type HistoryPart = "activity" | "before" | "extent" | "findAll" | "hasWrittenSince" | "outline" | "since"

const written = ["body", "html_body", "quoted_text"]
const lists = ["to_addresses", "cc_addresses", "reply_to", "reference_ids", "attachments", "metadata"]

/**
 * The size of a message in bytes, in its columns of variable length. Both databases determine it without loading the
 * text.
 */
const sizes = [
  ...written.map((column) => `coalesce(octet_length(${column}), 0)`),
  ...lists.map((column) => `octet_length(CAST(${column} AS text))`)
].join(" + ")

/** Counts the newest messages of a contact. The subquery bounds the rows that are read. */
const counting = `WITH page AS (
    SELECT "timestamp" AS at, channel, actor, auto, delivery FROM messages
      WHERE tenant_id = ? AND contact_id = ? AND ("timestamp", message_id) < (?, ?)
      ORDER BY "timestamp" DESC, message_id DESC LIMIT ${maxCountedMessages}
  ), counted AS (
    SELECT CASE actor WHEN 'contact' THEN 'inbound' ELSE 'outbound' END AS direction, channel, at FROM page
      WHERE (actor = 'contact' AND auto IS NULL)
        OR (actor IN ('agent', 'assistant') AND (auto IS NULL OR auto = 'own')
          AND (delivery IS NULL OR delivery NOT IN ('failed', 'bounced')))
  )
  SELECT direction, channel, count(*) AS count, max(at) AS newest,
      sum(CASE WHEN at > (SELECT coalesce(max(at), ${oldest}) FROM counted WHERE direction = 'inbound') THEN 1 ELSE 0 END)
        AS unanswered
    FROM counted GROUP BY direction, channel ORDER BY direction, channel`

/** The statements that read the history of one contact in parts. */
const histories = ({ isOneOf, query }: Queries): Pick<Port, HistoryPart> => {
  const { all, one } = messages.reading({ query })
  // The statement reads the index `messages_contact` backwards from the key. Its cost depends on the size of the page,
  // not on the length of the history.
  const before = all(
    `SELECT ${messages.columns} FROM messages
      WHERE tenant_id = ? AND contact_id = ? AND ("timestamp", message_id) < (?, ?)
      ORDER BY "timestamp" DESC, message_id DESC LIMIT ?`
  )
  const outline = query<MessageOutline>(
    `SELECT "timestamp" AS "timestamp", message_id AS "messageId", ${sizes} AS "bytes" FROM messages
      WHERE tenant_id = ? AND contact_id = ? AND ("timestamp", message_id) < (?, ?)
      ORDER BY "timestamp" DESC, message_id DESC LIMIT ?`
  )
  const findAll = all(`SELECT ${messages.columns} FROM messages WHERE tenant_id = ? AND ${isOneOf("message_id")}`)
  const since = all(
    `SELECT ${messages.columns} FROM messages
      WHERE tenant_id = ? AND contact_id = ? AND received_at > ? ORDER BY received_at, message_id`
  )
  const writtenSince = query(
    `SELECT message_id FROM messages
      WHERE tenant_id = ? AND contact_id = ? AND received_at > ? AND actor = 'contact' AND auto IS NULL LIMIT 1`
  )
  const activity = query<MessageTally>(counting)
  const earliest = one(
    `SELECT ${messages.columns} FROM messages
      WHERE tenant_id = ? AND contact_id = ? ORDER BY "timestamp", message_id LIMIT 1`
  )
  const count = query<{ readonly count: number }>(
    `SELECT count(*) AS count FROM (SELECT 1 FROM messages WHERE tenant_id = ? AND contact_id = ? LIMIT ?) AS walked`
  )
  return {
    before: (tenantId, contactId, key, limit) => before(tenantId, contactId, key?.at ?? newest, key?.id ?? "", limit),
    outline: (tenantId, contactId, key, limit) => outline(tenantId, contactId, key?.at ?? newest, key?.id ?? "", limit),
    findAll: (tenantId, messageIds) => findAll(tenantId, JSON.stringify(messageIds)),
    since,
    activity: (tenantId, contactId, key) =>
      Effect.map(activity(tenantId, contactId, key?.timestamp ?? newest, key?.messageId ?? ""), (rows) =>
        rows.map(({ count, newest: at, unanswered, ...tally }) => ({
          ...tally,
          count: Number(count),
          newest: Number(at),
          unanswered: Number(unanswered)
        }))
      ),
    hasWrittenSince: (tenantId, contactId, receivedAt) =>
      Effect.map(writtenSince(tenantId, contactId, receivedAt), (rows) => rows.length > 0),
    extent: Effect.fnUntraced(function* (tenantId, contactId, maxCount) {
      const oldestMessage = yield* earliest(tenantId, contactId)
      const counted = first(yield* count(tenantId, contactId, maxCount))
      return { first: oldestMessage, count: Number(counted?.count ?? 0) }
    })
  }
}

/** Stores messages and their dedup keys in SQL. */
export const layer: Layer.Layer<Messages, never, Database> = Layer.effect(
  Messages,
  Effect.map(Database, (database) => {
    return Messages.of({
      ...reading(database),
      ...histories(database),
      ...writing(database),
      ...claiming(database),
      ...parsing(database)
    })
  })
)
