import { preview } from "../conversation/Message.ts"
import type { NewEvent } from "../webhook/Event.ts"
import type { ScheduledSend, ScheduledState } from "./ScheduledSend.ts"

/** The event of each state into which a scheduled message changes. */
const types = {
  scheduled: "scheduled_message.updated",
  sent: "scheduled_message.sent",
  canceled: "scheduled_message.canceled",
  failed: "scheduled_message.failed"
} as const satisfies Readonly<Record<ScheduledState, NewEvent["type"]>>

/** Returns the outbound event about a new or changed scheduled message. */
export const scheduledEvent = (
  { composition, contactId, messageId, reason, sendAt, state, tenantId, version }: ScheduledSend,
  isNew = false
): NewEvent => ({
  type: isNew ? "scheduled_message.created" : types[state],
  tenantId,
  data: {
    message_id: messageId,
    contact_id: contactId,
    channel: composition.channel,
    state,
    send_at: new Date(sendAt).toISOString(),
    version,
    reason,
    preview: preview(composition.body)
  }
})
