import { ConversationNotFound } from "@leadloom/core/internal/domain/conversation/Conversation"
import { ReadMarks } from "@leadloom/core/internal/port/repository/conversation/ReadMarks"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { first, type Queries } from "../../sql/Queries.ts"

/** The number of the contact's messages after a message, at most the unread ones: earlier reads are never undone. */
const unreadAfter = `(SELECT CASE WHEN count(*) < c.unread THEN count(*) ELSE c.unread END
    FROM messages given JOIN messages m ON m.tenant_id = given.tenant_id AND m.contact_id = c.contact_id
      AND (m.received_at, m.message_id) > (given.received_at, given.message_id)
    WHERE given.tenant_id = c.tenant_id AND given.message_id = ? AND m.actor = 'contact' AND m.auto IS NULL)`

interface Unread {
  readonly unread: number
  /** The unread messages that stay unread. */
  readonly left: number
}

/** The shared unread state. The rows of users count the shared unread messages that they have seen. */
const sharedMarks = ({ command, whole }: Queries) => {
  const set = command("UPDATE conversations SET unread = ? WHERE tenant_id = ? AND contact_id = ?")
  const forget = command(
    "DELETE FROM conversation_reads WHERE tenant_id = ? AND contact_id = ? AND seen >= 0 AND seen <= ?"
  )
  const lower = command(
    "UPDATE conversation_reads SET seen = seen - ? WHERE tenant_id = ? AND contact_id = ? AND seen > 0"
  )
  return {
    /** Lowers the number of unread messages to `left`. */
    read: (tenantId: string, contactId: string, { left, unread }: Unread) =>
      whole(
        set(left, tenantId, contactId).pipe(
          Effect.andThen(forget(tenantId, contactId, unread - left)),
          Effect.andThen(lower(unread - left, tenantId, contactId))
        )
      ),
    unread: (tenantId: string, contactId: string) => set(1, tenantId, contactId)
  }
}

/** Stores the unread state of conversations in SQL. */
export const layer: Layer.Layer<ReadMarks, never, Database> = Layer.effect(
  ReadMarks,
  Effect.map(Database, (all) => {
    const { by, command, query } = all
    const shared = sharedMarks(all)
    const from = `FROM conversations c ${by("conversations_contact")} WHERE c.tenant_id = ? AND c.contact_id = ?`
    const find = query<Unread>(`SELECT c.unread, 0 AS "left" ${from}`)
    const findUpTo = query<Unread>(`SELECT c.unread, ${unreadAfter} AS "left" ${from}`)
    const setSeen = command(
      `INSERT INTO conversation_reads (tenant_id, contact_id, user_id, seen) VALUES (?, ?, ?, ?)
        ON CONFLICT (tenant_id, contact_id, user_id) DO UPDATE SET seen = excluded.seen`
    )
    const seenOf = query<{ readonly seen: number }>(
      "SELECT seen FROM conversation_reads WHERE tenant_id = ? AND contact_id = ? AND user_id = ?"
    )
    const difference = query<{ readonly difference: number }>(
      `SELECT coalesce(sum(CASE WHEN c.unread = 0 AND r.seen < 0 THEN 1 WHEN c.unread > 0 AND r.seen >= c.unread THEN -1
          ELSE 0 END), 0) AS difference
        FROM conversation_reads r ${by("conversation_reads_user")}
          JOIN conversations c ON c.tenant_id = r.tenant_id AND c.contact_id = r.contact_id
        WHERE r.tenant_id = ? AND r.user_id = ?`
    )
    const read = Effect.fnUntraced(function* (
      tenantId: string,
      contactId: string,
      userId: string | null,
      found: Unread | null
    ) {
      if (found === null) return yield* new ConversationNotFound({ contactId })
      const { left, unread } = found
      if (userId === null) return yield* shared.read(tenantId, contactId, found)
      const seen = first(yield* seenOf(tenantId, contactId, userId))?.seen ?? 0
      yield* setSeen(tenantId, contactId, userId, Math.max(seen, unread - left))
    })
    return ReadMarks.of({
      read: (tenantId, contactId, userId) =>
        Effect.flatMap(find(tenantId, contactId), (rows) => read(tenantId, contactId, userId, first(rows))),
      readUpTo: (tenantId, contactId, messageId, userId) =>
        Effect.flatMap(findUpTo(messageId, tenantId, contactId), (rows) =>
          read(tenantId, contactId, userId, first(rows))
        ),
      unread: Effect.fnUntraced(function* (tenantId, contactId, userId) {
        const { unread = 0 } = first(yield* find(tenantId, contactId)) ?? {}
        if (userId === null) return unread === 0 ? yield* shared.unread(tenantId, contactId) : undefined
        const seen = first(yield* seenOf(tenantId, contactId, userId))?.seen ?? 0
        if (seen >= unread) yield* setSeen(tenantId, contactId, userId, unread - 1)
      }),
      difference: (tenantId, userId) => Effect.map(difference(tenantId, userId), (rows) => first(rows)?.difference ?? 0)
    })
  })
)
