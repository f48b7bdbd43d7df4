import type { Delivery, Message } from "../conversation/Message.ts"
import type { EventType, NewEvent } from "../webhook/Event.ts"

/** The event of each delivery state. A message in another state has no outcome yet, or an unknown one. */
const types: Partial<Record<Delivery, EventType>> = {
  sent: "message.sent",
  delivered: "message.delivered",
  bounced: "message.bounced",
  failed: "message.failed"
}

/** Returns the outbound event about the delivery of a message; null if the delivery state has no event. */
export const deliveryEvent = (
  { channel, contactId, leadId, messageId, tenantId }: Message,
  delivery: Delivery,
  reason: string | null
): NewEvent | null => {
  const type = types[delivery]
  if (type === undefined) return null
  const data = { message_id: messageId, contact_id: contactId, lead_id: leadId, channel, delivery, reason }
  return { type, tenantId, data }
}
