import type { Actor, Message } from "../conversation/Message.ts"
import type { ActivityId, ContactId, LeadId } from "../Id.ts"
import type { Task } from "../task/Task.ts"

/** What is kept for the timeline because no other record tells of it. Messages and tasks tell of themselves. */
export const activityTypes = [
  "lead_scored",
  "lead_state_changed",
  "notes_changed",
  "contact_archived",
  "contact_restored",
  "contact_merged",
  "contact_unmerged",
  "opted_out",
  "opted_in"
] as const

export type ActivityType = (typeof activityTypes)[number]

/** Something that happened to a contact or to one of its leads. */
export interface Activity {
  readonly activityId: ActivityId
  readonly tenantId: string
  readonly contactId: ContactId
  readonly leadId: LeadId | null
  readonly type: ActivityType
  readonly actor: Actor
  /** Epoch milliseconds. */
  readonly at: number
  /** What there is to say of it, in the words of the wire (`snake_case`): a timeline shows it as it stands here. */
  readonly data: Readonly<Record<string, unknown>>
}

/** One entry of a timeline. */
export type TimelineEntry =
  | { readonly _tag: "Message"; readonly at: number; readonly id: string; readonly message: Message }
  | { readonly _tag: "Task"; readonly at: number; readonly id: string; readonly task: Task }
  | { readonly _tag: "Activity"; readonly at: number; readonly id: string; readonly activity: Activity }

/** Where a page of a timeline ends. Entries of one moment are told apart by their ids, whatever they are of. */
export interface TimelineKey {
  readonly at: number
  readonly id: string
}
