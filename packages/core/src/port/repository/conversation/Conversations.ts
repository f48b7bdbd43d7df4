import type { Effect } from "effect"
import { Context } from "effect"
import type { ConversationNotFound, Conversation, ConversationKey } from "../../../domain/conversation/Conversation.ts"
import type { ConversationHead } from "../../../domain/conversation/ConversationHead.ts"
import type { Message } from "../../../domain/conversation/Message.ts"
import type { ContactId, MessageId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** Heads of conversations, one a contact, kept beside the messages so that a list reads nothing else. */
export class Conversations extends Context.Service<
  Conversations,
  {
    /**
     * Takes a new message into the head of its contact: the newest by `timestamp` shows, and the unread count goes up
     * when the contact wrote it, no machine, unless it `isRead` (history that is brought in). Contact and lead columns come
     * from their tables when read.
     */
    readonly advance: (message: Message, isRead?: boolean) => Effect.Effect<void, StoreUnavailable>
    /** Newest first, after `after`. `alias` keeps conversations with a message that arrived at that address. */
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
    /** The stored part of a conversation; null where there is none. */
    readonly head: (tenantId: string, contactId: string) => Effect.Effect<ConversationHead | null, StoreUnavailable>
    /** Replaces the head of a contact, whatever it was; null takes it away. */
    readonly setHead: (
      tenantId: string,
      contactId: ContactId,
      head: ConversationHead | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Sets the unread count to nothing. */
    readonly markRead: (
      tenantId: string,
      contactId: string
    ) => Effect.Effect<void, ConversationNotFound | StoreUnavailable>
    /** The same up to a message, in order of acceptance: what came after it stays unread. For a unit of work. */
    readonly markReadUpTo: (
      tenantId: string,
      contactId: string,
      messageId: MessageId
    ) => Effect.Effect<void, ConversationNotFound | StoreUnavailable>
  }
>()("core/port/repository/conversation/Conversations") {}
