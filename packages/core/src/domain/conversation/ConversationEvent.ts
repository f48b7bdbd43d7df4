import type { NewEvent } from "../webhook/Event.ts"
import { type Message, preview } from "./Message.ts"

/** Builds the outbound event for a new or changed message of a conversation. `extra` contains the details. */
export const conversationEvent = (message: Message, extra: Readonly<Record<string, unknown>> = {}): NewEvent => ({
  type: "conversation.updated",
  tenantId: message.tenantId,
  data: {
    contact_id: message.contactId,
    message_id: message.messageId,
    lead_id: message.leadId,
    channel: message.channel,
    actor: message.actor,
    preview: preview(message.body),
    ...extra
  }
})
