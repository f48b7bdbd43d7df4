import { Effect } from "effect"
import { Conversations } from "../port/Conversations.ts"

/** Marks everything a contact has written as read. */
export const markRead = Effect.fn("markRead")(function* (tenantId: string, contactId: string) {
  yield* (yield* Conversations).markRead(tenantId, contactId)
})
