/**
 * Tasks of people: types, statuses, snoozing and list order. Creating and completing tasks belongs to `workflow/task`.
 * Tests: `packages/testkit/src/suite/task`.
 */
import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { Time } from "../Field.ts"
import { ContactId, LeadId, SignalId, TaskId, TeamId, UserId } from "../Id.ts"

/** The types of tasks. */
export const taskTypes = ["reply_approval", "callback", "follow_up", "review"] as const

/** The statuses of tasks. */
export const taskStatuses = ["open", "snoozed", "done"] as const

/** The priorities of tasks, lowest first. */
export const taskPriorities = ["low", "normal", "high", "urgent"] as const

/** The maximum length of a description, in characters. */
export const maxTaskDescriptionLength = 5_000

/** An entry in the list of work for people. */
export class Task extends Schema.Opaque<Task>()(
  Schema.Struct({
    taskId: TaskId.annotate({ description: "Task id (`task_…`)" }),
    tenantId: Schema.String,
    type: Schema.Literals(taskTypes).annotate({
      description:
        "The kind of work: approve a reply, call back, follow up, or review something that the server could not decide"
    }),
    status: Schema.Literals(taskStatuses).annotate({
      description: "`snoozed` tasks open again at `snooze_until`; `done` tasks are finished"
    }),
    priority: Schema.Literals(taskPriorities).annotate({
      description: "The urgency; default: normal",
      whenAbsent: "normal"
    }),
    title: Schema.String.annotate({ description: "A short instruction for the person" }),
    description: Schema.NullOr(Schema.String.check(Schema.isMaxLength(maxTaskDescriptionLength))).annotate({
      description: "Details for the person, as plain text or Markdown; at most 5000 characters; null: none"
    }),
    contactId: Schema.NullOr(ContactId).annotate({
      description: "The contact that the task concerns; null: the task concerns no contact"
    }),
    leadId: Schema.NullOr(LeadId).annotate({ description: "The lead that the task concerns; null: none" }),
    signalId: Schema.NullOr(SignalId).annotate({
      description: "The message whose pipeline run created the task; null: another cause"
    }),
    /** Null without a due date. */
    dueAt: Schema.NullOr(Time).annotate({
      description: "The time by which the task should be done (ISO 8601 in UTC); null: no due date"
    }),
    assigneeId: Schema.NullOr(UserId).annotate({ description: "The user who should do the task; null: none" }),
    teamId: Schema.NullOr(TeamId).annotate({ description: "The team that should do the task; null: none" }),
    remindAt: Schema.NullOr(Time).annotate({
      description: "The time of the event `task.reminder` (ISO 8601 in UTC); null: no reminder"
    }),
    recurrence: Schema.NullOr(Schema.String.check(Schema.isMaxLength(200))).annotate({
      description:
        "A rule of RFC 5545 with FREQ (DAILY, WEEKLY or MONTHLY), INTERVAL and BYDAY, for example `FREQ=WEEKLY;BYDAY=MO,TH`. Completing the task creates the next one; null: the task does not recur"
    }),
    /** The local minute of the day at which occurrences are due, because a clock change may move a single one. */
    recurrenceMinute: Schema.NullOr(Schema.Int),
    nextTaskId: Schema.NullOr(TaskId).annotate({
      description: "The next occurrence of a completed recurring task; null: there is none"
    }),
    disposition: Schema.NullOr(Schema.String.check(Schema.isMaxLength(500))).annotate({
      description: "The outcome of the task"
    }),
    snoozeUntil: Schema.NullOr(Time).annotate({
      description: "The time at which a snoozed task opens again automatically"
    }),
    createdAt: Time.annotate({ description: "The time at which the task was created (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

export type TaskType = Task["type"]

export type TaskStatus = Task["status"]

export type TaskPriority = Task["priority"]

const taskDefaults = {
  status: "open",
  priority: "normal",
  description: null,
  assigneeId: null,
  teamId: null,
  remindAt: null,
  recurrence: null,
  recurrenceMinute: null,
  nextTaskId: null,
  disposition: null,
  snoozeUntil: null
} as const

/** The fields that only a change of the task sets. */
type LaterField = "status" | "nextTaskId" | "disposition" | "snoozeUntil"

/** The fields that the caller sets for a new task. */
export type NewTask = Omit<Task, keyof typeof taskDefaults | "updatedAt"> &
  Partial<Omit<Pick<Task, keyof typeof taskDefaults>, LaterField>>

/** Creates the record of a new task. */
export const beginTask = (task: NewTask): Task => ({ ...taskDefaults, updatedAt: task.createdAt, ...task })

/** Returns the current state of a task at a time. A snoozed task becomes open when its snooze ends. */
export const taskAsOf = (task: Task, now: number): Task =>
  task.status === "snoozed" && task.snoozeUntil !== null && task.snoozeUntil <= now
    ? { ...task, status: "open", snoozeUntil: null, updatedAt: task.snoozeUntil }
    : task

/**
 * The orders of task lists. `-priority` lists the most urgent tasks first, `priority` lists them last. Tasks of equal
 * priority are ordered by due time.
 */
export const taskSorts = ["due_at", "-priority", "priority"] as const

/** The filter and order of a list of tasks. A null field does not filter. */
export interface TaskQuery {
  readonly priority: TaskPriority | null
  readonly sort: (typeof taskSorts)[number]
  readonly status: TaskStatus
  readonly type: TaskType | null
  readonly contactId: string | null
  readonly leadId: string | null
  /** Absent: tasks of all users. */
  readonly assigneeId?: string
  /** Absent: tasks of all teams. */
  readonly teamId?: string
  /** Epoch milliseconds: only tasks that are due at or after this time. */
  readonly dueAfter?: number
  /** Epoch milliseconds: only tasks that are due before this time. */
  readonly dueBefore?: number
}

/** The sort value of a task without a due date, which comes after all other tasks. */
export const neverDue: number = Number.MAX_SAFE_INTEGER

/**
 * The position of a task in a list. Tasks are ordered by due time, and tasks with equal due times by age, oldest first.
 */
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
export class TaskNotFound extends TaggedError("TaskNotFound")<{ readonly taskId: string }> {}

/** A requested change of a task is invalid. `issues` names the fields. */
export class TaskRequestInvalid extends TaggedError("TaskRequestInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}
