import type { EventId } from "../Id.ts"
import type { OutboundEvent } from "../webhook/Event.ts"
import { type Message, preview } from "./Message.ts"

/** Builds the outbound event for a new or changed message of a conversation. `extra` contains the details. */
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
