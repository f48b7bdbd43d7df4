import { Delivery } from "@leadloom/core/internal/domain/conversation/Message"
import { scheduledStates } from "@leadloom/core/internal/domain/sending/ScheduledSend"
import { FieldValues } from "@leadloom/core/internal/domain/field/FieldValues"
import { correctionKinds } from "@leadloom/core/internal/domain/email/thread/ThreadCorrection"
import { leadStates } from "@leadloom/core/internal/domain/lead/LeadState"
import { tiers } from "@leadloom/core/internal/domain/lead/Score"
import { taskPriorities, taskStatuses, taskTypes } from "@leadloom/core/internal/domain/task/Task"
import { type EventType, eventTypes } from "@leadloom/core/internal/domain/webhook/Event"
import { userRoles } from "@leadloom/core/internal/domain/user/User"
import { Schema } from "effect"
import { Conversation } from "./ConversationRow.ts"
import { Channel } from "./Field.ts"
import { Classification } from "./PipelineFields.ts"
import { leadUpdateData } from "./LeadUpdateData.ts"
import { sequenceEventData } from "./SequenceData.ts"
import { contactId, leadId, locationId, signalId, teamId, tenantId, userId } from "./Ids.ts"

/** The type of an outbound event. */
export const EventName = Schema.Literals(eventTypes).annotate({
  identifier: "EventType",
  description: "The type of an outbound event"
})

const Text = Schema.String
const Maybe = Schema.NullOr(Schema.String)
const State = Schema.Literals(leadStates)
const Tier = Schema.Literals(tiers)

const ContactData = Schema.Struct({
  contact_id: contactId,
  name: Maybe.annotate({ description: "The name of the contact; null: unknown" }),
  email: Maybe.annotate({ description: "The email address of the contact; null: unknown" }),
  phone: Maybe.annotate({ description: "The phone number in E.164 if it is valid, otherwise as given; null: unknown" }),
  company: Maybe.annotate({ description: "The business of the contact; null: unknown" }),
  company_id: Maybe.annotate({ description: "The company to which the contact belongs; null: none" }),
  tags: Schema.Array(Text).annotate({ description: "The tags of the contact" }),
  custom_fields: FieldValues.annotate({ description: "The values of the contact's custom fields, by key" }),
  archived: Schema.Boolean.annotate({ description: "Whether the contact is archived" }),
  merged_into: Maybe.annotate({ description: "The contact into which this one was merged" })
})

const lead = {
  lead_id: leadId,
  contact_id: contactId,
  thread_id: Maybe.annotate({ description: "The email thread of the lead; null: not an email lead" }),
  channel: Channel,
  source: Text.annotate({ description: "The origin of the lead, for example `email` or a source id" }),
  subject: Maybe.annotate({ description: "The subject of the lead; null: none" }),
  state: State.annotate({ description: "The state of the lead after the event" }),
  score: Schema.NullOr(Schema.Finite).annotate({ description: "The score of the lead, 0 to 100; null: not scored" }),
  tier: Schema.NullOr(Tier).annotate({ description: "The tier of the lead; null: not scored" })
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
  factors: Schema.Array(
    Schema.Struct({
      name: Text.annotate({ description: "The cue in the message, for example `price_question`" }),
      points: Schema.Finite.annotate({ description: "The points of this factor, possibly negative" })
    })
  ).annotate({ description: "The components of the score" }),
  recommended_actions: Schema.Array(Text).annotate({ description: "Recommended next steps, most urgent first" }),
  classification: Schema.NullOr(Classification).annotate({
    description: "The classification of the message; null: not classified"
  })
})

const LeadStateChanged = Schema.Struct({
  ...lead,
  previous_state: Schema.optionalKey(State).annotate({ description: "The state before the change" }),
  reason: Maybe.annotate({ description: "Why the state changed; null: not stated" })
})

