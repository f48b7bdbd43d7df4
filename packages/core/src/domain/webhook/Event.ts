import { Schema } from "effect"
import { Time, unchecked } from "../Field.ts"
import { EventId } from "../Id.ts"
import type { Change } from "./Change.ts"

/** All event types. */
export const eventTypes = [
  "lead.received",
  "lead.updated",
  "lead.scored",
  "lead.tier_changed",
  "lead.state_changed",
  "lead.stage_changed",
  "lead.assigned",
  "lead.contact_replied",
  "contact.created",
  "contact.updated",
  "conversation.updated",
  "user.created",
  "user.updated",
  "user.deactivated",
  "team.created",
  "team.updated",
  "team.deleted",
  "thread.corrected",
  "note.created",
  "note.updated",
  "note.deleted",
  "draft.created",
  "draft.updated",
  "draft.approved",
  "draft.dismissed",
  "message.sent",
  "message.delivered",
  "message.bounced",
  "message.failed",
  "scheduled_message.created",
  "scheduled_message.updated",
  "scheduled_message.canceled",
  "scheduled_message.sent",
  "scheduled_message.failed",
  "sequence.enrolled",
  "sequence.step_sent",
  "sequence.completed",
  "sequence.stopped",
  "sequence.held_out",
  "sequence.enrolment_paused",
  "sequence.enrolment_resumed",
  "sequence.step_skipped",
  "sequence.paused",
  "sequence.resumed",
  "link.opened",
  "task.created",
  "task.updated",
  "task.completed",
  "task.reminder",
  "rule.notified",
  "grant.expired",
  "email.connection_failed",
  "crm.signed_out"
] as const

/** The type of an outbound event. */
export type EventType = (typeof eventTypes)[number]

/** A reported change, written in the same unit of work as the change. */
export class OutboundEvent extends Schema.Opaque<OutboundEvent>()(
  Schema.Struct({
    eventId: EventId,
    type: Schema.Literals(eventTypes),
    tenantId: Schema.String,
    timestamp: Time,
    /** JSON in wire format (`snake_case`). Partners receive it unchanged. */
    data: unchecked<Readonly<Record<string, unknown>>>()
  })
) {}

/** An event before the outbox records it and assigns its id and time. */
export interface NewEvent extends Omit<OutboundEvent, "eventId" | "timestamp"> {
  /** The changes to which rules react. Partners do not receive them. */
  readonly changes?: ReadonlyArray<Change>
}

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
