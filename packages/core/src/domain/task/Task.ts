import { Data } from "effect"
import type { ContactId, LeadId, SignalId, TaskId } from "../Id.ts"

/** Every type of task. */
export const taskTypes = ["reply_approval", "callback", "follow_up", "review"] as const

/** What somebody has to do. */
export type TaskType = (typeof taskTypes)[number]

/** Every status of a task. */
export const taskStatuses = ["open", "snoozed", "done"] as const

/** Whether a task waits for somebody, for its time, or for nobody. */
export type TaskStatus = (typeof taskStatuses)[number]

/** One entry of the work queue. */
export interface Task {
  readonly taskId: TaskId
  readonly tenantId: string
  readonly type: TaskType
  readonly status: TaskStatus
  readonly title: string
  readonly contactId: ContactId
  readonly leadId: LeadId | null
  readonly signalId: SignalId | null
  /** Epoch milliseconds; null: no date. */
  readonly dueAt: number | null
  /** What came of it, in somebody's words. */
  readonly disposition: string | null
  /** When a snoozed task comes back, epoch milliseconds; null for every other. */
  readonly snoozeUntil: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** A task that nobody has looked at yet. */
export interface NewTask extends Omit<Task, "status" | "disposition" | "snoozeUntil" | "updatedAt"> {
  readonly status: "open"
}

/** A new task as the record it becomes. */
export const beginTask = ({
  contactId,
  createdAt,
  dueAt,
  leadId,
  signalId,
  taskId,
  tenantId,
  title,
  type
}: NewTask): Task => ({
  taskId,
  tenantId,
  type,
  status: "open",
  title,
  contactId,
  leadId,
  signalId,
  dueAt,
  disposition: null,
  snoozeUntil: null,
  createdAt,
  updatedAt: createdAt
})

/** A task as it stands at a time: a snoozed one whose time has come is open, and has been since. */
export const taskAsOf = (task: Task, now: number): Task =>
  task.status === "snoozed" && task.snoozeUntil !== null && task.snoozeUntil <= now
    ? { ...task, status: "open", snoozeUntil: null, updatedAt: task.snoozeUntil }
    : task

/** Which tasks a list shows; null: whatever it is. */
export interface TaskQuery {
  readonly status: TaskStatus
  readonly type: TaskType | null
  readonly contactId: string | null
  readonly leadId: string | null
}

/** The due date that a task without one is listed by: after every other. */
export const neverDue: number = Number.MAX_SAFE_INTEGER

/** Where a page of tasks ends. Tasks are listed by when they are due, then oldest first. */
export interface TaskKey {
  /** `neverDue` for a task without a date. */
  readonly dueAt: number
  readonly createdAt: number
  readonly taskId: string
}

/** The place of a task in a list. */
export const taskKey = ({ createdAt, dueAt, taskId }: Task): TaskKey => ({
  dueAt: dueAt ?? neverDue,
  createdAt,
  taskId
})

/** No such task in this tenant. */
export class TaskNotFound extends Data.TaggedError("TaskNotFound")<{ readonly taskId: string }> {}

/** A change of a task says something that cannot be; `issues` names the fields. */
export class TaskRequestInvalid extends Data.TaggedError("TaskRequestInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}
