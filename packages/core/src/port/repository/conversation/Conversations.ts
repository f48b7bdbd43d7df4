import type { Effect } from "effect"
import { Context } from "effect"
import type { Conversation, ConversationNotFound } from "../../../domain/conversation/Conversation.ts"
import type { ConversationCount } from "../../../domain/conversation/ConversationCount.ts"
import type { ConversationHead } from "../../../domain/conversation/ConversationHead.ts"
import type { ConversationKey, ConversationQuery } from "../../../domain/conversation/ConversationQuery.ts"
import type { InboxState } from "../../../domain/conversation/InboxState.ts"
import type { Message } from "../../../domain/conversation/Message.ts"
import type { ContactId } from "../../../domain/Id.ts"
import type { WorkHolder } from "../../../domain/user/Assignment.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** A conversation and its position in the list that was read. */
export interface ListedConversation {
  readonly key: ConversationKey
  readonly conversation: Conversation
}

/**
 * The heads of conversations, one for each contact. A list of conversations reads only the heads and not the messages.
 * `userId` selects whose unread state the result has. Null selects the shared one.
 */
export class Conversations extends Context.Service<
  Conversations,
  {
    /**
     * Updates a contact's head for a new message. The head describes the message with the latest `timestamp`. A message
     * of the contact increases the number of unread messages and opens the conversation, unless it is automatic or
     * belongs to imported history (`isRead`). Columns of contact and lead are joined when the head is read, so they are
     * not updated here.
     */
    readonly advance: (message: Message, isRead?: boolean) => Effect.Effect<void, StoreUnavailable>
    /**
     * Reads conversations in the order of a list, after `after`. The index of one filter restricts them, so the result
     * may contain conversations that another filter excludes (`matchesFilter`). The number of rows that a call reads
     * depends only on `limit`.
     */
    readonly walk: (
      tenantId: string,
      query: ConversationQuery,
      page: { readonly userId: string | null; readonly after: ConversationKey | null; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<ListedConversation>, StoreUnavailable>
    /** Returns conversations by contact, in any order. Contacts without a conversation are omitted. */
    readonly among: (
      tenantId: string,
      contactIds: ReadonlyArray<string>,
      userId?: string | null
    ) => Effect.Effect<ReadonlyArray<Conversation>, StoreUnavailable>
    readonly get: (
      tenantId: string,
      contactId: string,
      userId?: string | null
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
    /** Replaces the inbox state of an existing conversation. Call it inside a unit of work. */
    readonly setInboxState: (
      tenantId: string,
      contactId: ContactId,
      state: InboxState
    ) => Effect.Effect<void, StoreUnavailable>
    /** Counts an answer that was written at a time (epoch milliseconds). Returns whether the wait changed. */
    readonly endWait: (
      tenantId: string,
      contactId: ContactId,
      answeredAt: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Computes the wait again from the stored messages. Answers with the delivery state `queued`, `failed` or `bounced`
     * do not count. Returns whether the wait changed. A closed conversation does not wait.
     */
    readonly resumeWait: (tenantId: string, contactId: ContactId) => Effect.Effect<boolean, StoreUnavailable>
    /** Returns conversations whose snooze has ended, longest overdue first. */
    readonly due: (
      tenantId: string,
      now: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ContactId>, StoreUnavailable>
    /** Returns the next tenant after `after` with a snoozed conversation, or null. */
    readonly nextSnoozing: (after: string) => Effect.Effect<string | null, StoreUnavailable>
    /** Counts the open conversations of each user. A user without one is missing. */
    readonly openCounts: (
      tenantId: string,
      userIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, number>, StoreUnavailable>
    /** Returns conversations that are not closed and belong to a user or a team, up to `limit`. */
    readonly heldBy: (
      tenantId: string,
      holder: WorkHolder,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ContactId>, StoreUnavailable>
    /**
     * Returns the number of conversations for each combination of state, assignee, team and shared unread state. A
     * combination may occur twice, with a negative number too: snoozes that have ended count as open.
     */
    readonly counts: (tenantId: string) => Effect.Effect<ReadonlyArray<ConversationCount>, StoreUnavailable>
    /** Returns the stored part of a conversation, or null. */
    readonly head: (tenantId: string, contactId: string) => Effect.Effect<ConversationHead | null, StoreUnavailable>
    /** Replaces the head of a contact. Null deletes it. */
    readonly setHead: (
      tenantId: string,
      contactId: ContactId,
      head: ConversationHead | null
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/conversation/Conversations") {}
