import type { ThreadCorrection } from "@leadloom/core/internal/domain/email/thread/ThreadCorrection"
import type { LeadId, ThreadId } from "@leadloom/core/internal/domain/Id"
import type { ThreadCorrections } from "@leadloom/core/internal/port/repository/conversation/ThreadCorrections"
import { type Context, Effect } from "effect"
import type { Queries } from "../../sql/Queries.ts"
import { strongest } from "./Threads.ts"

/**
 * The statements that move messages and their ids between threads: a fixed number per thread, because a thread may have
 * thousands of messages. Each correction records the rows that it moves, so that it can be undone.
 */
type Moves = Pick<
  Context.Service.Shape<typeof ThreadCorrections>,
  "hasLaterMail" | "moveBack" | "moveMessages" | "moveThreads"
>

/** The kinds of recorded rows. `kept`: a row that the receiving thread already had for a moved id. */
type ItemKind = "message" | "id" | "kept"

/** The limit of participants of a corrected thread. Further ones count as unknown senders, which is safe. */
const maxParticipants = 5_000

/** Returns a subquery for the recorded rows of a correction. Its parameters are the tenant and the correction. */
const itemsOf = (kind: ItemKind, item = "i.item_id"): string =>
  `(SELECT ${item} FROM thread_correction_items i
    WHERE i.tenant_id = ? AND i.correction_id = ? AND i.kind = '${kind}')`

/**
 * Returns a query for the ids by which mails refer to messages. `condition` selects the messages `m`, and its
 * parameters occur twice. `mid:` and `cid:` are the prefixes of dedup keys with the Message-ID of a message or of a
 * copy of it.
 */
export const carriedIdsOf = (condition: string): string =>
  `SELECT m.message_id AS "messageId", m.internet_message_id AS id FROM messages m
    WHERE ${condition} AND m.internet_message_id IS NOT NULL
  UNION SELECT k.message_id, substr(k.dedup_key, 5) FROM messages m
    JOIN dedup_keys k ON k.tenant_id = m.tenant_id AND k.message_id = m.message_id
    WHERE ${condition} AND substr(k.dedup_key, 1, 4) IN ('mid:', 'cid:')`

const movedMessages = `m.tenant_id = ? AND m.message_id IN ${itemsOf("message")}`

/** Records the rows of thread ids `t` that meet a condition. The first parameter is the correction. */
const noteIds = (kind: ItemKind, condition: string): string =>
  `INSERT INTO thread_correction_items (tenant_id, correction_id, kind, item_id, thread_id, seen, weak)
    SELECT t.tenant_id, ?, '${kind}', t.message_id, t.thread_id, t.seen, t.weak FROM thread_ids t
    WHERE t.tenant_id = ? AND t.thread_id = ? AND ${condition}
    ON CONFLICT (tenant_id, correction_id, kind, item_id, thread_id) DO NOTHING`

const noting = ({ command, elementsOf, isOneOf }: Queries) => {
  const messages = (condition: string): string =>
    `INSERT INTO thread_correction_items (tenant_id, correction_id, kind, item_id, thread_id, lead_id)
      SELECT m.tenant_id, ?, 'message', m.message_id, m.thread_id, m.lead_id FROM messages m
      WHERE m.tenant_id = ? AND m.thread_id = ? AND ${condition}`
  const referred = (condition: string): string =>
    `SELECT item.value FROM messages m CROSS JOIN ${elementsOf("m.reference_ids")} WHERE ${condition}`
  const onlyByMoved = `${referred(movedMessages)} EXCEPT ${referred("m.tenant_id = ? AND m.thread_id = ?")}`
  return {
    messages: command(messages(isOneOf("m.message_id"))),
    allMessages: command(messages("true")),
    allIds: command(noteIds("id", "true")),
    carriedIds: command(noteIds("id", `t.message_id IN (SELECT c.id FROM (${carriedIdsOf(movedMessages)}) AS c)`)),
    unknownIds: command(noteIds("id", `t.seen = 0 AND t.message_id IN (${onlyByMoved})`)),
    keptIds: command(noteIds("kept", `t.message_id IN ${itemsOf("id")}`))
  }
}

