/**
 * Creates, lists and changes tasks. A workflow that needs a person adds a task with `addTask`. Tests:
 * `packages/testkit/src/suite/task`.
 */
import { Clock, Effect } from "effect"
import { fieldNames } from "../../domain/Field.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { trimToNull } from "../../domain/text/TrimToNull.ts"
import { Task, TaskRequestInvalid } from "../../domain/task/Task.ts"
import { taskChangeEvent } from "../../domain/task/TaskEvent.ts"
import { endDraft } from "../draft/EndDraft.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { recurTask } from "./RecurTask.ts"
import { invalidField, recurrenceMinuteOf, requireAssignee, requireLeadOf, requireTeam } from "./TaskFields.ts"
import { scheduleReminder } from "./TaskReminder.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * The fields of a task that a person may set. An absent field stays unchanged. A null lead removes the task from its
 * lead. A blank text clears its field. A time in `snoozeUntil` snoozes the task, and null ends the snooze.
 */
export interface TaskChange extends Partial<
  Pick<
    Task,
    | "status"
    | "priority"
    | "title"
    | "description"
    | "dueAt"
    | "remindAt"
    | "recurrence"
    | "disposition"
    | "snoozeUntil"
  >
> {
  readonly leadId?: string | null
  readonly assigneeId?: string | null
  readonly teamId?: string | null
}

type Sleep = Pick<Task, "status" | "snoozeUntil">

/** Returns the status and the snooze time after a change, or the issue if the change is invalid. */
const sleepAfter = (task: Task, { snoozeUntil, status }: TaskChange, now: number): Sleep | TaskRequestInvalid => {
  const wanted = status ?? (snoozeUntil === undefined || snoozeUntil === null ? null : "snoozed")
  if (wanted === "snoozed") {
    const until = snoozeUntil ?? (snoozeUntil === undefined ? task.snoozeUntil : null)
    if (until === null) return invalidField("snooze_until", "A snoozed task needs an end. Send `snooze_until`.")
    if (until <= now) return invalidField("snooze_until", "Expected a time in the future.")
    return { status: "snoozed", snoozeUntil: until }
  }
  if (snoozeUntil !== undefined && snoozeUntil !== null) {
    return invalidField(
      "snooze_until",
      `Only a snoozed task can have a snooze_until. Send the status snoozed instead of ${wanted}.`
    )
  }
  if (wanted !== null) return { status: wanted, snoozeUntil: null }
  return snoozeUntil === null && task.status === "snoozed" ? { status: "open", snoozeUntil: null } : task
}

/** Returns the value of a reference after a change. `check` validates a new value. */
const referenceAfter = <Id extends string, E, R>(
  before: Id | null,
  wanted: string | null | undefined,
  check: (wanted: string) => Effect.Effect<Id, E, R>
): Effect.Effect<Id | null, E, R> => {
  if (wanted === undefined || wanted === before) return Effect.succeed(before)
  return wanted === null ? Effect.succeed(null) : check(wanted)
}

const textAfter = (before: string | null, wanted: string | null | undefined): string | null =>
  wanted === undefined ? before : trimToNull(wanted)

/** Returns a task with the changed fields. Fails with `TaskRequestInvalid` for an invalid value. */
const taskAfter = Effect.fnUntraced(function* (before: Task, change: TaskChange, now: number) {
  const { tenantId } = before
  const sleep = sleepAfter(before, change, now)
  if (sleep instanceof TaskRequestInvalid) return yield* sleep
  const title = textAfter(before.title, change.title)
  if (title === null) return yield* invalidField("title", "The title is blank. Send a title.")
  const changed: Task = {
    ...before,
    ...change,
    title,
    status: sleep.status,
    snoozeUntil: sleep.snoozeUntil,
    disposition: textAfter(before.disposition, change.disposition),
    description: textAfter(before.description, change.description),
    leadId: yield* referenceAfter(before.leadId, change.leadId, (id) => requireLeadOf(before, id)),
    assigneeId: yield* referenceAfter(before.assigneeId, change.assigneeId, (id) => requireAssignee(tenantId, id)),
    teamId: yield* referenceAfter(before.teamId, change.teamId, (id) => requireTeam(tenantId, id))
  }
  if (changed.dueAt === before.dueAt && changed.recurrence === before.recurrence) return changed
  return { ...changed, recurrenceMinute: yield* recurrenceMinuteOf(changed) }
})

/** Dismisses a pending draft, because a person has completed the task to approve it. */
const dismissDraftOf = Effect.fnUntraced(function* ({ contactId, taskId, tenantId, type }: Task) {
  if (type !== "reply_approval" || contactId === null) return
  const draft = yield* (yield* Drafts).pending(tenantId, contactId)
  if (draft?.taskId === taskId) yield* endDraft(draft, "dismissed")
})

/** Stores a changed task with its reminder, its next occurrence and its event. */
const keepTask = Effect.fnUntraced(function* (before: Task, after: Task, now: number) {
  const isCompleted = after.status === "done" && before.status !== "done"
  const nextTaskId = isCompleted ? yield* recurTask(after, now) : after.nextTaskId
  const changed = { ...after, nextTaskId, updatedAt: now }
  yield* (yield* Tasks).update(changed)
  // The task is already stored as done, so the end of the draft reports only the draft.
  if (changed.status === "done") yield* dismissDraftOf(changed)
  if (changed.remindAt !== before.remindAt) yield* scheduleReminder(changed, now)
  yield* recordEvents([taskChangeEvent(isCompleted ? "task.completed" : "task.updated", before, changed)], now)
  return changed
})

/** Updates a task. Has no effect when no value changes. A completed task may be reopened. */
export const updateTask = Effect.fnUntraced(function* (tenantId: string, taskId: string, change: TaskChange) {
  const now = yield* Clock.currentTimeMillis
  const tasks = yield* Tasks
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* tasks.get(tenantId, taskId)
      const after = yield* taskAfter(before, change, now)
      if (fieldNames(Task).every((field) => after[field] === before[field])) return before
      return yield* keepTask(before, after, now)
    })
  )
}, withSpan("updateTask"))
