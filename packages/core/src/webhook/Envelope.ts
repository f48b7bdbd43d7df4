import type { OutboundEvent } from "./Event.ts"

/**
 * FROZEN: receivers read it. The body of a delivery as it is signed and sent, the same on every attempt: the envelope of
 * the specification ("Outbound webhook delivery envelope"), without white space.
 */
export const envelopeOf = ({ data, eventId, tenantId, timestamp, type }: OutboundEvent): string =>
  JSON.stringify({ event_id: eventId, event_type: type, tenant_id: tenantId, timestamp, data })
