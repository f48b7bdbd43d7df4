import type { EventId } from "../Id.ts"
import type { OutboundEvent } from "../webhook/Event.ts"
import { type Message, preview } from "./Message.ts"

/** Tells that a conversation has a new message, or that one of it has changed; `extra` says what. */
export const conversationEvent = (
  message: Message,
  eventId: EventId,
  now: number,
  extra: Readonly<Record<string, unknown>> = {}
): OutboundEvent => ({
  eventId,
  type: "conversation.updated",
  tenantId: message.tenantId,
  timestamp: now,
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
