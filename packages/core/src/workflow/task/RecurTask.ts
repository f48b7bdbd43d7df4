import { Effect, Struct } from "effect"
import { nextOccurrence, parseRecurrence } from "../../domain/task/Recurrence.ts"
import { beginTask, type NewTask, type Task } from "../../domain/task/Task.ts"
import { Ids } from "../../port/system/Ids.ts"
import { addTask } from "./OpenTask.ts"
import { clockOf } from "./TaskFields.ts"
import { scheduleReminder } from "./TaskReminder.ts"

/** The fields that every occurrence of a recurring task has. */
const kept = [
  "tenantId",
  "contactId",
  "leadId",
  "type",
  "priority",
  "title",
  "description",
  "assigneeId",
  "teamId",
  "recurrence",
  "recurrenceMinute"
] as const

/**
 * Creates the next occurrence of a recurring task that a person completes, and returns its id. Its due time is the
 * first one after both the due time of the task and `now`. Returns null for a task that does not recur, and the
 * existing id for a task that was completed before. Runs inside the unit of work that completes the task.
 */
export const recurTask = Effect.fnUntraced(function* (task: Task, now: number) {
  const { dueAt, nextTaskId, recurrence, remindAt } = task
  const rule = recurrence === null ? null : parseRecurrence(recurrence)
  if (nextTaskId !== null || rule === null || dueAt === null) return nextTaskId
  const clock = yield* clockOf(task)
  const { date, minuteOfDay } = clock.read(dueAt)
  const from = { date, minuteOfDay: task.recurrenceMinute ?? minuteOfDay }
  const next = nextOccurrence(rule, from, Math.max(dueAt, now), clock)
  if (next === null) return null
  const created: NewTask = {
    ...Struct.pick(task, kept),
    taskId: yield* (yield* Ids).next("task"),
    signalId: null,
    dueAt: next,
    remindAt: remindAt === null ? null : remindAt + (next - dueAt),
    createdAt: now
  }
  yield* addTask(created)
  yield* scheduleReminder(beginTask(created), now)
  return created.taskId
})
