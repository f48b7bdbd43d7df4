import type { Change } from "../webhook/Change.ts"
import type { NewEvent } from "../webhook/Event.ts"
import type { Task } from "./Task.ts"

const isoOrNull = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

/** Returns the outbound event about a task. */
export const taskEvent = (
  type: "task.created" | "task.updated" | "task.completed" | "task.reminder",
  task: Task
): NewEvent => ({
  type,
  tenantId: task.tenantId,
  data: {
    task_id: task.taskId,
    contact_id: task.contactId,
    lead_id: task.leadId,
    type: task.type,
    status: task.status,
    priority: task.priority,
    title: task.title,
    due_at: isoOrNull(task.dueAt),
    assignee_id: task.assigneeId,
    team_id: task.teamId,
    disposition: task.disposition
  }
})

/** Returns the change of the due time of a task. Empty without a contact, without a due time, or if it is the same. */
const dueChanges = (before: Task | null, { contactId, dueAt, leadId, taskId, type }: Task): ReadonlyArray<Change> => {
  const was = before?.dueAt ?? null
  if (contactId === null || dueAt === null || dueAt === was) return []
  const [from, to] = [isoOrNull(was), isoOrNull(dueAt)]
  return [{ type: "task_due", contactId, leadId, task: { taskId, type, dueAt }, field: "due_at", from, to }]
}

/** Builds the outbound event for a new or changed task, with the changes to which rules react. */
export const taskChangeEvent = (
  type: "task.created" | "task.updated" | "task.completed",
  before: Task | null,
  after: Task
): NewEvent => ({ ...taskEvent(type, after), changes: dueChanges(before, after) })
