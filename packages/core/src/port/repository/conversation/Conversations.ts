import type { Effect } from "effect"
import { Context } from "effect"
import type { ConversationNotFound, Conversation, ConversationKey } from "../../../domain/conversation/Conversation.ts"
import type { ConversationHead } from "../../../domain/conversation/ConversationHead.ts"
import type { Message } from "../../../domain/conversation/Message.ts"
import type { ContactId, MessageId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Conversation heads, one for each contact. A list of conversations reads only the heads, not the messages. */
export class Conversations extends Context.Service<
  Conversations,
  {
    /**
     * Updates a contact's head for a new message. The head shows the message with the latest `timestamp`. The unread
     * count increases for messages of the contact. Automatic messages and imported history (`isRead`) do not count.
     * Columns of contact and lead are joined when the head is read.
     */
    readonly advance: (message: Message, isRead?: boolean) => Effect.Effect<void, StoreUnavailable>
    /**
     * Lists conversations after `after`, newest first. `alias` selects those with a message that arrived at that
     * address.
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
    /** Returns the stored part of a conversation, or null. */
    readonly head: (tenantId: string, contactId: string) => Effect.Effect<ConversationHead | null, StoreUnavailable>
    /** Replaces the head of a contact. Null deletes it. */
    readonly setHead: (
      tenantId: string,
      contactId: ContactId,
      head: ConversationHead | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Sets the unread count to 0. */
    readonly markRead: (
      tenantId: string,
      contactId: string
    ) => Effect.Effect<void, ConversationNotFound | StoreUnavailable>
    /**
     * Marks messages as read up to one message, in order of acceptance. Later messages stay unread. Call it inside a
     * unit of work.
     */
    readonly markReadUpTo: (
      tenantId: string,
      contactId: string,
      messageId: MessageId
    ) => Effect.Effect<void, ConversationNotFound | StoreUnavailable>
  }
>()("core/port/repository/conversation/Conversations") {}
