import { Effect } from "effect"
import type { Conversation } from "../../domain/conversation/Conversation.ts"
import { changedFields } from "../../domain/conversation/ConversationChange.ts"
import { inboxEvent } from "../../domain/conversation/ConversationEvent.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"

/**
 * Stores a conversation whose user or team the server has changed, and returns its event, the same as for a change by a
 * person. Has no effect when nothing changed. `before` is the row with the shared unread state. Runs inside a unit of
 * work.
 */
export const assignConversation = Effect.fnUntraced(function* (
  tenantId: string,
  before: Conversation,
  after: Conversation,
  actor: "agent" | "system"
) {
  const changes = changedFields(before, after)
  if (changes.length === 0) return []
  yield* (yield* Conversations).setInboxState(tenantId, before.contactId, after)
  return [inboxEvent(tenantId, after, changes, actor)]
})
