import type { EventId } from "../Id.ts"
import type { TenantId } from "../TenantId.ts"

/** The types of outbound events. */
export type EventType =
  | "lead.received"
  | "lead.scored"
  | "lead.tier_changed"
  | "lead.state_changed"
  | "lead.contact_replied"
  | "contact.created"
  | "contact.updated"
  | "conversation.updated"
  | "rule.notified"
  | "grant.expired"
  | "crm.signed_out"

/** All event types. */
export const eventTypes: ReadonlyArray<EventType> = [
  "lead.received",
  "lead.scored",
  "lead.tier_changed",
  "lead.state_changed",
  "lead.contact_replied",
  "contact.created",
  "contact.updated",
  "conversation.updated",
  "rule.notified",
  "grant.expired",
  "crm.signed_out"
]

/** A change that is reported to partners. It is written in the same unit of work as the change. */
export interface OutboundEvent {
  readonly eventId: EventId
  readonly type: EventType
  readonly tenantId: TenantId
  /** Epoch milliseconds. */
  readonly timestamp: number
  /** The data in the wire format (`snake_case`). Partners receive it unchanged. */
  readonly data: Readonly<Record<string, unknown>>
}

/** An event before the outbox records it and assigns its id and time. */
export type NewEvent = Omit<OutboundEvent, "eventId" | "timestamp">

/** Returns the envelope that partners receive (specification, "Outbound webhook delivery envelope"). */
export const eventEnvelope = ({ data, eventId, tenantId, timestamp, type }: OutboundEvent) => ({
  event_id: eventId,
  event_type: type,
  tenant_id: tenantId,
  timestamp,
  data
})

/**
 * FROZEN, because receivers verify the signature over this text. Returns the body of a delivery: the envelope as JSON
 * without white space. All attempts have the same body.
 */
export const envelopeOf = (event: OutboundEvent): string => JSON.stringify(eventEnvelope(event))
