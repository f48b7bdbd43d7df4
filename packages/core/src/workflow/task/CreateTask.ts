import { Clock, Effect } from "effect"
import { beginTask, type NewTask, type Task } from "../../domain/task/Task.ts"
import { trimToNull } from "../../domain/text/TrimToNull.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { requireUnmergedContact } from "../contact/ResolveMergedContact.ts"
import { withSpan } from "../WithSpan.ts"
import { addTask } from "./OpenTask.ts"
import { invalidField, recurrenceMinuteOf, requireAssignee, requireLeadOf, requireTeam } from "./TaskFields.ts"
import { scheduleReminder } from "./TaskReminder.ts"

/** The fields of a task that a person creates. */
export interface TaskRequest extends Pick<
  Task,
  "title" | "type" | "priority" | "description" | "dueAt" | "remindAt" | "recurrence"
> {
  readonly contactId: string | null
  readonly leadId: string | null
  readonly assigneeId: string | null
  readonly teamId: string | null
}

/** Creates a task about a contact, or without one, and queues its reminder. */
export const createTask = Effect.fnUntraced(function* (tenantId: string, request: TaskRequest) {
  const now = yield* Clock.currentTimeMillis
  const taskId = yield* (yield* Ids).next("task")
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const title = trimToNull(request.title)
      if (title === null) return yield* invalidField("title", "The title is blank. Send a title.")
      const contactId =
        request.contactId === null ? null : (yield* requireUnmergedContact(tenantId, request.contactId)).contactId
      const { assigneeId, leadId, teamId } = request
      const checked = {
        ...request,
        tenantId,
        contactId,
        description: trimToNull(request.description),
        leadId: leadId === null ? null : yield* requireLeadOf({ tenantId, contactId }, leadId),
        assigneeId: assigneeId === null ? null : yield* requireAssignee(tenantId, assigneeId),
        teamId: teamId === null ? null : yield* requireTeam(tenantId, teamId)
      }
      const recurrenceMinute = yield* recurrenceMinuteOf(checked)
      const created: NewTask = { ...checked, title, recurrenceMinute, taskId, signalId: null, createdAt: now }
      const task = beginTask(created)
      yield* addTask(created)
      yield* scheduleReminder(task, now)
      return task
    })
  )
}, withSpan("createTask"))
