import { Clock, Effect } from "effect"
import type { LeadId } from "../../domain/Id.ts"
import { requireWritableLead } from "../lead/FindLead.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { trimToNull } from "../../domain/text/TrimToNull.ts"
import { type Task, TaskRequestInvalid, type TaskStatus } from "../../domain/task/Task.ts"

/** What a person may set on a task; absent keeps it. */
export interface TaskChange {
  /** Null: the task belongs to no lead. */
  readonly leadId?: string | null
  readonly status?: TaskStatus
  /** Null or blank: nothing is said. */
  readonly disposition?: string | null
  /** Epoch milliseconds; a time snoozes the task, null wakes it. */
  readonly snoozeUntil?: number | null
}

type Sleep = Pick<Task, "status" | "snoozeUntil">

const invalid = (path: string, message: string): TaskRequestInvalid =>
  new TaskRequestInvalid({ issues: [{ path, message }] })

/** Status and time that a change leads to. */
const sleepAfter = (task: Task, { snoozeUntil, status }: TaskChange, now: number): Sleep | TaskRequestInvalid => {
  const wanted = status ?? (snoozeUntil === undefined || snoozeUntil === null ? null : "snoozed")
  if (wanted === "snoozed") {
    const until = snoozeUntil ?? (snoozeUntil === undefined ? task.snoozeUntil : null)
    if (until === null) return invalid("snooze_until", "A snoozed task needs the time when it comes back.")
    if (until <= now) return invalid("snooze_until", "Expected a time in the future.")
    return { status: "snoozed", snoozeUntil: until }
  }
  if (snoozeUntil !== undefined && snoozeUntil !== null) {
    return invalid("snooze_until", `A task with a time to come back is snoozed, not ${wanted}.`)
  }
  if (wanted !== null) return { status: wanted, snoozeUntil: null }
  return snoozeUntil === null && task.status === "snoozed" ? { status: "open", snoozeUntil: null } : task
}

/** The lead that a task is to belong to: one of the task's contact that was not merged into another. */
const leadAfter = Effect.fnUntraced(function* (task: Task, leadId: string | null | undefined) {
  if (leadId === undefined || leadId === task.leadId) return task.leadId
  if (leadId === null) return null
  const lead = yield* requireWritableLead(task.tenantId, leadId).pipe(
    Effect.catchTag("LeadNotFound", () => invalid("lead_id", "There is no such lead."))
  )
  if (lead.contactId !== task.contactId) return yield* invalid("lead_id", "This lead is of another contact.")
  return lead.leadId satisfies LeadId
})

/** A draft that waits for approval is not wanted any more when somebody ends the task that asks for it. */
const dismissDraftOf = Effect.fnUntraced(function* ({ contactId, taskId, tenantId, type }: Task) {
  if (type !== "reply_approval") return
  const drafts = yield* Drafts
  const draft = yield* drafts.pending(tenantId, contactId)
  if (draft?.taskId === taskId) yield* drafts.end(tenantId, draft.draftId, "dismissed")
})

/** Changes a task. What says nothing new changes nothing; what has been done may be opened again. */
export const updateTask = Effect.fn("updateTask")(function* (tenantId: string, taskId: string, change: TaskChange) {
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
      const after: Task = {
        ...before,
        leadId: yield* leadAfter(before, change.leadId),
        status,
        snoozeUntil,
        disposition
      }
      const fields = ["leadId", "status", "snoozeUntil", "disposition"] as const
      if (fields.every((field) => after[field] === before[field])) return before
      if (status === "done") yield* dismissDraftOf(before)
      const changed = { ...after, updatedAt: now }
      yield* tasks.update(changed)
      return changed
    })
  )
})
