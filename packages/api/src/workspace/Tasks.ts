import { Task as Noun, taskSorts } from "@leadloom/core/internal/domain/task/Task"
import { maxCommentLength, TaskComment as CommentNoun } from "@leadloom/core/internal/domain/task/TaskComment"
import { maxTaskTitleLength } from "@leadloom/core/internal/workflow/task/OpenTask"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { IdempotencyKey, TenantPath, Time, cursor, nextCursor, pageSize, text } from "../schema/Field.ts"
import { changeRequest, wire } from "../schema/Wire.ts"
import { tenantId } from "../schema/Ids.ts"

export const { schema: Task, toJson: taskToJson } = wire(Noun, "Task", {
  description: "Work for a person, created by a rule, by the pipeline or by the server",
  id: "taskId",
  omit: ["tenantId", "recurrenceMinute"]
})

export const { schema: TaskComment, toJson: taskCommentToJson } = wire(CommentNoun, "TaskComment", {
  description: "A comment of a person on a task",
  id: "commentId",
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
    title: {
      schema: text(maxTaskTitleLength),
      description: `A short instruction for the person; at most ${maxTaskTitleLength} characters`
    },
    description: {},
    dueAt: {},
    assigneeId: {},
    teamId: {},
    remindAt: {},
    recurrence: {},
    disposition: {},
    snoozeUntil: { description: "A future time: the task is snoozed until this time; null: the task opens immediately" }
  }
)

/** The types of tasks that people create. The pipeline creates approvals of replies. */
const createdTypes = Schema.Literals(["callback", "follow_up", "review"]).annotate({
  description: "The kind of work: call back, follow up, or review something"
})

const { fromJson: settableOf, schema: Settable } = changeRequest(Noun, "TaskSettings", "Optional fields of a task", {
  contactId: { description: "The contact that the task concerns; absent or null: none" },
  leadId: {},
  priority: {},
  description: {},
  dueAt: {},
  assigneeId: {},
  teamId: {},
  remindAt: {},
  recurrence: {}
})

export const CreateTask = Schema.Struct({
  title: text(maxTaskTitleLength).annotate({
    description: "A short instruction for the person; at most 200 characters"
  }),
  type: createdTypes,
  ...Settable.fields
}).annotate({ identifier: "CreateTask", description: "A new task, about a contact or without one" })

/** Reads the request for a new task. */
export const taskRequestOf = ({ title, type, ...rest }: typeof CreateTask.Type) => {
  const {
    assigneeId = null,
    contactId = null,
    description = null,
    dueAt = null,
    leadId = null,
    ...more
  } = settableOf(rest)
  const { priority = "normal", recurrence = null, remindAt = null, teamId = null } = more
  const optional = { assigneeId, contactId, description, dueAt, leadId, priority, recurrence, remindAt, teamId }
  return { ...optional, title, type }
}

/** The filters of task lists. */
export const taskQuery = {
  status: Schema.optionalKey(Noun.fields.status).annotate({ description: "Default: open" }),
  type: Schema.optionalKey(Noun.fields.type).annotate({ description: "Only tasks of this type" }),
  priority: Schema.optionalKey(Noun.fields.priority).annotate({ description: "Only tasks of this priority" }),
  contact_id: Schema.optionalKey(Schema.String).annotate({ description: "Only tasks of this contact" }),
  lead_id: Schema.optionalKey(Schema.String).annotate({ description: "Only tasks of this lead" }),
  assignee_id: Schema.optionalKey(Schema.String).annotate({ description: "Only tasks of this user" }),
  team_id: Schema.optionalKey(Schema.String).annotate({ description: "Only tasks of this team" }),
  due_after: Schema.optionalKey(Time).annotate({
    description: "Only tasks that are due at or after this time (ISO 8601)"
  }),
  due_before: Schema.optionalKey(Time).annotate({ description: "Only tasks that are due before this time (ISO 8601)" }),
  limit: pageSize(100, 50),
  cursor,
  sort: Schema.optionalKey(Schema.Literals(taskSorts)).annotate({
    description:
      "due_at (default): by due time; tasks with the same due time by age, oldest first. -priority: most urgent first. priority: least urgent first. Tasks of the same priority are sorted by due time"
  })
}

const TaskPath = { ...TenantPath, task_id: Schema.String.annotate({ description: "Task id (`task_…`)" }) }

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
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/tasks", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateTask,
      success: Task.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a task about a contact, or without one")
      .annotate(
        OpenApi.Description,
        "A recurring task needs `due_at`. Its occurrences keep their local time in the time zone of the assignee, or of the tenant."
      )
      .annotate(Gate, gate("tasks.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/tasks/:task_id", {
      params: TaskPath,
      success: Task,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a task")
      .annotate(Gate, gate("tasks.get", { limiter: "admin" })),
    HttpApiEndpoint.get("listComments", "/tenants/:tenant_id/tasks/:task_id/comments", {
      params: TaskPath,
      query: { cursor, limit: pageSize(100, 50) },
      success: Schema.Struct({
        comments: Schema.Array(TaskComment).annotate({ description: "The comments, oldest first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "TaskCommentPage", description: "A page of the comments on a task" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the comments on a task, oldest first")
      .annotate(Gate, gate("tasks.listComments", { limiter: "admin" })),
    HttpApiEndpoint.post("comment", "/tenants/:tenant_id/tasks/:task_id/comments", {
      params: TaskPath,
      headers: IdempotencyKey,
      payload: Schema.Struct({
        body: text(maxCommentLength).annotate({
          description: `Plain text or Markdown, at most ${maxCommentLength} characters`
        })
      }).annotate({ identifier: "CommentOnTask", description: "The text of a comment" }),
      success: TaskComment.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Comment on a task")
      .annotate(Gate, gate("tasks.comment", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/tasks/:task_id", {
      params: TaskPath,
      payload: UpdateTask,
      success: Task,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change, reassign, snooze or complete a task")
      .annotate(
        OpenApi.Description,
        "Setting `snooze_until` snoozes the task; status done finishes it. Completing a recurring task creates the next one."
      )
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
