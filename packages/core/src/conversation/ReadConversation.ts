import { Effect } from "effect"
import { Secrets } from "../access/Secrets.ts"
import type { TimelineKey } from "../activity/Activity.ts"
import { orMerged } from "../contact/LiveContact.ts"
import { Conversations } from "../port/Conversations.ts"
import { Messages } from "../port/Messages.ts"
import { type CursorScope, decodeCursor, encodeCursor } from "./Cursor.ts"
import { CursorInvalid } from "./CursorInvalid.ts"

/** Messages on one page of a conversation: nearly every conversation is one page. */
export const messagePageSize = 200

/**
 * A page of a contact's history over all channels, oldest first within it. The first page has the newest messages, the
 * cursor leads to older ones; null when there are none.
 */
export const readConversation = Effect.fn("readConversation")(function* (
  tenantId: string,
  contactId: string,
  { cursor, limit = messagePageSize }: { readonly cursor: string | null; readonly limit?: number }
) {
  const conversation = yield* (yield* Conversations)
    .get(tenantId, contactId)
    .pipe(Effect.catchTag("ConversationNotFound", orMerged(tenantId, contactId)))
  const { pepper } = yield* Secrets
  const scope: CursorScope = { tenantId, list: "messages", filters: { contact: conversation.contactId } }
  let before: TimelineKey | null = null
  if (cursor !== null) {
    const [timestamp, messageId] = decodeCursor(cursor, scope, pepper) ?? []
    if (typeof timestamp !== "number" || typeof messageId !== "string") return yield* new CursorInvalid()
    before = { at: timestamp, id: messageId }
  }
  const found = yield* (yield* Messages).before(tenantId, conversation.contactId, before, limit + 1)
  const messages = found.slice(0, limit).toReversed()
  const oldest = messages[0]
  const more = found.length > limit && oldest !== undefined
  return { messages, nextCursor: more ? encodeCursor(scope, [oldest.timestamp, oldest.messageId], pepper) : null }
})
