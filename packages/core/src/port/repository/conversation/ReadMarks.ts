import type { Effect } from "effect"
import { Context } from "effect"
import type { ConversationNotFound } from "../../../domain/conversation/Conversation.ts"
import type { ContactId, MessageId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/**
 * The unread state of conversations: a shared one, and one for each user who has read a conversation or marked it as
 * unread. A user without an own state has the shared one. Without `userId`, a method changes the shared state.
 */
export class ReadMarks extends Context.Service<
  ReadMarks,
  {
    /** Marks all messages of a conversation as read. */
    readonly read: (
      tenantId: string,
      contactId: string,
      userId: string | null
    ) => Effect.Effect<void, ConversationNotFound | StoreUnavailable>
    /**
     * Marks messages as read up to and including one message, in order of acceptance. Messages that were accepted later
     * stay unread. Call it inside a unit of work.
     */
    readonly readUpTo: (
      tenantId: string,
      contactId: string,
      messageId: MessageId,
      userId: string | null
    ) => Effect.Effect<void, ConversationNotFound | StoreUnavailable>
    /** Marks a conversation as unread: at least one message counts as unread. */
    readonly unread: (
      tenantId: string,
      contactId: ContactId,
      userId: string | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Returns by how many conversations the unread count of a user differs from the shared one. */
    readonly difference: (tenantId: string, userId: string) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/conversation/ReadMarks") {}
