import type { Conversation } from "./Conversation.ts"
import { inboxStateAfter, joinInboxStates, newInboxState, type StoredInboxState } from "./InboxState.ts"
import { countsAsUnread, type Message, preview } from "./Message.ts"

/** The stored part of a conversation. The other fields come from its contact and lead. */
export interface ConversationHead
  extends Omit<Conversation, "contactName" | "contactEmail" | "leadState" | "tier">, StoredInboxState {
  readonly tenantId: string
  /** The tenant's addresses that have received mail from the contact. */
  readonly aliases: ReadonlySet<string>
}

/**
 * Returns whether one head is newer than the other. If the times are equal, the head with the greater message id is
 * newer.
 */
const isNewer = (
  one: Pick<ConversationHead, "lastTimestamp" | "lastMessageId">,
  other: Pick<ConversationHead, "lastTimestamp" | "lastMessageId">
): boolean =>
  one.lastTimestamp === other.lastTimestamp
    ? one.lastMessageId > other.lastMessageId
    : one.lastTimestamp > other.lastTimestamp

const headOf = (message: Message, isRead: boolean): ConversationHead => ({
  tenantId: message.tenantId,
  contactId: message.contactId,
  lastMessageId: message.messageId,
  lastMessage: preview(message.body),
  lastChannel: message.channel,
  lastTimestamp: message.timestamp,
  leadId: message.leadId,
  aliases: new Set(message.receivedAlias === null ? [] : [message.receivedAlias]),
  unread: countsAsUnread(message) && !isRead ? 1 : 0,
  ...inboxStateAfter(newInboxState, message, isRead)
})

/** Combines the descriptions of the newest message, the leads, the addresses and the numbers of unread messages. */
const joinNewest = (one: ConversationHead, other: ConversationHead): ConversationHead => {
  const [newer, older] = isNewer(other, one) ? [other, one] : [one, other]
  return {
    ...newer,
    leadId: newer.leadId ?? older.leadId,
    aliases: new Set([...one.aliases, ...other.aliases]),
    unread: one.unread + other.unread
  }
}

/**
 * Combines the heads of two contacts that are merged. The values of the newer head are kept. If the newer head has no
 * lead, the result has the lead of the older head. The numbers of unread messages are added.
 */
export const joinHeads = (primary: ConversationHead, duplicate: ConversationHead): ConversationHead => ({
  ...joinNewest(primary, duplicate),
  ...joinInboxStates(primary, duplicate)
})

/**
 * Returns the head of a conversation after a new message. If the message has no lead, such as automatic mail, the head
 * keeps the previous lead.
 */
export const headAfter = (head: ConversationHead | null, message: Message, isRead = false): ConversationHead =>
  head === null
    ? headOf(message, isRead)
    : { ...joinNewest(head, headOf(message, isRead)), ...inboxStateAfter(head, message, isRead) }
