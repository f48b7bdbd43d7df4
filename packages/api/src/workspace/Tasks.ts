import { Task as Noun, taskSorts } from "@leadloom/core/internal/domain/task/Task"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, NotFound } from "../errors.ts"
import { TenantPath, cursor, nextCursor, pageSize } from "../schema/Field.ts"
import { changeRequest, wire } from "../schema/Wire.ts"
import { tenantId } from "../schema/Ids.ts"

export const { schema: Task, toJson: taskToJson } = wire(Noun, "Task", {
  description: "Work for a person, created by a rule, by the pipeline or by the server",
  id: "taskId",
  omit: ["tenantId"]
})

export const TaskPage = Schema.Struct({
  tasks: Schema.Array(Task).annotate({ description: "The tasks in the requested order" }),
  next_cursor: nextCursor
}).annotate({ identifier: "TaskPage", description: "A page of tasks" })

export const { fromJson: taskChangeOf, schema: UpdateTask } = changeRequest(
  Noun,
  "UpdateTask",
  "The fields to change. Absent fields stay; null removes a value",
  {
    leadId: {},
    status: {},
    priority: {},
    disposition: {},
    snoozeUntil: { description: "A future time: the task is snoozed until this time; null: the task opens immediately" }
  }
)

/** The filters of task lists. */
export const taskQuery = {
  status: Schema.optionalKey(Noun.fields.status).annotate({ description: "Default: open" }),
  type: Schema.optionalKey(Noun.fields.type).annotate({ description: "Only tasks of this type" }),
  priority: Schema.optionalKey(Noun.fields.priority).annotate({ description: "Only tasks of this priority" }),
  contact_id: Schema.optionalKey(Schema.String).annotate({ description: "Only tasks of this contact" }),
  lead_id: Schema.optionalKey(Schema.String).annotate({ description: "Only tasks of this lead" }),
  limit: pageSize(100, 50),
  cursor,
  sort: Schema.optionalKey(Schema.Literals(taskSorts)).annotate({
    description:
      "due_at (default): by due time; tasks with the same due time by age, oldest first. -priority: most urgent first. priority: least urgent first. Tasks of the same priority are sorted by due time"
  })
}

export const TasksGroup = HttpApiGroup.make("tasks")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/tasks", {
      params: TenantPath,
      query: taskQuery,
      success: TaskPage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List tasks by due time or priority; only open tasks by default")
      .annotate(OpenApi.Description, "A snoozed task becomes open when `snooze_until` has passed.")
      .annotate(Gate, gate("tasks.list", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/tasks/:task_id", {
      params: { ...TenantPath, task_id: Schema.String.annotate({ description: "Task id (`task_…`)" }) },
      payload: UpdateTask,
      success: Task,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change a task's lead, status, priority or disposition, or snooze it")
      .annotate(OpenApi.Description, "Setting `snooze_until` snoozes the task; status done finishes it.")
      .annotate(Gate, gate("tasks.update", { limiter: "admin" })),
    HttpApiEndpoint.get("callbacks", "/callbacks", {
      query: { tenant_id: tenantId, ...taskQuery },
      success: TaskPage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List tasks; former path")
      .annotate(OpenApi.Deprecated, true)
      .annotate(
        OpenApi.Description,
        "Use `GET /api/v1/tenants/{tenant_id}/tasks`. This path has the same parameters and the same response."
      )
      .annotate(Gate, gate("tasks.callbacks", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Tasks", description: "Work for people" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
