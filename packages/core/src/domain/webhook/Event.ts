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
