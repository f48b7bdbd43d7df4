import { Api } from "@leadloom/api/internal/Api"
import {
  taskChangeOf,
  taskCommentToJson,
  type taskQuery,
  taskRequestOf,
  taskToJson
} from "@leadloom/api/internal/workspace/Tasks"
import { Principal } from "@leadloom/api/internal/Access"
import { millisOf } from "@leadloom/api/internal/schema/Field"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import { commentOnTask, listTaskComments } from "@leadloom/core/internal/workflow/task/CommentOnTask"
import { createTask } from "@leadloom/core/internal/workflow/task/CreateTask"
import { listTasks } from "@leadloom/core/internal/workflow/task/ListTasks"
import { updateTask } from "@leadloom/core/internal/workflow/task/UpdateTask"
import { Effect, type Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { setDeprecationHeaders } from "../../middleware/Deprecation.ts"
import { answer } from "../../error/errors.ts"

/** The default number of tasks per page. */
const defaultPageSize = 50

/** Returns the filters by assignment and due time, without absent ones, so that cursors of earlier versions stay valid. */
const furtherFilters = ({ assignee_id, due_after, due_before, team_id }: Schema.Struct.Type<typeof taskQuery>) => ({
  ...(assignee_id === undefined ? {} : { assigneeId: assignee_id }),
  ...(team_id === undefined ? {} : { teamId: team_id }),
  ...(due_after === undefined ? {} : { dueAfter: millisOf(due_after) }),
  ...(due_before === undefined ? {} : { dueBefore: millisOf(due_before) })
})

const list = Effect.fnUntraced(function* (tenantId: string, requested: Schema.Struct.Type<typeof taskQuery>) {
  const { contact_id, cursor = null, lead_id, limit = defaultPageSize, status = "open", ...rest } = requested
  const { priority = null, sort = "due_at", type = null } = rest
  const of = { contactId: contact_id ?? null, leadId: lead_id ?? null }
  const query = { status, type, priority, sort, ...of, ...furtherFilters(rest) }
  const { items, nextCursor } = yield* answer(listTasks(tenantId, query, { limit, cursor }))
  return { tasks: items.map(taskToJson), next_cursor: nextCursor }
})

/** Endpoints for tasks. */
export const layer = HttpApiBuilder.group(Api, "tasks", (handlers) =>
  handlers.handleAll({
    list: ({ params, query }) => list(params.tenant_id, query),
    create: Effect.fnUntraced(function* ({ params, payload }) {
      return taskToJson(yield* answer(createTask(params.tenant_id, taskRequestOf(payload))))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      return taskToJson(yield* answer((yield* Tasks).get(params.tenant_id, params.task_id)))
    }),
    listComments: Effect.fnUntraced(function* ({ params, query }) {
      const { cursor = null, limit = defaultPageSize } = query
      const page = yield* answer(listTaskComments(params.tenant_id, params.task_id, { cursor, limit }))
      return { comments: page.items.map(taskCommentToJson), next_cursor: page.nextCursor }
    }),
    comment: Effect.fnUntraced(function* ({ params, payload }) {
      const author = principalName(yield* Principal)
      const written = commentOnTask(params.tenant_id, params.task_id, payload.body, author)
      return taskCommentToJson(yield* answer(written))
    }),
    update: Effect.fnUntraced(function* ({ params, payload }) {
      return taskToJson(yield* answer(updateTask(params.tenant_id, params.task_id, taskChangeOf(payload))))
    }),
    callbacks: Effect.fnUntraced(function* ({ query: { tenant_id, ...requested } }) {
      yield* setDeprecationHeaders(`/api/v1/tenants/${encodeURIComponent(tenant_id)}/tasks`)
      return yield* list(tenant_id, requested)
    })
  })
)
