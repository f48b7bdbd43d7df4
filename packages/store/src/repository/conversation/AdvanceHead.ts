import { joinWaits } from "@leadloom/core/internal/domain/conversation/InboxState"
import { lastOfEach } from "../../sql/ArrayRows.ts"
import type { Row, RowsForm } from "../../unit/RowsForm.ts"

/**
 * A condition: the new message is newer than the stored one. If both have the same time, the message with the greater
 * id is newer.
 */
const isNewer =
  "(excluded.last_timestamp, excluded.last_message_id) > (conversations.last_timestamp, conversations.last_message_id)"

const ifNewer = (column: string): string =>
  `${column} = CASE WHEN ${isNewer} THEN excluded.${column} ELSE conversations.${column} END`

const answered = `CASE WHEN excluded.answered_at > conversations.answered_at THEN excluded.answered_at
    ELSE conversations.answered_at END`

/** `waitAfter` of core: an answer ends the wait of earlier messages, and other messages join it. */
const waiting = `CASE WHEN excluded.answered_at > 0
    THEN CASE WHEN conversations.waiting_since > excluded.answered_at THEN conversations.waiting_since END
    WHEN excluded.waiting_since < conversations.waiting_since THEN excluded.waiting_since
    ELSE coalesce(conversations.waiting_since, excluded.waiting_since) END`

const columns = `tenant_id, last_timestamp, contact_id, last_message_id, last_message, last_channel, lead_id, unread,
    waiting_since, answered_at`

/**
 * The head refers to the lead of the newest message that has a lead. Automatic mail may have none. An unread message
 * opens the conversation. The statement changes no field that people set, except for the state and the snooze.
 */
const advanceText = (source: string): string => `INSERT INTO conversations (${columns})
  ${source} ON CONFLICT (tenant_id, contact_id) DO UPDATE SET
    ${["last_timestamp", "last_message_id", "last_message", "last_channel"].map(ifNewer).join(", ")},
    lead_id = CASE WHEN ${isNewer} THEN coalesce(excluded.lead_id, conversations.lead_id)
      ELSE coalesce(conversations.lead_id, excluded.lead_id) END,
    unread = conversations.unread + excluded.unread,
    state = CASE WHEN excluded.unread > 0 THEN 'open' ELSE conversations.state END,
    snooze_until = CASE WHEN excluded.unread > 0 THEN NULL ELSE conversations.snooze_until END,
    waiting_since = ${waiting}, answered_at = ${answered}`

/** Returns whether the message of a row of `advancing` is newer than the one of another row. */
const isRowNewer = ([, at, , id]: Row, [, otherAt, , otherId]: Row): boolean =>
  Number(at) > Number(otherAt) || (at === otherAt && String(id) > String(otherId))

const timeOrNull = (value: Row[number] | undefined): number | null => (typeof value === "number" ? value : null)

/** Combines the rows of two messages with the same contact and lead. */
const combined = (row: Row, last: Row): Row => {
  const wait = ({ 8: waitingSince, 9: answeredAt }: Row) => ({
    waitingSince: timeOrNull(waitingSince),
    answeredAt: Number(answeredAt)
  })
  const { answeredAt, waitingSince } = joinWaits(wait(last), wait(row))
  const newer = isRowNewer(row, last) ? row : last
  return [...newer.slice(0, 7), Number(last[7]) + Number(row[7]), waitingSince, answeredAt]
}

const isAnswer = ({ 9: answeredAt }: Row): boolean => answeredAt !== 0

/**
 * Combines consecutive messages of a contact with the same lead. The effect is that of all messages one after another:
 * the newest message counts, and the lead does not depend on their order. `ON CONFLICT` cannot update a row twice in
 * one statement, so a message with another lead goes into the next statement. So does an answer after messages of the
 * contact, because the time of the oldest message without an answer depends on their order.
 */
const runsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Row>> => {
  const runs = new Map<string, Array<Row>>()
  for (const row of rows) {
    const [tenantId, , contactId, , , , leadId] = row
    const key = JSON.stringify([tenantId, contactId])
    const own = runs.get(key)
    const last = own?.at(-1)
    if (own === undefined) runs.set(key, [row])
    else if (last === undefined || last[6] !== leadId || isAnswer(last) !== isAnswer(row)) own.push(row)
    else own[own.length - 1] = combined(row, last)
  }
  const rounds: Array<Array<Row>> = []
  for (const own of runs.values()) for (const [round, row] of own.entries()) (rounds[round] ??= []).push(row)
  return rounds
}

/** The values of a row are in the order of the columns. */
export const advancing: RowsForm = {
  text: advanceText("VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
  types: ["text", "bigint", "text", "text", "text", "text", "text", "bigint", "bigint", "bigint"],
  batch: (source) => advanceText(`SELECT * FROM ${source}`),
  combine: runsOf
}

/**
 * The rows of a conversation's aliases have the same time as its head, so that an index returns the conversations of
 * one alias in order. A trigger moves them with the head. The values of a row are tenant, contact and alias.
 */
export const addingAlias: RowsForm = {
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
