import { MergeHead } from "@leadloom/core/internal/domain/contact/ContactMerge"
import { Message as MessageNoun } from "@leadloom/core/internal/domain/conversation/Message"
import { Draft } from "@leadloom/core/internal/domain/draft/Draft"
import { Lead } from "@leadloom/core/internal/domain/lead/Lead"
import { Task } from "@leadloom/core/internal/domain/task/Task"
import { Schema } from "effect"
import { Contact } from "../schema/ContactRecord.ts"
import { Message } from "../inbox/Conversations.ts"
import { ContactIdentity } from "./ContactIdentities.ts"
import { Channel } from "../schema/Field.ts"
import { Classification } from "../schema/PipelineFields.ts"
import { wire } from "../schema/Wire.ts"

/** A task in the timeline of its contact. */
export const { schema: TimelineTask, toJson: timelineTaskToJson } = wire(Task, "ContactTask", {
  description: "A task in the timeline of its contact",
  id: "taskId",
  pick: ["taskId", "type", "status", "priority", "title", "leadId", "dueAt", "assigneeId", "teamId", "createdAt"]
})

/** A lead in the detail view of its contact. */
export const { schema: ContactLead, toJson: contactLeadToJson } = wire(Lead, "ContactLead", {
  description: "A lead in the detail view of its contact",
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

/** The score of a lead in the detail view of its contact. */
export const { schema: Scoring, toJson: scoringToJson } = wire(Lead, "ContactScoring", {
  description: "The score of a lead in the detail view of its contact",
  pick: ["leadId", "score", "tier", "factors", "classification"],
  schemas: {
    score: Schema.NullOr(Schema.Int),
    tier: Schema.NullOr(Schema.String),
    classification: Schema.NullOr(Schema.Struct(Classification.fields))
  }
})

/** The origin of a contact: its first message. */
export const { schema: Origin, toJson: originToJson } = wire(MessageNoun, null, {
  pick: ["channel", "source", "timestamp"],
  names: { timestamp: "at" },
  schemas: { channel: Channel }
})

/** The pending draft of a contact. */
export const { schema: ContactDraft, toJson: contactDraftToJson } = wire(Draft, null, {
  id: "draftId",
  pick: ["draftId", "channel", "text", "headMessageId", "createdAt"],
  schemas: { channel: Channel }
})

/** A merge into a contact. */
export const { schema: MergeInto, toJson: mergeIntoToJson } = wire(MergeHead, null, {
  pick: ["mergeId", "duplicateId", "mergedAt"],
  names: { duplicateId: "duplicate_contact_id" }
})

export const ContactDetail = Schema.Struct({
  contact: Contact,
  identities: Schema.Array(ContactIdentity).annotate({
    description: "All addresses, phone numbers and external ids of the contact"
  }),
  scoring: Schema.NullOr(Scoring).annotate({
    description: "The newest score of any lead of the contact"
  }),
  source: Schema.NullOr(Origin).annotate({ description: "The origin of the contact: its first message" }),
  counts: Schema.Struct({
    messages: Schema.Int.annotate({ description: "The number of messages; 1000 stands for 1000 or more" }),
    leads: Schema.Int.annotate({ description: "The number of leads; 100 stands for 100 or more" }),
    open_leads: Schema.Int.annotate({ description: "The leads that are not won, lost or archived" }),
    open_tasks: Schema.Int.annotate({ description: "The number of open tasks; 20 stands for 20 or more" })
  }).annotate({ description: "The amounts of the contact's records" }),
  open_leads: Schema.Array(ContactLead).annotate({ description: "The leads that are not won, lost or archived" }),
  messages: Schema.Array(Message).annotate({ description: "The latest 20 messages, oldest first" }),
  pending_draft: Schema.NullOr(ContactDraft).annotate({
    description: "The reply that waits for approval; null: there is none"
  }),
  open_tasks: Schema.Array(TimelineTask).annotate({ description: "The open tasks of the contact" }),
  merges: Schema.Array(MergeInto).annotate({
    description: "The merges into this contact that can be undone, latest first"
  })
}).annotate({
  identifier: "ContactDetail",
  description: "A contact with its score, source, identities, open work and latest messages"
})