const LeadStageChanged = Schema.Struct({
  ...lead,
  pipeline_id: Text.annotate({ description: "The pipeline of the lead after the change (`pip_…`)" }),
  stage_id: Text.annotate({ description: "The stage of the lead after the change (`stg_…`)" }),
  stage_name: Text.annotate({ description: "The name of that stage" }),
  previous_pipeline_id: Text.annotate({ description: "The pipeline before the change" }),
  previous_stage_id: Text.annotate({ description: "The stage before the change" }),
  reason: Maybe.annotate({ description: "Why the stage changed; null: not stated" })
})

const LeadAssigned = Schema.Struct({
  ...lead,
  assignee_id: Maybe.annotate({ description: "The user who is responsible now; null: no user" }),
  team_id: Maybe.annotate({ description: "The team that is responsible now; null: no team" }),
  previous_assignee_id: Maybe.annotate({ description: "The user who was responsible before; null: no user" }),
  previous_team_id: Maybe.annotate({ description: "The team that was responsible before; null: no team" }),
  reason: Maybe.annotate({ description: "Why the assignment changed; null: by a request" })
})

const ConversationUpdated = Schema.Struct({
  contact_id: contactId,
  lead_id: Maybe.annotate({ description: "The lead of the message; null: none" }),
  channel: Channel,
  actor: Schema.Literals(["contact", "agent", "assistant", "system"]).annotate({
    description: "The author of the message"
  }),
  ...message,
  changes: Schema.optionalKey(Schema.Array(Text)).annotate({
    description: "Present if the inbox state changed: the names of the changed fields of `conversation`"
  }),
  conversation: Schema.optionalKey(Conversation).annotate({
    description:
      "The row of the conversation list after the event, with the shared unread state. Absent in events of earlier versions"
  }),
  subject_contact_id: Schema.optionalKey(Maybe).annotate({
    description:
      "Present if a person has labelled the contact that the message concerns. null: the person removed the label, so the message concerns its sender"
  })
})

const UserData = Schema.Struct({
  user_id: userId,
  name: Text.annotate({ description: "The name of the user" }),
  email: Maybe.annotate({ description: "The address of the user; null: unknown" }),
  role: Schema.Literals(userRoles).annotate({ description: "The role of the user" }),
  active: Schema.Boolean.annotate({ description: "false: the user is deactivated" })
})

const TeamData = Schema.Struct({
  team_id: teamId,
  name: Text.annotate({ description: "The name of the team" }),
  member_ids: Schema.Array(Text).annotate({ description: "The ids of the members" })
})

const ThreadCorrected = Schema.Struct({
  correction_id: Text.annotate({ description: "Id of the correction (`cor_…`)" }),
  kind: Schema.Literals(correctionKinds).annotate({
    description: "split: a message and its answers; move: one message; join: whole threads"
  }),
  thread_id: Text.annotate({ description: "The thread that received the messages (`thr_…`)" }),
  from_thread_ids: Schema.Array(Text).annotate({ description: "The threads that the messages left" }),
  message_id: Maybe.annotate({
    description: "The message that was moved or at which the thread was split; null: a join"
  }),
  undone: Schema.Boolean.annotate({ description: "True if the correction was undone, so the messages moved back" })
})

const NoteData = Schema.Struct({
  note_id: Text.annotate({ description: "Note id (`note_…`)" }),
  contact_id: contactId,
  author_id: Maybe.annotate({ description: "The user who wrote the note; null: the caller was not a user" }),
  author: Text.annotate({ description: "The credential that wrote the note" }),
  preview: Text.annotate({ description: "The first characters of the note" }),
  mentions: Schema.Array(Text).annotate({
    description: "The mentioned users, including the members of mentioned teams"
  }),
  new_mentions: Schema.Array(Text).annotate({
    description: "The users whom the previous text of the note did not mention; notify only these users"
  }),
  team_mentions: Schema.Array(Text).annotate({ description: "The mentioned teams" })
})

const DraftData = Schema.Struct({
  draft_id: Text.annotate({ description: "Draft id (`draft_…`)" }),
  contact_id: contactId,
  author: Schema.Literals(["assistant", "agent"]).annotate({
    description: "assistant: a reply of the pipeline that waits for approval; agent: a draft that people write"
  }),
  channel: Channel,
  answers_message_id: Maybe.annotate({ description: "The message that the draft answers; null: the newest one" }),
  version: Schema.NullOr(Schema.Int).annotate({
    description: "The version of a draft that people write; null: a reply of the pipeline"
  }),
  preview: Text.annotate({ description: "The first characters of the draft" })
})

