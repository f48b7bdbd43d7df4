import type { EventId } from "../Id.ts"
import type { EventType, OutboundEvent } from "../webhook/Event.ts"
import type { Lead } from "./Lead.ts"

/** Tells partners of a lead. `more` adds what the event type is about. */
export const leadEvent = (
  type: Extract<EventType, `lead.${string}`>,
  lead: Lead,
  eventId: EventId,
  now: number,
  more: Readonly<Record<string, unknown>> = {}
): OutboundEvent => ({
  eventId,
  type,
  tenantId: lead.tenantId,
  timestamp: now,
  data: {
    lead_id: lead.leadId,
    contact_id: lead.contactId,
    thread_id: lead.threadId,
    channel: lead.channel,
    source: lead.source,
    subject: lead.subject,
    state: lead.state,
    score: lead.score,
    tier: lead.tier,
    ...more
  }
})
