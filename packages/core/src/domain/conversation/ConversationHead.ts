import type { Conversation } from "./Conversation.ts"
import { countsAsUnread, type Message, preview } from "./Message.ts"

/** The stored part of a conversation; the rest comes from its contact and lead. */
export interface ConversationHead extends Omit<Conversation, "contactName" | "contactEmail" | "leadState" | "tier"> {
  readonly tenantId: string
  /** The tenant's addresses that mail of the contact arrived at. */
  readonly aliases: ReadonlySet<string>
}

/** Where a head stands in time: of two with the same time the one with the greater id is the newer. */
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
  unread: countsAsUnread(message) && !isRead ? 1 : 0
})

/** One head of two: the newer shows, with the lead of the newer that has one; what is unread adds up. */
export const joinHeads = (one: ConversationHead, other: ConversationHead): ConversationHead => {
  const [newer, older] = isNewer(other, one) ? [other, one] : [one, other]
  return {
    ...newer,
    leadId: newer.leadId ?? older.leadId,
    aliases: new Set([...one.aliases, ...other.aliases]),
    unread: one.unread + other.unread
  }
}

/** A head after a message. It keeps the lead of the newest message that has one: automatic mail may have none. */
export const headAfter = (head: ConversationHead | null, message: Message, isRead = false): ConversationHead =>
  head === null ? headOf(message, isRead) : joinHeads(head, headOf(message, isRead))