const passing = ({ command }: Queries) => ({
  // A lead belongs to one contact. A message with a lead of another contact keeps it.
  messages: command(
    `UPDATE messages SET thread_id = ?, lead_id = CASE
        WHEN lead_id IS NULL OR EXISTS (SELECT 1 FROM leads former
          JOIN leads received ON received.tenant_id = former.tenant_id AND received.contact_id = former.contact_id
          WHERE former.tenant_id = messages.tenant_id AND former.lead_id = messages.lead_id
            AND received.lead_id = CAST(? AS text))
        THEN coalesce(CAST(? AS text), lead_id) ELSE lead_id END
      WHERE tenant_id = ? AND message_id IN ${itemsOf("message")}`
  ),
  ids: [
    command(
      `INSERT INTO thread_ids (tenant_id, message_id, thread_id, seen, weak)
        SELECT i.tenant_id, i.item_id, c.thread_id, max(i.seen), min(i.weak) FROM thread_correction_items i
          JOIN thread_corrections c ON c.tenant_id = i.tenant_id AND c.correction_id = i.correction_id
        WHERE i.tenant_id = ? AND i.correction_id = ? AND i.kind = 'id'
        GROUP BY i.tenant_id, i.item_id, c.thread_id ${strongest}`
    ),
    command(
      `DELETE FROM thread_ids WHERE (tenant_id, message_id, thread_id) IN
        ${itemsOf("id", "i.tenant_id, i.item_id, i.thread_id")}`
    )
  ]
})

const returning = ({ command }: Queries) => {
  const original = (column: string): string =>
    `(SELECT i.${column} FROM thread_correction_items i WHERE i.tenant_id = messages.tenant_id AND i.correction_id = ?
      AND i.kind = 'message' AND i.item_id = messages.message_id)`
  return {
    messages: command(
      `UPDATE messages SET thread_id = ${original("thread_id")}, lead_id = ${original("lead_id")}
        WHERE tenant_id = ? AND message_id IN ${itemsOf("message")}`
    ),
    dropIds: command(`DELETE FROM thread_ids WHERE tenant_id = ? AND thread_id = ? AND message_id IN ${itemsOf("id")}`),
    restoreIds: command(
      `INSERT INTO thread_ids (tenant_id, message_id, thread_id, seen, weak)
        SELECT i.tenant_id, i.item_id, i.thread_id, i.seen, i.weak FROM thread_correction_items i
        WHERE i.tenant_id = ? AND i.correction_id = ? AND i.kind IN ('id', 'kept') ${strongest}`
    )
  }
}

/** The statements that update what depends on the messages of a thread. */
const following = ({ command, elementsOf }: Queries) => {
  const heads = command(
    `UPDATE conversations SET lead_id = coalesce((SELECT m.lead_id FROM messages m
        WHERE m.tenant_id = conversations.tenant_id AND m.message_id = conversations.last_message_id), lead_id)
      WHERE (tenant_id, contact_id, last_message_id) IN
        (SELECT m.tenant_id, m.contact_id, m.message_id FROM messages m WHERE ${movedMessages})`
  )
  const dropParticipants = command("DELETE FROM thread_participants WHERE tenant_id = ? AND thread_id = ?")
  const people = (column: string): string =>
    `SELECT item.value AS email FROM messages m CROSS JOIN ${elementsOf(`m.${column}`)}
      WHERE m.tenant_id = ? AND m.thread_id = ?`
  const addParticipants = command(
    `INSERT INTO thread_participants (tenant_id, thread_id, email) SELECT ?, ?, people.email FROM (
        SELECT m.from_address AS email FROM messages m
          WHERE m.tenant_id = ? AND m.thread_id = ? AND m.from_address IS NOT NULL
        UNION ${people("to_addresses")} UNION ${people("cc_addresses")}) AS people LIMIT ${maxParticipants}`
  )
  return Effect.fnUntraced(function* (correction: ThreadCorrection) {
    const { correctionId, fromThreadIds, tenantId, threadId: into } = correction
    yield* heads(tenantId, tenantId, correctionId)
    for (const threadId of [into, ...fromThreadIds]) {
      const key = [tenantId, threadId] as const
      yield* dropParticipants(...key)
      yield* addParticipants(...key, ...key, ...key, ...key)
    }
  })
}

