import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Effect } from "effect"
import { encodeId } from "../../../domain/Id.ts"
import { Leads } from "../../../port/repository/lead/Leads.ts"
import { Tasks } from "../../../port/repository/lead/Tasks.ts"
import { Transactions } from "../../../port/system/Transactions.ts"
import type { ActionAnswer, ActionCall } from "../../../domain/crm/ActionCall.ts"
import { choice, requiredText, optionalNumber } from "../../../domain/crm/ActionInputs.ts"
import { addTask } from "../../task/OpenTask.ts"

/**
 * The types of tasks that a workflow may create. `reply_approval` is missing, because such a task always belongs to a
 * draft.
 */
const types = ["follow_up", "callback", "review"] as const
/** The maximum time until a task is due: one year, in minutes. */
const latestMinutes = 525_600
const minuteMillis = 60_000

/** Creates a task for the contact. Idempotent, because the task's id is derived from the call. */
export const createTask = Effect.fnUntraced(function* ({ callId, contact, firstAt, inputs, tenant }: ActionCall) {
  const title = yield* requiredText(inputs, "title", 200)
  const type = yield* choice(inputs, "task_type", types, "follow_up")
  const minutes = yield* optionalNumber(inputs, "due_in_minutes", latestMinutes)
  const { contactId } = contact
  const { tenantId } = tenant
  const taskId = encodeId("task", firstAt, sha256(utf8ToBytes(`${tenantId} ${callId}`)).subarray(0, 10))
  const now = yield* Clock.currentTimeMillis
  const tasks = yield* Tasks
  const [lead = null] = yield* (yield* Leads).ofContact(tenantId, contactId, 1)
  const leadId = lead === null || lead.mergedInto !== null ? null : lead.leadId
  const dueAt = minutes === null ? null : firstAt + minutes * minuteMillis
  yield* (yield* Transactions).atomically(
    tenantId,
    tasks.get(tenantId, taskId).pipe(
      Effect.asVoid,
      Effect.catchTag("TaskNotFound", () =>
        addTask({
          taskId,
          tenantId,
          type,
          title,
          contactId,
          leadId,
          signalId: null,
          dueAt,
          createdAt: now
        })
      )
    )
  )
  return {
    contact_id: contactId,
    task_id: taskId,
    task_type: type,
    due_at: dueAt === null ? null : new Date(dueAt).toISOString()
  } satisfies ActionAnswer
})
