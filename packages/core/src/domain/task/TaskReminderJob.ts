import type { TaskId } from "../Id.ts"

/** A job that reminds of a task at its `remindAt`. */
export interface TaskReminderJob {
  readonly kind: "task_reminder"
  readonly taskId: TaskId
}
