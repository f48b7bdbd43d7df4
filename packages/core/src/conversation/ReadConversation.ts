import { Effect } from "effect"
import { Conversations } from "../port/Conversations.ts"
import { Messages } from "../port/Messages.ts"

/** A contact's whole history over all channels, oldest first. */
export const readConversation = Effect.fn("readConversation")(function* (tenantId: string, contactId: string) {
  const conversation = yield* (yield* Conversations).get(tenantId, contactId)
  return yield* (yield* Messages).ofContact(tenantId, conversation.contactId)
})
