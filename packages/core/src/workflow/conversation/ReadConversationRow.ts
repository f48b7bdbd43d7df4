import { Effect } from "effect"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { orContactMerged } from "../contact/ResolveMergedContact.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns a contact's row of the conversation list. `userId` selects whose unread state it has. */
export const readConversationRow = Effect.fnUntraced(
  function* (tenantId: string, contactId: string, userId: string | null) {
    return yield* (yield* Conversations).get(tenantId, contactId, userId)
  },
  (reading, tenantId, contactId) =>
    Effect.catchTag(reading, "ConversationNotFound", orContactMerged(tenantId, contactId)),
  withSpan("readConversationRow")
)