const DeliveryData = Schema.Struct({
  message_id: Text.annotate({ description: "The outbound message (`msg_…`)" }),
  contact_id: contactId,
  lead_id: Maybe.annotate({ description: "The lead of the message; null: none" }),
  channel: Channel,
  delivery: Delivery.annotate({ description: "The delivery state of the message after the event" }),
  reason: Maybe.annotate({ description: "The response of the provider or the cause; null: not stated" })
})

const ScheduledData = Schema.Struct({
  message_id: Text.annotate({ description: "The id of the scheduled message, which the sent message will have" }),
  contact_id: contactId,
  channel: Channel,
  state: Schema.Literals(scheduledStates).annotate({ description: "The state after the event" }),
  send_at: Text.annotate({ description: "The time of the send (ISO 8601 in UTC)" }),
  version: Schema.Int.annotate({ description: "The version of the message; every edit increases it" }),
  reason: Maybe.annotate({
    description: "Why the message was canceled, failed or moved to another time; null: none of these"
  }),
  preview: Text.annotate({ description: "The first characters of the message" })
})

const TaskData = Schema.Struct({
  task_id: Text.annotate({ description: "Task id (`task_…`)" }),
  contact_id: Maybe.annotate({ description: "The contact that the task concerns; null: none" }),
  lead_id: Maybe.annotate({ description: "The lead that the task concerns; null: none" }),
  type: Schema.Literals(taskTypes).annotate({ description: "The kind of work" }),
  status: Schema.Literals(taskStatuses).annotate({ description: "The status of the task" }),
  priority: Schema.Literals(taskPriorities).annotate({ description: "The urgency of the task" }),
  title: Text.annotate({ description: "A short instruction for the person" }),
  due_at: Maybe.annotate({ description: "The time by which the task should be done (ISO 8601); null: no due date" }),
  assignee_id: Maybe.annotate({ description: "The user who should do the task; null: none" }),
  team_id: Maybe.annotate({ description: "The team that should do the task; null: none" }),
  disposition: Maybe.annotate({ description: "The outcome of the task; null: none" })
})

const RuleNotified = Schema.Struct({
  rule_id: Text.annotate({ description: "The rule or macro that requested the notification" }),
  to: Maybe.annotate({ description: "The recipient as written in the rule" }),
  text: Text.annotate({ description: "The text that the template of the rule produced" }),
  contact_id: contactId,
  lead_id: Maybe.annotate({ description: "The lead of the message; null: none" }),
  signal_id: Schema.NullOr(signalId).annotate({
    description: "The inbound message on its way through the pipeline; null: a macro requested the notification"
  }),
  message_id: Maybe.annotate({ description: "The newest message of the conversation; null: there is none" }),
  preview: message.preview
})

const CrmSignedOut = Schema.Struct({
  location_id: locationId,
  reason: Text.annotate({ description: "Why the CRM rejected the stored tokens" })
})

const GrantExpired = Schema.Struct({
  grant_id: Text.annotate({ description: "Id of the connected account (`grant_…`)" }),
  provider: Text.annotate({ description: "The provider of the account" }),
  email: Text.annotate({ description: "The address of the account" }),
  reason: Text.annotate({ description: "Why the access ended" })
})

const ConnectionFailed = Schema.Struct({
  grant_id: Text.annotate({ description: "Id of the connected account (`grant_…`)" }),
  provider: Text.annotate({ description: "The provider of the account" }),
  email: Text.annotate({ description: "The address of the account" }),
  error: Text.annotate({ description: "The last error, for people" }),
  failing_since: Text.annotate({ description: "The time of the first failure (ISO 8601 in UTC)" }),
  last_sync_at: Schema.NullOr(Text).annotate({ description: "The time of the last sync; null: none yet" })
})

/** The `data` of an event whose contact was erased. */
const Redacted = Schema.Struct({ redacted: Schema.Literal(true).annotate({ description: "Always true" }) }).annotate({
  description: "The contact of the event has been erased"
})

