import { Effect } from "effect"
import { orContactMerged } from "../contact/ResolveMergedContact.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { ReadMarks } from "../../port/repository/conversation/ReadMarks.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { queueSeen } from "../mailbox/QueueMailboxJobs.ts"
import { findMessage } from "./LabelSubject.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Marks a conversation as read for a user, or for everybody without an own unread state. With `upTo`, marks only the
 * messages up to this one, so that messages which have arrived since then stay unread.
 */
export const markRead = Effect.fnUntraced(
  function* (tenantId: string, contactId: string, upTo: string | null, userId: string | null = null) {
    const conversations = yield* Conversations
    const marks = yield* ReadMarks
    yield* (yield* Transactions).atomically(
      tenantId,
      Effect.gen(function* () {
        const conversation = yield* conversations.get(tenantId, contactId, userId)
        yield* queueSeen(tenantId, conversation.contactId, conversation.unread)
        if (upTo === null) return yield* marks.read(tenantId, contactId, userId)
        const { messageId } = yield* findMessage(tenantId, conversation.contactId, upTo)
        yield* marks.readUpTo(tenantId, contactId, messageId, userId)
      })
    )
  },
  (marking, tenantId, contactId) =>
    Effect.catchTag(marking, "ConversationNotFound", orContactMerged(tenantId, contactId)),
  withSpan("markRead")
)
