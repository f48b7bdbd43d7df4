import type { EventType, NewEvent } from "../webhook/Event.ts"
import type { Lead } from "./Lead.ts"

/** Builds an outbound event about a lead. `more` contains the fields that only this event type has. */
export const leadEvent = (
  type: Extract<EventType, `lead.${string}`>,
  lead: Lead,
  more: Readonly<Record<string, unknown>> = {}
): NewEvent => ({
  type,
  tenantId: lead.tenantId,
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