/** The schema of `data` for each event type. After the erasure of a contact, `data` is `Redacted`. */
export const eventData = {
  "lead.received": LeadReceived,
  "lead.updated": Schema.Struct({ ...lead, ...leadUpdateData }),
  "lead.scored": LeadScored,
  "lead.tier_changed": Schema.Struct({
    ...lead,
    previous_tier: Tier.annotate({ description: "The tier before the change" })
  }),
  "lead.state_changed": LeadStateChanged,
  "lead.stage_changed": LeadStageChanged,
  "lead.assigned": LeadAssigned,
  "lead.contact_replied": Schema.Struct({ ...lead, ...message }),
  "contact.created": ContactData,
  "contact.updated": ContactData,
  "conversation.updated": ConversationUpdated,
  "user.created": UserData,
  "user.updated": UserData,
  "user.deactivated": UserData,
  "team.created": TeamData,
  "team.updated": TeamData,
  "team.deleted": TeamData,
  "thread.corrected": ThreadCorrected,
  "note.created": NoteData,
  "note.updated": NoteData,
  "note.deleted": NoteData,
  "draft.created": DraftData,
  "draft.updated": DraftData,
  "draft.approved": DraftData,
  "draft.dismissed": DraftData,
  "message.sent": DeliveryData,
  "message.delivered": DeliveryData,
  "message.bounced": DeliveryData,
  "message.failed": DeliveryData,
  "scheduled_message.created": ScheduledData,
  "scheduled_message.updated": ScheduledData,
  "scheduled_message.canceled": ScheduledData,
  "scheduled_message.sent": ScheduledData,
  "scheduled_message.failed": ScheduledData,
  ...sequenceEventData,
  "task.created": TaskData,
  "task.updated": TaskData,
  "task.completed": TaskData,
  "task.reminder": TaskData,
  "rule.notified": RuleNotified,
  "grant.expired": GrantExpired,
  "email.connection_failed": ConnectionFailed,
  "crm.signed_out": CrmSignedOut
} satisfies Readonly<Record<EventType, Schema.Struct<Schema.Struct.Fields>>>

const pascal = (type: string): string =>
  type
    .split(/[._]/u)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")

/** The user who caused an event. Absent for events that no user caused. */
const byUser = {
  acting_user_id: Schema.optionalKey(Text).annotate({
    description: "The user who caused the event (`usr_…`); absent: not caused by a user of the tenant"
  })
}

const envelope = <const Type extends EventType, Fields extends Schema.Struct.Fields>(
  type: Type,
  data: Schema.Struct<Fields>
) =>
  Schema.Struct({
    event_id: Schema.String.annotate({
      description: "The same on every attempt, so that receivers can recognise duplicates"
    }),
    event_type: Schema.Literal(type).annotate({ description: "The type of the event; it determines `data`" }),
    tenant_id: tenantId,
    timestamp: Schema.Int.annotate({ description: "The time of the event, in Unix epoch milliseconds" }),
    data: Schema.Union([Schema.Struct({ ...data.fields, ...byUser }), Redacted]).annotate({
      description: "The content of the event; `redacted` after the erasure of its contact"
    })
  }).annotate({
    identifier: `${pascal(type)}Event`,
    description: `The event \`${type}\` in the envelope of webhook deliveries`
  })

