import type { NewEvent } from "../webhook/Event.ts"
import type { Conversation } from "./Conversation.ts"
import type { ChangedField } from "./ConversationChange.ts"
import { conversationRow } from "./ConversationRow.ts"
import { type Message, preview } from "./Message.ts"

/**
 * Builds the outbound event for a new or changed message of a conversation. `conversation` is the row of the list after
 * the change, and `extra` contains the details.
 */
export const conversationEvent = (
  message: Message,
  conversation: Conversation,
  extra: Readonly<Record<string, unknown>> = {}
): NewEvent => ({
  type: "conversation.updated",
  tenantId: message.tenantId,
  data: {
    contact_id: message.contactId,
    message_id: message.messageId,
    lead_id: message.leadId,
    channel: message.channel,
    actor: message.actor,
    preview: preview(message.body),
    ...extra,
    conversation: conversationRow(conversation)
  }
})

/** Builds the outbound event for a change of the inbox state. The message is the newest one of the conversation. */
export const inboxEvent = (
  tenantId: string,
  conversation: Conversation,
  changes: ReadonlyArray<ChangedField>,
  actor: "agent" | "system"
): NewEvent => ({
  type: "conversation.updated",
  tenantId,
  data: {
    contact_id: conversation.contactId,
    message_id: conversation.lastMessageId,
    lead_id: conversation.leadId,
    channel: conversation.lastChannel,
    actor,
    preview: conversation.lastMessage,
    changes,
    conversation: conversationRow(conversation)
  }
})
