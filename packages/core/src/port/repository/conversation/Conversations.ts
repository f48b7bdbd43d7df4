import type { Effect } from "effect"
import { Context } from "effect"
import type { ConversationNotFound, Conversation, ConversationKey } from "../../../domain/conversation/Conversation.ts"
import type { ConversationHead } from "../../../domain/conversation/ConversationHead.ts"
import type { Message } from "../../../domain/conversation/Message.ts"
import type { ContactId, MessageId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/**
 * The heads of conversations, one for each contact. A list of conversations reads only the heads and not the messages.
 */
export class Conversations extends Context.Service<
  Conversations,
  {
    /**
     * Updates a contact's head for a new message. The head describes the message with the latest `timestamp`. A message
     * of the contact increases the number of unread messages, unless it is automatic or belongs to imported history
     * (`isRead`). Columns of contact and lead are joined when the head is read, so they are not updated here.
     */
    readonly advance: (message: Message, isRead?: boolean) => Effect.Effect<void, StoreUnavailable>
    /**
     * Lists conversations after `after`, newest first. `alias` selects the conversations with a message that arrived at
     * this address; null selects all.
     */
    readonly page: (
      tenantId: string,
      limit: number,
      after: ConversationKey | null,
      alias: string | null
    ) => Effect.Effect<ReadonlyArray<Conversation>, StoreUnavailable>
    readonly get: (
      tenantId: string,
      contactId: string
    ) => Effect.Effect<Conversation, ConversationNotFound | StoreUnavailable>
    /**
     * Returns up to `limit` contacts to whom a person of the tenant has written and whose mail arrived at this address.
     * Only the newest 200 conversations of the address are examined, so that junk does not slow down the search.
     */
    readonly knownUsers: (
      tenantId: string,
      alias: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ContactId>, StoreUnavailable>
    /** Returns the stored part of a conversation, or null. */
    readonly head: (tenantId: string, contactId: string) => Effect.Effect<ConversationHead | null, StoreUnavailable>
    /** Replaces the head of a contact. Null deletes it. */
    readonly setHead: (
      tenantId: string,
      contactId: ContactId,
      head: ConversationHead | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Sets the number of unread messages to 0. */
    readonly markRead: (
      tenantId: string,
      contactId: string
    ) => Effect.Effect<void, ConversationNotFound | StoreUnavailable>
    /**
     * Marks messages as read up to and including one message, in order of acceptance. Messages that were accepted later
     * stay unread. Call it inside a unit of work.
     */
    readonly markReadUpTo: (
      tenantId: string,
      contactId: string,
      messageId: MessageId
    ) => Effect.Effect<void, ConversationNotFound | StoreUnavailable>
  }
>()("core/port/repository/conversation/Conversations") {}
