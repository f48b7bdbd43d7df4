import type { ContactId, LeadId, SignalId, TaskId } from "../Id.ts"

/** What somebody has to do. */
export type TaskType = "reply_approval" | "callback" | "follow_up" | "review"

/** One entry of the work queue. */
export interface Task {
  readonly taskId: TaskId
  readonly tenantId: string
  readonly type: TaskType
  readonly status: "open" | "snoozed" | "done"
  readonly title: string
  readonly contactId: ContactId
  readonly leadId: LeadId | null
  readonly signalId: SignalId | null
  /** Epoch milliseconds; null: no date. */
  readonly dueAt: number | null
  readonly createdAt: number
}
