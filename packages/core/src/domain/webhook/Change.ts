import type { FieldValue } from "../field/FieldValues.ts"
import type { ContactId, LeadId, TaskId } from "../Id.ts"

/** The types of changes to which rules react. */
export type ChangeType =
  | "lead_state_changed"
  | "lead_stage_changed"
  | "tag_added"
  | "tag_removed"
  | "field_changed"
  | "score_reached"
  | "task_due"

/** A change of one value of a contact, a lead or a task. Events name them, and rules react to them. */
export interface Change {
  readonly type: ChangeType
  readonly contactId: ContactId
  /** The lead that changed. Null: the contact, or a task without a lead. */
  readonly leadId: LeadId | null
  readonly task: { readonly taskId: TaskId; readonly type: string; readonly dueAt: number } | null
  /** The changed field: `state`, `stage_id`, `score`, `tags`, `due_at` or the key of a custom field. */
  readonly field: string
  readonly from: FieldValue | null
  readonly to: FieldValue | null
  /** The former place of a removed tag in the list of tags, from 0. */
  readonly place?: number
}
