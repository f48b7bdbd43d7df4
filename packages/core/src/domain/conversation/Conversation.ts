import { Data } from "effect"
import type { ContactId, LeadId, MessageId } from "../Id.ts"
import type { Channel } from "../Channel.ts"
import type { LeadState } from "../lead/LeadState.ts"
import type { Tier } from "../lead/Score.ts"

/** The head of a contact's conversation: what a list shows without reading the messages. */
export interface Conversation {
  readonly contactId: ContactId
  readonly contactName: string | null
  readonly contactEmail: string | null
  readonly lastMessageId: MessageId
  readonly lastMessage: string
  readonly lastChannel: Channel
  readonly lastTimestamp: number
  readonly leadId: LeadId | null
  readonly leadState: LeadState | null
  readonly tier: Tier | null
  /** Messages from the contact that nobody has marked read. */
  readonly unread: number
}

/** Items on one page of the conversation list. Fixed by the specification. */
export const conversationPageSize = 50

/** Where a page of conversations ends: the sort key of its last item. */
export interface ConversationKey {
  readonly lastTimestamp: number
  readonly contactId: string
}

/** The contact has no conversation, or there is no such contact in this tenant. */
export class ConversationNotFound extends Data.TaggedError("ConversationNotFound")<{ readonly contactId: string }> {}
