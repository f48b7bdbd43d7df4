import { Lead } from "@leadloom/core/domain/lead/Lead"
import { Task } from "@leadloom/core/domain/task/Task"
import { Schema } from "effect"
import { Contact } from "../schema/ContactRecord.ts"
import { Message } from "./Conversations.ts"
import { Channel, Timestamp } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"

/** A task in the timeline of its contact. */
export const { schema: TimelineTask, toJson: timelineTaskToJson } = wire(Task, "ContactTask", {
  id: "taskId",
  omit: ["tenantId", "contactId", "signalId", "disposition", "snoozeUntil", "updatedAt"]
})

/** A lead in the detail view of its contact. */
export const { schema: ContactLead, toJson: contactLeadToJson } = wire(Lead, "ContactLead", {
  id: "leadId",
  omit: ["tenantId", "contactId", "threadId", "factors", "classification", "updatedAt", "mergedInto"],
  names: { tier: "score_tier" },
  schemas: {
    state: Schema.String,
    score: Schema.NullOr(Schema.Int),
    tier: Schema.NullOr(Schema.String),
    channel: Channel
  }
})

const Identity = Schema.Struct({
  kind: Schema.Literals(["email", "phone", "external"]),
  value: Schema.String,
  source: Schema.NullOr(Schema.String),
  undeliverable: Schema.NullOr(Schema.String).annotate({
    description: "Why messages can no longer be sent to this identity"
  })
}).annotate({ identifier: "ContactIdentity" })

const Scoring = Schema.Struct({
  lead_id: Schema.String,
  score: Schema.NullOr(Schema.Int),
  tier: Schema.NullOr(Schema.String),
  factors: Schema.Array(Schema.Struct({ name: Schema.String, points: Schema.Finite })),
  classification: Schema.NullOr(
    Schema.Struct({
      intent: Schema.String,
      urgency: Schema.String,
      sentiment: Schema.String,
      summary: Schema.String,
      confidence: Schema.Finite
    })
  )
}).annotate({ identifier: "ContactScoring" })

export const ContactDetail = Schema.Struct({
  contact: Contact,
  identities: Schema.Array(Identity),
  scoring: Schema.NullOr(Scoring).annotate({
    description: "The newest score of any lead of the contact"
  }),
  source: Schema.NullOr(Schema.Struct({ channel: Channel, source: Schema.String, at: Timestamp })).annotate({
    description: "The origin of the contact: its first message"
  }),
  counts: Schema.Struct({
    messages: Schema.Int.annotate({ description: "The number of messages; 1000 stands for 1000 or more" }),
    leads: Schema.Int.annotate({ description: "The number of leads; 100 stands for 100 or more" }),
    open_leads: Schema.Int,
    open_tasks: Schema.Int.annotate({ description: "The number of open tasks; 20 stands for 20 or more" })
  }),
  open_leads: Schema.Array(ContactLead),
  messages: Schema.Array(Message).annotate({ description: "The latest 20 messages, oldest first" }),
  pending_draft: Schema.NullOr(
    Schema.Struct({
      id: Schema.String,
      channel: Channel,
      text: Schema.String,
      head_message_id: Schema.String,
      created_at: Timestamp
    })
  ),
  open_tasks: Schema.Array(TimelineTask),
  merges: Schema.Array(
    Schema.Struct({ merge_id: Schema.String, duplicate_contact_id: Schema.String, merged_at: Timestamp })
  ).annotate({ description: "The merges into this contact that can be undone, latest first" })
}).annotate({ identifier: "ContactDetail" })
