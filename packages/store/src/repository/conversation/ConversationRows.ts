import type { Conversation } from "@leadloom/core/internal/domain/conversation/Conversation"
import { conversationAsOf } from "@leadloom/core/internal/domain/conversation/InboxState"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Clock, Effect } from "effect"
import { readArray } from "../../sql/Json.ts"

/** A row whose tags are not parsed yet. */
export type Stored<A extends { readonly tags: ReadonlyArray<string> }> = Omit<A, "tags"> & { readonly tags: string }

/** The columns of the inbox state. */
export const inboxColumns = `c.state, c.assignee_id AS "assigneeId", c.team_id AS "teamId", c.tags, c.priority,
  c.snooze_until AS "snoozeUntil", c.waiting_since AS "waitingSince",
  c.answered_at AS "answeredAt"`

/** The unread messages of the user of `readersOf`. A user without an own state has the shared one. */
const unread = "CASE WHEN r.seen IS NULL THEN c.unread WHEN c.unread > r.seen THEN c.unread - r.seen ELSE 0 END"

/** The columns of a row of the list, with the current data of contact and lead. */
export const listColumns = `c.contact_id AS "contactId", p.name AS "contactName", p.email AS "contactEmail",
    c.last_message_id AS "lastMessageId", c.last_message AS "lastMessage", c.last_channel AS "lastChannel",
    c.last_timestamp AS "lastTimestamp", c.lead_id AS "leadId", l.state AS "leadState", l.tier,
    ${unread} AS unread, ${inboxColumns}`

/** Returns the joins of `listColumns`. `user` is the SQL of the user; an empty text stands for the shared unread state. */
export const listJoinsOf = (
  user: string
): string => `LEFT JOIN contacts p ON p.tenant_id = c.tenant_id AND p.contact_id = c.contact_id
  LEFT JOIN leads l ON l.tenant_id = c.tenant_id AND l.lead_id = c.lead_id
  LEFT JOIN conversation_reads r ON r.tenant_id = c.tenant_id AND r.contact_id = c.contact_id AND r.user_id = ${user}`

/** The joins with the user as a parameter. */
export const listJoins = listJoinsOf("?")

/** Parses the tags of a row. */
export const withTags = <A extends { readonly tags: string }>(
  row: A
): Omit<A, "tags"> & { readonly tags: ReadonlyArray<string> } => ({ ...row, tags: readArray<string>(row.tags) })

/** Returns the rows of a list with their state at the current time. */
export const asOfNow = <A extends Stored<Conversation>>(
  rows: Effect.Effect<ReadonlyArray<A>, StoreUnavailable>
): Effect.Effect<ReadonlyArray<Omit<A, "tags"> & { readonly tags: ReadonlyArray<string> }>, StoreUnavailable> =>
  Effect.flatMap(rows, (found) =>
    Effect.map(Clock.currentTimeMillis, (now) => found.map((row) => conversationAsOf(withTags(row), now)))
  )

/**
 * Returns the condition that the contact may have received a message. Received messages and messages that another
 * program sent have no delivery state. It equals `mayHaveArrived` in `core/workflow/provider/ChangeDelivery.ts`.
 */
export const mayHaveArrived = (alias: string): string =>
  `coalesce(${alias}.delivery, 'sent') IN ('sent', 'delivered', 'unknown')`
