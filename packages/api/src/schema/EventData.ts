import { leadStates } from "@leadloom/core/domain/lead/LeadState"
import { tiers } from "@leadloom/core/domain/lead/Score"
import { type EventType, eventTypes } from "@leadloom/core/domain/webhook/Event"
import { Schema } from "effect"
import { Channel } from "./Field.ts"
import { Classification } from "./PipelineFields.ts"

/** The type of an outbound event. */
export const EventName = Schema.Literals(eventTypes).annotate({ identifier: "EventType" })

const Text = Schema.String
const Maybe = Schema.NullOr(Schema.String)
const State = Schema.Literals(leadStates)
const Tier = Schema.Literals(tiers)

const ContactData = Schema.Struct({
  contact_id: Text,
  name: Maybe,
  email: Maybe,
  phone: Maybe,
  company: Maybe,
  tags: Schema.Array(Text),
  archived: Schema.Boolean,
  merged_into: Maybe.annotate({ description: "The contact into which this one was merged" })
})

const lead = {
  lead_id: Text,
  contact_id: Text,
  thread_id: Maybe,
  channel: Channel,
  source: Text,
  subject: Maybe,
  state: State,
  score: Schema.NullOr(Schema.Finite),
  tier: Schema.NullOr(Tier)
}

const message = {
  message_id: Text.annotate({ description: "The message that caused the event" }),
  preview: Text.annotate({ description: "The first characters of the message" })
}

const LeadReceived = Schema.Struct({
  ...lead,
  message_id: Schema.optionalKey(message.message_id),
  preview: Schema.optionalKey(message.preview)
})

const LeadScored = Schema.Struct({
  ...lead,
  factors: Schema.Array(Schema.Struct({ name: Text, points: Schema.Finite })),
  recommended_actions: Schema.Array(Text),
  classification: Schema.NullOr(Classification)
})

const LeadStateChanged = Schema.Struct({
  ...lead,
  previous_state: Schema.optionalKey(State),
  reason: Maybe
})

const ConversationUpdated = Schema.Struct({
  contact_id: Text,
  lead_id: Maybe,
  channel: Channel,
  actor: Schema.Literals(["contact", "agent", "assistant", "system"]),
  ...message,
  subject_contact_id: Schema.optionalKey(Maybe).annotate({
    description:
      "Present if a person has labelled the contact that the message concerns. null: the person removed the label, so the message concerns its sender"
  })
})

const RuleNotified = Schema.Struct({
  rule_id: Text,
  to: Maybe.annotate({ description: "The recipient as written in the rule" }),
  text: Text.annotate({ description: "The text that the template of the rule produced" }),
  contact_id: Text,
  lead_id: Maybe,
  signal_id: Text,
  ...message
})

const CrmSignedOut = Schema.Struct({ location_id: Text, reason: Text })

const GrantExpired = Schema.Struct({ grant_id: Text, provider: Text, email: Text, reason: Text })

/** The `data` of an event whose contact was erased. */
const Redacted = Schema.Struct({ redacted: Schema.Literal(true) }).annotate({
  description: "The contact of the event has been erased"
})

/** The schema of `data` for each event type. After the erasure of a contact, `data` is `Redacted`. */
export const eventData = {
  "lead.received": LeadReceived,
  "lead.scored": LeadScored,
  "lead.tier_changed": Schema.Struct({ ...lead, previous_tier: Tier }),
  "lead.state_changed": LeadStateChanged,
  "lead.contact_replied": Schema.Struct({ ...lead, ...message }),
  "contact.created": ContactData,
  "contact.updated": ContactData,
  "conversation.updated": ConversationUpdated,
  "rule.notified": RuleNotified,
  "grant.expired": GrantExpired,
  "crm.signed_out": CrmSignedOut
} satisfies Readonly<Record<EventType, Schema.Top>>

const pascal = (type: string): string =>
  type
    .split(/[._]/u)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")

const envelope = <const Type extends EventType, Data extends Schema.Top>(type: Type, data: Data) =>
  Schema.Struct({
    event_id: Schema.String.annotate({
      description: "The same on every attempt, so that receivers can recognise duplicates"
    }),
    event_type: Schema.Literal(type),
    tenant_id: Schema.String,
    timestamp: Schema.Int.annotate({ description: "The time of the event, in Unix epoch milliseconds" }),
    data: Schema.Union([data, Redacted])
  }).annotate({ identifier: `${pascal(type)}Event` })

/** The delivery body of each event type, in the envelope of the specification. */
export const eventEnvelopes = {
  "lead.received": envelope("lead.received", eventData["lead.received"]),
  "lead.scored": envelope("lead.scored", eventData["lead.scored"]),
  "lead.tier_changed": envelope("lead.tier_changed", eventData["lead.tier_changed"]),
  "lead.state_changed": envelope("lead.state_changed", eventData["lead.state_changed"]),
  "lead.contact_replied": envelope("lead.contact_replied", eventData["lead.contact_replied"]),
  "contact.created": envelope("contact.created", eventData["contact.created"]),
  "contact.updated": envelope("contact.updated", eventData["contact.updated"]),
  "conversation.updated": envelope("conversation.updated", eventData["conversation.updated"]),
  "rule.notified": envelope("rule.notified", eventData["rule.notified"]),
  "grant.expired": envelope("grant.expired", eventData["grant.expired"]),
  "crm.signed_out": envelope("crm.signed_out", eventData["crm.signed_out"])
} satisfies Readonly<Record<EventType, Schema.Top>>

/** Any outbound event, as delivered to webhooks and returned by `GET …/events`. */
export const EventEnvelope = Schema.Union(Object.values(eventEnvelopes)).annotate({ identifier: "EventEnvelope" })