/** The statement that finds mail since a correction that refers to a moved message. */
const laterMail = ({ elementsOf, query }: Queries): Moves["hasLaterMail"] => {
  const find = query(
    `SELECT 1 AS one FROM messages m WHERE m.tenant_id = ? AND m.thread_id = ? AND m.received_at >= ?
      AND NOT EXISTS (SELECT 1 FROM thread_correction_items i WHERE i.tenant_id = m.tenant_id AND i.correction_id = ?
        AND i.kind = 'message' AND i.item_id = m.message_id)
      AND (m.thread_via IN ${itemsOf("id")} OR m.internet_message_id IN ${itemsOf("id")}
        OR EXISTS (SELECT 1 FROM ${elementsOf("m.reference_ids")} WHERE item.value IN ${itemsOf("id")})) LIMIT 1`
  )
  return ({ correctionId, createdAt, tenantId, threadId }) => {
    const items = [tenantId, correctionId] as const
    const rows = find(tenantId, threadId, createdAt, correctionId, ...items, ...items, ...items)
    return Effect.map(rows, (found) => found.length > 0)
  }
}

/** Returns the statements that move messages and ids between threads. */
export const correctionMoves = (database: Queries): Moves => {
  const { whole } = database
  const note = noting(database)
  const pass = passing(database)
  const back = returning(database)
  const follow = following(database)
  const moveIds = Effect.fnUntraced(function* (correction: ThreadCorrection) {
    const { correctionId, tenantId, threadId } = correction
    const items = [tenantId, correctionId] as const
    yield* note.keptIds(correctionId, tenantId, threadId, ...items)
    for (const statement of pass.ids) yield* statement(...items)
    yield* follow(correction)
  })
  const moveMessages: Moves["moveMessages"] = Effect.fnUntraced(function* (correction, from, messageIds, leadId) {
    const { correctionId, tenantId, threadId } = correction
    const moved = [tenantId, tenantId, correctionId] as const
    yield* note.messages(correctionId, tenantId, from, JSON.stringify(messageIds))
    yield* pass.messages(threadId, leadId, leadId, ...moved)
    yield* note.carriedIds(correctionId, tenantId, from, ...moved, ...moved)
    yield* note.unknownIds(correctionId, tenantId, from, ...moved, tenantId, from)
    yield* moveIds(correction)
  })
  const moveThreads = Effect.fnUntraced(function* (
    correction: ThreadCorrection,
    from: ReadonlyArray<ThreadId>,
    leadId: LeadId | null
  ) {
    const { correctionId, tenantId, threadId } = correction
    for (const source of from) {
      yield* note.allMessages(correctionId, tenantId, source)
      yield* note.allIds(correctionId, tenantId, source)
    }
    yield* pass.messages(threadId, leadId, leadId, tenantId, tenantId, correctionId)
    yield* moveIds(correction)
  })
  const moveBack: Moves["moveBack"] = Effect.fnUntraced(function* (correction) {
    const { correctionId, tenantId, threadId } = correction
    const items = [tenantId, correctionId] as const
    yield* back.messages(correctionId, correctionId, tenantId, ...items)
    yield* back.dropIds(tenantId, threadId, ...items)
    yield* back.restoreIds(...items)
    yield* follow(correction)
  })
  return {
    moveMessages: (...args) => whole(moveMessages(...args)),
    moveThreads: (...args) => whole(moveThreads(...args)),
    moveBack: (correction) => whole(moveBack(correction)),
    hasLaterMail: laterMail(database)
  }
}
