import { Schema } from "effect"
import { Contact } from "../schema/ContactRecord.ts"
import { Message } from "./Conversations.ts"
import { Channel, Timestamp } from "../schema/Field.ts"

/** A task in the timeline of its contact. */
export const TimelineTask = Schema.Struct({
  id: Schema.String,
  type: Schema.Literals(["reply_approval", "callback", "follow_up", "review"]),
  status: Schema.Literals(["open", "snoozed", "done"]),
  title: Schema.String,
  lead_id: Schema.NullOr(Schema.String),
  due_at: Schema.NullOr(Timestamp),
  created_at: Timestamp
}).annotate({ identifier: "ContactTask" })

/** A lead in the detail view of its contact. */
export const ContactLead = Schema.Struct({
  id: Schema.String,
  state: Schema.String,
  score: Schema.NullOr(Schema.Int),
  score_tier: Schema.NullOr(Schema.String),
  channel: Channel,
  source: Schema.String,
  subject: Schema.NullOr(Schema.String),
  assignee: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  last_message_at: Timestamp
}).annotate({ identifier: "ContactLead" })

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
    description: "The score of one lead of the contact: the lead with the newest scored message"
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
