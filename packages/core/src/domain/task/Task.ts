/**
 * Tasks of people: types, statuses, snoozing and list order. Creating and completing tasks belongs to `workflow/task`.
 * Tests: `packages/testkit/src/suite/task`.
 */
import { Data } from "effect"
import type { ContactId, LeadId, SignalId, TaskId } from "../Id.ts"

/** The types of tasks. */
export const taskTypes = ["reply_approval", "callback", "follow_up", "review"] as const

/** The type of a task. */
export type TaskType = (typeof taskTypes)[number]

/** The statuses of tasks. */
export const taskStatuses = ["open", "snoozed", "done"] as const

/** The status of a task. */
export type TaskStatus = (typeof taskStatuses)[number]

/** An entry in the work queue of people. */
export interface Task {
  readonly taskId: TaskId
  readonly tenantId: string
  readonly type: TaskType
  readonly status: TaskStatus
  readonly title: string
  readonly contactId: ContactId
  readonly leadId: LeadId | null
  readonly signalId: SignalId | null
  /** Epoch milliseconds. Null without a due date. */
  readonly dueAt: number | null
  /** The outcome in the words of the person who completed it. */
  readonly disposition: string | null
  /** The end of the snooze in epoch milliseconds. Null unless the task is snoozed. */
  readonly snoozeUntil: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** A task that was just created. */
export interface NewTask extends Omit<Task, "status" | "disposition" | "snoozeUntil" | "updatedAt"> {
  readonly status: "open"
}

/** Returns the record of a new task. */
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

/** Returns a task as of a time. A snoozed task becomes open when its snooze ends. */
export const taskAsOf = (task: Task, now: number): Task =>
  task.status === "snoozed" && task.snoozeUntil !== null && task.snoozeUntil <= now
    ? { ...task, status: "open", snoozeUntil: null, updatedAt: task.snoozeUntil }
    : task

/** A filter for tasks. Null fields match all. */
export interface TaskQuery {
  readonly status: TaskStatus
  readonly type: TaskType | null
  readonly contactId: string | null
  readonly leadId: string | null
}

/** The position of tasks without a due date in lists: after all others. */
export const neverDue: number = Number.MAX_SAFE_INTEGER

/** The position of a task in a list. Tasks are sorted by due time, then oldest first. */
export interface TaskKey {
  /** `neverDue` for a task without a due date. */
  readonly dueAt: number
  readonly createdAt: number
  readonly taskId: string
}

/** Returns the position of a task in a list. */
export const taskKey = ({ createdAt, dueAt, taskId }: Task): TaskKey => ({
  dueAt: dueAt ?? neverDue,
  createdAt,
  taskId
})

/** The tenant has no such task. */
export class TaskNotFound extends Data.TaggedError("TaskNotFound")<{ readonly taskId: string }> {}

/** A change of a task is invalid. `issues` names the fields. */
export class TaskRequestInvalid extends Data.TaggedError("TaskRequestInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}
