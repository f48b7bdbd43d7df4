import { Effect } from "effect"
import { orContactMerged } from "../contact/ResolveMergedContact.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { findMessage } from "../intake/LabelSubject.ts"

/**
 * Marks everything a contact has written as read, or with `upTo` what was there when that message was the newest: what
 * has come while somebody read stays unread.
 */
export const markRead = Effect.fn("markRead")(
  function* (tenantId: string, contactId: string, upTo: string | null) {
    const conversations = yield* Conversations
    if (upTo === null) return yield* conversations.markRead(tenantId, contactId)
    yield* (yield* Transactions).atomically(
      tenantId,
      Effect.gen(function* () {
        const conversation = yield* conversations.get(tenantId, contactId)
        const { messageId } = yield* findMessage(tenantId, conversation.contactId, upTo)
        yield* conversations.markReadUpTo(tenantId, contactId, messageId)
      })
    )
  },
  (marking, tenantId, contactId) =>
    Effect.catchTag(marking, "ConversationNotFound", orContactMerged(tenantId, contactId))
)
