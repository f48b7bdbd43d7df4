import { Effect } from "effect"
import { orContactMerged } from "../contact/ResolveMergedContact.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { findMessage } from "./LabelSubject.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Marks a conversation as read. With `upTo`, marks only the messages up to this one, so that messages which have
 * arrived since then stay unread.
 */
export const markRead = Effect.fnUntraced(
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
    Effect.catchTag(marking, "ConversationNotFound", orContactMerged(tenantId, contactId)),
  withSpan("markRead")
)
