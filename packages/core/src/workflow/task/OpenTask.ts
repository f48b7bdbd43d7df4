import { Effect } from "effect"
import type { ActionTarget } from "../../domain/run/RunSubject.ts"
import { beginTask, type NewTask, type TaskPriority, type TaskType } from "../../domain/task/Task.ts"
import { taskChangeEvent } from "../../domain/task/TaskEvent.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { Ids } from "../../port/system/Ids.ts"
import { recordEvents } from "../webhook/Outbox.ts"

/** The maximum length of a task title, in characters. */
export const maxTaskTitleLength = 200

const minuteMillis = 60_000

/** Stores a new task and the event `task.created`. Runs inside a unit of work. */
export const addTask = Effect.fnUntraced(function* (task: NewTask) {
  yield* (yield* Tasks).insert(task)
  yield* recordEvents([taskChangeEvent("task.created", null, beginTask(task))], task.createdAt)
})

interface OpenTaskOptions {
  /** Absent: no due time. */
  readonly dueInMinutes?: number | undefined
  /** Absent: normal. */
  readonly priority?: TaskPriority | undefined
}

/** Creates an open task about the contact of a run or macro, and returns the task's id. */
export const openTask = Effect.fnUntraced(function* (
  { contact, lead, now, signalId }: Pick<ActionTarget, "contact" | "lead" | "now" | "signalId">,
  type: TaskType,
  title: string,
  { dueInMinutes, priority }: OpenTaskOptions = {}
) {
  const taskId = yield* (yield* Ids).next("task")
  yield* addTask({
    taskId,
    tenantId: contact.tenantId,
    type,
    title,
    contactId: contact.contactId,
    leadId: lead?.leadId ?? null,
    signalId,
    dueAt: dueInMinutes === undefined ? null : now + dueInMinutes * minuteMillis,
    createdAt: now,
    ...(priority === undefined ? {} : { priority })
  })
  return taskId
})

/** The newest unfinished tasks of a contact among which a rule looks for the same one. */
const maxCompared = 50

/** Returns whether the contact has an unfinished task of this type with this title. */
export const hasOpenTask = Effect.fnUntraced(function* (
  { contact: { contactId, tenantId } }: Pick<ActionTarget, "contact">,
  type: TaskType,
  title: string
) {
  const tasks = yield* (yield* Tasks).openOfContact(tenantId, contactId, maxCompared)
  return tasks.some((task) => task.type === type && task.title === title)
})
