import { Api } from "@leadloom/api/Api"
import { isoTime, millisOf } from "@leadloom/api/schema/Field"
import type * as Wire from "@leadloom/api/workspace/Tasks"
import { listTasks } from "@leadloom/core/workflow/task/ListTasks"
import type { Task, TaskStatus, TaskType } from "@leadloom/core/domain/task/Task"
import { type TaskChange, updateTask } from "@leadloom/core/workflow/task/UpdateTask"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { setDeprecationHeaders } from "../../middleware/Deprecation.ts"
import { answer } from "../../error/errors.ts"

/** Tasks on a page by default. */
const defaultPageSize = 50

const timeOrNull = (millis: number | null): string | null => (millis === null ? null : isoTime(millis))

const toJson = (task: Task): typeof Wire.Task.Type => ({
  id: task.taskId,
  type: task.type,
  status: task.status,
  title: task.title,
  contact_id: task.contactId,
  lead_id: task.leadId,
  signal_id: task.signalId,
  due_at: timeOrNull(task.dueAt),
  snooze_until: timeOrNull(task.snoozeUntil),
  disposition: task.disposition,
  created_at: isoTime(task.createdAt),
  updated_at: isoTime(task.updatedAt)
})

interface Requested {
  readonly status?: TaskStatus
  readonly type?: TaskType
  readonly contact_id?: string
  readonly lead_id?: string
  readonly limit?: number
  readonly cursor?: string
}

const list = Effect.fnUntraced(function* (tenantId: string, requested: Requested) {
  const { contact_id, cursor = null, lead_id, limit = defaultPageSize, status = "open", type = null } = requested
  const query = { status, type, contactId: contact_id ?? null, leadId: lead_id ?? null }
  const { items, nextCursor } = yield* answer(listTasks(tenantId, query, { limit, cursor }))
  return { tasks: items.map(toJson), next_cursor: nextCursor }
})

const changeOf = ({ disposition, lead_id, snooze_until, status }: typeof Wire.UpdateTask.Type): TaskChange => ({
  ...(lead_id === undefined ? {} : { leadId: lead_id }),
  ...(status === undefined ? {} : { status }),
  ...(disposition === undefined ? {} : { disposition }),
  ...(snooze_until === undefined ? {} : { snoozeUntil: snooze_until === null ? null : millisOf(snooze_until) })
})

/** Endpoints for tasks. */
export const layer = HttpApiBuilder.group(Api, "tasks", (handlers) =>
  handlers.handleAll({
    list: ({ params, query }) => list(params.tenant_id, query),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      return toJson(yield* answer(updateTask(params.tenant_id, params.task_id, changeOf(payload))))
    }),
    callbacks: Effect.fnUntraced(function* ({ query: { tenant_id, ...requested } }) {
      yield* setDeprecationHeaders(`/api/v1/tenants/${encodeURIComponent(tenant_id)}/tasks`)
      return yield* list(tenant_id, requested)
    })
  })
)
