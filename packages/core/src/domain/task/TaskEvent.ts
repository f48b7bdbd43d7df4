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
