import { Data } from "effect"
import type { ContactId, LeadId, MessageId } from "../Id.ts"
import type { Channel } from "../Channel.ts"
import type { LeadState } from "../lead/LeadState.ts"
import type { Tier } from "../lead/Score.ts"

/** The summary of a contact's conversation. Lists show it without reading the messages. */
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
  /** The number of unread messages from the contact. */
  readonly unread: number
}

/** The number of conversations per page. The specification prescribes it. */
export const conversationPageSize = 50

/** The position of a conversation in the list: its sort key. */
export interface ConversationKey {
  readonly lastTimestamp: number
  readonly contactId: string
}

/** The contact has no conversation, or the tenant has no such contact. */
export class ConversationNotFound extends Data.TaggedError("ConversationNotFound")<{ readonly contactId: string }> {}
