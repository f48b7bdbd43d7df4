import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import {
  beginTask,
  neverDue,
  taskAsOf,
  Task,
  type TaskKey,
  TaskNotFound,
  type TaskQuery,
  taskTypes
} from "@leadloom/core/internal/domain/task/Task"
import { Clock, Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { first, newest, oldest, type Queries } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const tasks = table(Task, { name: "tasks", key: ["tenantId", "taskId"] })

/** The expression must equal the one in the index. A task without a due date sorts last. */
const due = `coalesce(due_at, ${neverDue})`
const behind = `(${due}, created_at, task_id) > (?, ?, ?)`
const order = `${due}, created_at, task_id`

type TaskFilter = Omit<TaskQuery, "sort">

const keyParams = (after: TaskKey | null) => [after?.dueAt ?? oldest, after?.createdAt ?? oldest, after?.taskId ?? ""]

/** Returns a query that reads the first rows of each type from its range of an index, and merges them into a page. */
const streams = (by: Queries["by"], count: number, ofPriority: boolean): string => {
  const one = `SELECT * FROM (SELECT ${tasks.columns}, ${due} AS due FROM tasks ${by(ofPriority ? "tasks_priority" : "tasks_queue")}
    WHERE tenant_id = ? AND status = ? AND type = ? ${ofPriority ? "AND priority = ? " : ""}AND ${behind} ORDER BY ${order} LIMIT ?) AS stream`
  const all = Array.from({ length: count }, () => one).join(" UNION ALL ")
  return `SELECT * FROM (${all}) AS streams ORDER BY due, "createdAt", "taskId" LIMIT ?`
}

/** Returns a query that reads all tasks of one contact or lead, which are few. */
const few = (by: Queries["by"], index: string, column: string): string =>
  `SELECT ${tasks.columns} FROM tasks ${by(index)} WHERE tenant_id = ? AND ${column} = ?
    AND CASE WHEN status = ? AND (CAST(? AS text) IS NULL OR type = ?) AND (CAST(? AS text) IS NULL OR contact_id = ?)
        AND (CAST(? AS text) IS NULL OR priority = ?) AND ${behind}
      THEN 1 ELSE 0 END = 1
    ORDER BY ${order} LIMIT ?`

const pages = ({ by, command, query }: Queries) => {
  const sleepers = query(
    `SELECT 1 AS one FROM tasks ${by("tasks_snoozed")}
      WHERE tenant_id = ? AND status = 'snoozed' AND snooze_until <= ? LIMIT 1`
  )
  const wake = command(
    `UPDATE tasks SET status = 'open', updated_at = snooze_until, snooze_until = NULL
      WHERE tenant_id = ? AND status = 'snoozed' AND snooze_until <= ?`
  )
  type Row = Task & { readonly due?: number }
  const inQueue = { one: query<Row>(streams(by, 1, false)), all: query<Row>(streams(by, taskTypes.length, false)) }
  const ofPriority = { one: query<Row>(streams(by, 1, true)), all: query<Row>(streams(by, taskTypes.length, true)) }
  const ofContact = query<Row>(few(by, "tasks_contact", "contact_id"))
  const ofLead = query<Row>(few(by, "tasks_lead", "lead_id"))
  const find = (
    tenantId: string,
    { contactId, leadId, priority, status, type }: TaskFilter,
    limit: number,
    after: TaskKey | null
  ) => {
    const key = keyParams(after)
    const rest = [priority, priority, ...key, limit] as const
    if (leadId !== null) return ofLead(tenantId, leadId, status, type, type, contactId, contactId, ...rest)
    if (contactId !== null) return ofContact(tenantId, contactId, status, type, type, null, null, ...rest)
    const shown = type === null ? taskTypes : [type]
    const wanted = priority === null ? [] : [priority]
    const params = shown.flatMap((one) => [tenantId, status, one, ...wanted, ...key, limit])
    const statements = priority === null ? inQueue : ofPriority
    return type === null ? statements.all(...params, limit) : statements.one(...params, limit)
  }
  // A list first ends the snooze of tasks whose snooze time has passed. Afterwards, the index has the current status
  // and order of all tasks, and the list can skip tasks that are still snoozed.
  return Effect.fnUntraced(function* (tenantId: string, requested: TaskFilter, limit: number, after: TaskKey | null) {
    const now = yield* Clock.currentTimeMillis
    if ((yield* sleepers(tenantId, now)).length > 0) yield* wake(tenantId, now)
    return (yield* find(tenantId, requested, limit, after)).map(({ due: _, ...task }): Task => task)
  })
}

/** Returns tasks with their status at the current time. */
const asOfNow = (rows: ReadonlyArray<Task>): Effect.Effect<ReadonlyArray<Task>> =>
  Effect.map(Clock.currentTimeMillis, (now) => rows.map((task) => taskAsOf(task, now)))

/** Stores the tasks of people in SQL. */
export const layer: Layer.Layer<Tasks, never, Database> = Layer.effect(
  Tasks,
  Effect.map(Database, (database) => {
    const { command, query } = database
    const insert = command(tasks.insert)
    const update = command(tasks.replace)
    const find = query<Task>(`SELECT ${tasks.columns} FROM tasks WHERE tenant_id = ? AND task_id = ?`)
    const ofContact = query<Task>(
      `SELECT ${tasks.columns} FROM tasks WHERE tenant_id = ? AND contact_id = ? ORDER BY created_at, task_id`
    )
    const before = query<Task>(
      `SELECT ${tasks.columns} FROM tasks
        WHERE tenant_id = ? AND contact_id = ? AND (created_at, task_id) < (?, ?)
        ORDER BY created_at DESC, task_id DESC LIMIT ?`
    )
    const openOfContact = query<Task>(
      `SELECT ${tasks.columns} FROM tasks
        WHERE tenant_id = ? AND contact_id = ? AND status <> 'done' ORDER BY created_at DESC, task_id DESC LIMIT ?`
    )
    return Tasks.of({
      insert: (task) => insert(...tasks.values(beginTask(task))),
      get: Effect.fnUntraced(function* (tenantId, taskId) {
        const task = first(yield* asOfNow(yield* find(tenantId, taskId)))
        return task ?? (yield* new TaskNotFound({ taskId }))
      }),
      update: (task) => update(...tasks.changes(task)),
      page: pages(database),
      ofContact: (tenantId, contactId) => Effect.flatMap(ofContact(tenantId, contactId), asOfNow),
      before: (tenantId, contactId, key, limit) =>
        Effect.flatMap(before(tenantId, contactId, key?.at ?? newest, key?.id ?? "", limit), asOfNow),
      openOfContact: (tenantId, contactId, limit) => Effect.flatMap(openOfContact(tenantId, contactId, limit), asOfNow)
    })
  })
)