/** The delivery body of each event type, in the envelope of the specification. */
export const eventEnvelopes = {
  "lead.received": envelope("lead.received", eventData["lead.received"]),
  "lead.updated": envelope("lead.updated", eventData["lead.updated"]),
  "lead.scored": envelope("lead.scored", eventData["lead.scored"]),
  "lead.tier_changed": envelope("lead.tier_changed", eventData["lead.tier_changed"]),
  "lead.state_changed": envelope("lead.state_changed", eventData["lead.state_changed"]),
  "lead.stage_changed": envelope("lead.stage_changed", eventData["lead.stage_changed"]),
  "lead.assigned": envelope("lead.assigned", eventData["lead.assigned"]),
  "lead.contact_replied": envelope("lead.contact_replied", eventData["lead.contact_replied"]),
  "contact.created": envelope("contact.created", eventData["contact.created"]),
  "contact.updated": envelope("contact.updated", eventData["contact.updated"]),
  "conversation.updated": envelope("conversation.updated", eventData["conversation.updated"]),
  "user.created": envelope("user.created", eventData["user.created"]),
  "user.updated": envelope("user.updated", eventData["user.updated"]),
  "user.deactivated": envelope("user.deactivated", eventData["user.deactivated"]),
  "team.created": envelope("team.created", eventData["team.created"]),
  "team.updated": envelope("team.updated", eventData["team.updated"]),
  "team.deleted": envelope("team.deleted", eventData["team.deleted"]),
  "thread.corrected": envelope("thread.corrected", eventData["thread.corrected"]),
  "note.created": envelope("note.created", eventData["note.created"]),
  "note.updated": envelope("note.updated", eventData["note.updated"]),
  "note.deleted": envelope("note.deleted", eventData["note.deleted"]),
  "draft.created": envelope("draft.created", eventData["draft.created"]),
  "draft.updated": envelope("draft.updated", eventData["draft.updated"]),
  "draft.approved": envelope("draft.approved", eventData["draft.approved"]),
  "draft.dismissed": envelope("draft.dismissed", eventData["draft.dismissed"]),
  "message.sent": envelope("message.sent", eventData["message.sent"]),
  "message.delivered": envelope("message.delivered", eventData["message.delivered"]),
  "message.bounced": envelope("message.bounced", eventData["message.bounced"]),
  "message.failed": envelope("message.failed", eventData["message.failed"]),
  "scheduled_message.created": envelope("scheduled_message.created", eventData["scheduled_message.created"]),
  "scheduled_message.updated": envelope("scheduled_message.updated", eventData["scheduled_message.updated"]),
  "scheduled_message.canceled": envelope("scheduled_message.canceled", eventData["scheduled_message.canceled"]),
  "scheduled_message.sent": envelope("scheduled_message.sent", eventData["scheduled_message.sent"]),
  "scheduled_message.failed": envelope("scheduled_message.failed", eventData["scheduled_message.failed"]),
  "sequence.enrolled": envelope("sequence.enrolled", eventData["sequence.enrolled"]),
  "sequence.step_sent": envelope("sequence.step_sent", eventData["sequence.step_sent"]),
  "sequence.completed": envelope("sequence.completed", eventData["sequence.completed"]),
  "sequence.stopped": envelope("sequence.stopped", eventData["sequence.stopped"]),
  "sequence.held_out": envelope("sequence.held_out", eventData["sequence.held_out"]),
  "sequence.enrolment_paused": envelope("sequence.enrolment_paused", eventData["sequence.enrolment_paused"]),
  "sequence.enrolment_resumed": envelope("sequence.enrolment_resumed", eventData["sequence.enrolment_resumed"]),
  "sequence.step_skipped": envelope("sequence.step_skipped", eventData["sequence.step_skipped"]),
  "sequence.paused": envelope("sequence.paused", eventData["sequence.paused"]),
  "sequence.resumed": envelope("sequence.resumed", eventData["sequence.resumed"]),
  "link.opened": envelope("link.opened", eventData["link.opened"]),
  "task.created": envelope("task.created", eventData["task.created"]),
  "task.updated": envelope("task.updated", eventData["task.updated"]),
  "task.completed": envelope("task.completed", eventData["task.completed"]),
  "task.reminder": envelope("task.reminder", eventData["task.reminder"]),
  "rule.notified": envelope("rule.notified", eventData["rule.notified"]),
  "grant.expired": envelope("grant.expired", eventData["grant.expired"]),
  "email.connection_failed": envelope("email.connection_failed", eventData["email.connection_failed"]),
  "crm.signed_out": envelope("crm.signed_out", eventData["crm.signed_out"])
} satisfies Readonly<Record<EventType, Schema.Top>>

/** Any outbound event, as delivered to webhooks and returned by `GET …/events`. */
export const EventEnvelope = Schema.Union(Object.values(eventEnvelopes)).annotate({
  identifier: "EventEnvelope",
  description: "An outbound event in the format of webhook deliveries"
})
