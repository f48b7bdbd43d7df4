import { Schema } from "effect"
import { Actor, type Message } from "../conversation/Message.ts"
import { ActivityId, ContactId, LeadId, UserId } from "../Id.ts"
import type { Note } from "../note/Note.ts"
import type { Task } from "../task/Task.ts"
import { Time, UserName } from "../Field.ts"

/** The types of timeline entries without another record. Messages, tasks and notes have their own records. */
export const activityTypes = [
  "lead_scored",
  "lead_state_changed",
  "lead_stage_changed",
  "lead_assigned",
  "tag_added",
  "tag_removed",
  "field_changed",
  "conversation_closed",
  "conversation_reopened",
  "notes_changed",
  "contact_archived",
  "contact_restored",
  "contact_merged",
  "contact_unmerged",
  "opted_out",
  "opted_in",
  "identity_added",
  "identity_changed",
  "identity_removed"
] as const

export type ActivityType = (typeof activityTypes)[number]

/** An event of a contact or of one of its leads. */
export class Activity extends Schema.Opaque<Activity>()(
  Schema.Struct({
    activityId: ActivityId,
    tenantId: Schema.String,
    contactId: ContactId,
    leadId: Schema.NullOr(LeadId),
    type: Schema.Literals(activityTypes),
    actor: Actor,
    /** The user who caused the event; null: not a user. */
    userId: Schema.NullOr(UserId),
    userName: UserName,
    at: Time.annotate({ column: "happened_at" }),
    /** Details in the wire format (`snake_case`). The timeline returns these details unchanged. */
    data: Schema.Record(Schema.String, Schema.Unknown)
  })
) {}

export type TimelineEntry =
  | { readonly _tag: "Message"; readonly at: number; readonly id: string; readonly message: Message }
  | { readonly _tag: "Task"; readonly at: number; readonly id: string; readonly task: Task }
  | { readonly _tag: "Note"; readonly at: number; readonly id: string; readonly note: Note }
  | { readonly _tag: "Activity"; readonly at: number; readonly id: string; readonly activity: Activity }

/** The position of a timeline entry. The id orders entries of the same time, whatever their type. */
export interface TimelineKey {
  readonly at: number
  readonly id: string
}
