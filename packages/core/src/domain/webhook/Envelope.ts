import type { OutboundEvent } from "./Event.ts"

/** An event as partners read it: the envelope of the specification ("Outbound webhook delivery envelope"). */
export const eventEnvelope = ({ data, eventId, tenantId, timestamp, type }: OutboundEvent) => ({
  event_id: eventId,
  event_type: type,
  tenant_id: tenantId,
  timestamp,
  data
})

/**
 * FROZEN: receivers read it. The body of a delivery as it is signed and sent, the same on every attempt, without white
 * space.
 */
export const envelopeOf = (event: OutboundEvent): string => JSON.stringify(eventEnvelope(event))
