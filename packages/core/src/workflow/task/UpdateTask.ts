/**
 * Lists and changes tasks. Most tasks are not created here: a workflow that needs a person stores a task itself. Tests:
 * `packages/testkit/src/suite/task`.
 */
import { Clock, Effect } from "effect"
import { fieldNames } from "../../domain/Field.ts"
import type { LeadId } from "../../domain/Id.ts"
import { requireWritableLead } from "../lead/FindLead.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { trimToNull } from "../../domain/text/TrimToNull.ts"
import { Task, TaskRequestInvalid } from "../../domain/task/Task.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * The fields of a task that a person may set. An absent field stays unchanged. A null lead removes the task from its
 * lead. A blank disposition clears it. A time in `snoozeUntil` snoozes the task, and null ends the snooze.
 */
export interface TaskChange extends Partial<Pick<Task, "status" | "priority" | "disposition" | "snoozeUntil">> {
  readonly leadId?: string | null
}

type Sleep = Pick<Task, "status" | "snoozeUntil">

const invalid = (path: string, message: string): TaskRequestInvalid =>
  new TaskRequestInvalid({ issues: [{ path, message }] })

/** Returns the status and the snooze time after a change, or the issue if the change is invalid. */
const sleepAfter = (task: Task, { snoozeUntil, status }: TaskChange, now: number): Sleep | TaskRequestInvalid => {
  const wanted = status ?? (snoozeUntil === undefined || snoozeUntil === null ? null : "snoozed")
  if (wanted === "snoozed") {
    const until = snoozeUntil ?? (snoozeUntil === undefined ? task.snoozeUntil : null)
    if (until === null) return invalid("snooze_until", "A snoozed task needs an end. Send `snooze_until`.")
    if (until <= now) return invalid("snooze_until", "Expected a time in the future.")
    return { status: "snoozed", snoozeUntil: until }
  }
  if (snoozeUntil !== undefined && snoozeUntil !== null) {
    return invalid(
      "snooze_until",
      `Only a snoozed task can have a snooze_until. Send the status snoozed instead of ${wanted}.`
    )
  }
  if (wanted !== null) return { status: wanted, snoozeUntil: null }
  return snoozeUntil === null && task.status === "snoozed" ? { status: "open", snoozeUntil: null } : task
}

/** Returns the lead of a task after a change. A new lead must belong to the task's contact, and must not be merged. */
const leadAfter = Effect.fnUntraced(function* (task: Task, leadId: string | null | undefined) {
  if (leadId === undefined || leadId === task.leadId) return task.leadId
  if (leadId === null) return null
  const lead = yield* requireWritableLead(task.tenantId, leadId).pipe(
    Effect.catchTag("LeadNotFound", () => invalid("lead_id", "Unknown lead. Send the id of a lead of this contact."))
  )
  if (lead.contactId !== task.contactId)
    return yield* invalid("lead_id", "This lead belongs to another contact. Send a lead of the task's contact.")
  return lead.leadId satisfies LeadId
})

/** Dismisses a pending draft, because a person has completed the task to approve it. */
const dismissDraftOf = Effect.fnUntraced(function* ({ contactId, taskId, tenantId, type }: Task) {
  if (type !== "reply_approval") return
  const drafts = yield* Drafts
  const draft = yield* drafts.pending(tenantId, contactId)
  if (draft?.taskId === taskId) yield* drafts.end(tenantId, draft.draftId, "dismissed")
})

/** Updates a task. Has no effect when no value changes. A completed task may be reopened. */
export const updateTask = Effect.fnUntraced(function* (tenantId: string, taskId: string, change: TaskChange) {
  const now = yield* Clock.currentTimeMillis
  const tasks = yield* Tasks
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* tasks.get(tenantId, taskId)
      const sleep = sleepAfter(before, change, now)
      if (sleep instanceof TaskRequestInvalid) return yield* sleep
      const { snoozeUntil, status } = sleep
      const disposition = change.disposition === undefined ? before.disposition : trimToNull(change.disposition)
      const leadId = yield* leadAfter(before, change.leadId)
      const after: Task = { ...before, ...change, leadId, status, snoozeUntil, disposition }
      if (fieldNames(Task).every((field) => after[field] === before[field])) return before
      if (status === "done") yield* dismissDraftOf(before)
      const changed = { ...after, updatedAt: now }
      yield* tasks.update(changed)
      return changed
    })
  )
}, withSpan("updateTask"))
