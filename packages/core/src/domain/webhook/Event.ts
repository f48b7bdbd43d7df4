import type { EventId } from "../Id.ts"
import type { TenantId } from "../TenantId.ts"

/** What partner applications are told of. */
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

/** Every event type. */
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

/** One thing that happened, written in the same unit of work as the change it tells of. */
export interface OutboundEvent {
  readonly eventId: EventId
  readonly type: EventType
  readonly tenantId: TenantId
  /** Epoch milliseconds. */
  readonly timestamp: number
  /** JSON in the words of the wire (`snake_case`): partners get it as it stands here. */
  readonly data: Readonly<Record<string, unknown>>
}

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
