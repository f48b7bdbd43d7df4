import type { Lead } from "../lead/Lead.ts"
import type { Conversation } from "./Conversation.ts"
import { inboxStateAfter, joinInboxStates, newInboxState } from "./InboxState.ts"
import { countsAsUnread, type Message, preview } from "./Message.ts"

/** The stored part of a conversation. The other fields come from its contact and lead. */
export interface ConversationHead extends Omit<Conversation, "contactName" | "contactEmail" | "leadState" | "tier"> {
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

/** The contact of a conversation, and the lead of a message. */
export interface ConversationPeople {
  readonly contact: { readonly name: string | null; readonly email: string | null }
  readonly lead: Pick<Lead, "leadId" | "state" | "tier"> | null
}

const noAliases: ReadonlySet<string> = new Set()

/** Returns the row of a conversation in the list after a new message. */
export const conversationAfter = (
  before: Conversation | null,
  message: Message,
  { contact, lead }: ConversationPeople,
  isRead = false
): Conversation => {
  const head = before === null ? null : { ...before, tenantId: message.tenantId, aliases: noAliases }
  const { aliases: _aliases, tenantId: _tenantId, ...after } = headAfter(head, message, isRead)
  const isSame = before !== null && before.leadId === after.leadId
  const shown =
    lead?.leadId === after.leadId ? lead : isSame ? { state: before.leadState, tier: before.tier } : undefined
  return {
    ...after,
    contactName: contact.name,
    contactEmail: contact.email,
    leadState: shown?.state ?? null,
    tier: shown?.tier ?? null
  }
}
