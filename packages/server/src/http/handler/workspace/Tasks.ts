import { Api } from "@leadloom/api/internal/Api"
import { taskChangeOf, type taskQuery, taskToJson } from "@leadloom/api/internal/workspace/Tasks"
import { listTasks } from "@leadloom/core/internal/workflow/task/ListTasks"
import { updateTask } from "@leadloom/core/internal/workflow/task/UpdateTask"
import { Effect, type Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { setDeprecationHeaders } from "../../middleware/Deprecation.ts"
import { answer } from "../../error/errors.ts"

/** The default number of tasks per page. */
const defaultPageSize = 50

const list = Effect.fnUntraced(function* (tenantId: string, requested: Schema.Struct.Type<typeof taskQuery>) {
  const { contact_id, cursor = null, lead_id, limit = defaultPageSize, status = "open", ...rest } = requested
  const { priority = null, sort = "due_at", type = null } = rest
  const query = { status, type, priority, sort, contactId: contact_id ?? null, leadId: lead_id ?? null }
  const { items, nextCursor } = yield* answer(listTasks(tenantId, query, { limit, cursor }))
  return { tasks: items.map(taskToJson), next_cursor: nextCursor }
})

/** Endpoints for tasks. */
export const layer = HttpApiBuilder.group(Api, "tasks", (handlers) =>
  handlers.handleAll({
    list: ({ params, query }) => list(params.tenant_id, query),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      return taskToJson(yield* answer(updateTask(params.tenant_id, params.task_id, taskChangeOf(payload))))
    }),
    callbacks: Effect.fnUntraced(function* ({ query: { tenant_id, ...requested } }) {
      yield* setDeprecationHeaders(`/api/v1/tenants/${encodeURIComponent(tenant_id)}/tasks`)
      return yield* list(tenant_id, requested)
    })
  })
)
