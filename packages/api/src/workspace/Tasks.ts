import { taskStatuses, taskTypes } from "@leadloom/core/domain/task/Task"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, NotFound } from "../errors.ts"
import { TenantPath, Time, Timestamp } from "../schema/Field.ts"

const Type = Schema.Literals(taskTypes)
const Status = Schema.Literals(taskStatuses)

export const Task = Schema.Struct({
  id: Schema.String,
  type: Type,
  status: Status,
  title: Schema.String,
  contact_id: Schema.String,
  lead_id: Schema.NullOr(Schema.String),
  signal_id: Schema.NullOr(Schema.String),
  due_at: Schema.NullOr(Timestamp),
  snooze_until: Schema.NullOr(Timestamp).annotate({
    description: "The time at which a snoozed task opens again automatically"
  }),
  disposition: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  updated_at: Timestamp
}).annotate({ identifier: "Task" })

export const TaskPage = Schema.Struct({
  tasks: Schema.Array(Task),
  next_cursor: Schema.NullOr(Schema.String)
}).annotate({ identifier: "TaskPage" })

export const UpdateTask = Schema.Struct({
  lead_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  status: Schema.optionalKey(Status),
  disposition: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(500)))).annotate({
    description: "The outcome of the task"
  }),
  snooze_until: Schema.optionalKey(Schema.NullOr(Time)).annotate({
    description: "A future time: the task is snoozed until then; null: the task opens again immediately"
  })
}).annotate({ identifier: "UpdateTask" })

const query = {
  status: Schema.optionalKey(Status).annotate({ description: "Default: open" }),
  type: Schema.optionalKey(Type),
  contact_id: Schema.optionalKey(Schema.String),
  lead_id: Schema.optionalKey(Schema.String),
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
  cursor: Schema.optionalKey(Schema.String)
}

export const TasksGroup = HttpApiGroup.make("tasks")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/tasks", {
      params: TenantPath,
      query,
      success: TaskPage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List tasks by due time, then oldest first; only open tasks by default")
      .annotate(Gate, gate("tasks.list", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/tasks/:task_id", {
      params: { ...TenantPath, task_id: Schema.String },
      payload: UpdateTask,
      success: Task,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change a task's lead, status or disposition, or snooze it")
      .annotate(Gate, gate("tasks.update", { limiter: "admin" })),
    HttpApiEndpoint.get("callbacks", "/callbacks", {
      query: { tenant_id: Schema.String, ...query },
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
