import { Task as Noun, taskSorts } from "@leadloom/core/domain/task/Task"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, NotFound } from "../errors.ts"
import { TenantPath } from "../schema/Field.ts"
import { changeRequest, wire } from "../schema/Wire.ts"

export const { schema: Task, toJson: taskToJson } = wire(Noun, "Task", { id: "taskId", omit: ["tenantId"] })

export const TaskPage = Schema.Struct({
  tasks: Schema.Array(Task),
  next_cursor: Schema.NullOr(Schema.String)
}).annotate({ identifier: "TaskPage" })

export const { fromJson: taskChangeOf, schema: UpdateTask } = changeRequest(Noun, "UpdateTask", {
  leadId: {},
  status: {},
  priority: {},
  disposition: {},
  snoozeUntil: { description: "A future time: the task is snoozed until this time; null: the task opens immediately" }
})

/** The filters of task lists. */
export const taskQuery = {
  status: Schema.optionalKey(Noun.fields.status).annotate({ description: "Default: open" }),
  type: Schema.optionalKey(Noun.fields.type),
  priority: Schema.optionalKey(Noun.fields.priority),
  contact_id: Schema.optionalKey(Schema.String),
  lead_id: Schema.optionalKey(Schema.String),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
  cursor: Schema.optionalKey(Schema.String),
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
      .annotate(Gate, gate("tasks.list", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/tasks/:task_id", {
      params: { ...TenantPath, task_id: Schema.String },
      payload: UpdateTask,
      success: Task,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change a task's lead, status, priority or disposition, or snooze it")
      .annotate(Gate, gate("tasks.update", { limiter: "admin" })),
    HttpApiEndpoint.get("callbacks", "/callbacks", {
      query: { tenant_id: Schema.String, ...taskQuery },
      success: TaskPage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List tasks; former path")
      .annotate(OpenApi.Deprecated, true)
      .annotate(Gate, gate("tasks.callbacks", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Tasks", description: "Work for people" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
