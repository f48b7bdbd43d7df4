import { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import {
  beginTask,
  neverDue,
  taskAsOf,
  Task,
  type TaskKey,
  TaskNotFound,
  type TaskQuery,
  taskPriorities,
  taskTypes
} from "@leadloom/core/internal/domain/task/Task"
import { Clock, type Context, Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { assignedRows } from "../../sql/AssignedRows.ts"
import { first, newest, oldest, type Queries } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const tasks = table(Task, { name: "tasks", key: ["tenantId", "taskId"] })

/** The expression must equal the one in the index. A task without a due date sorts last. */
const due = `coalesce(due_at, ${neverDue})`
const order = `${due}, created_at, task_id`
/** The part of an index between two positions. */
const between = `(${due}, created_at, task_id) > (?, ?, ?) AND ${due} <= ?`

type TaskFilter = Omit<TaskQuery, "sort">

/** Returns the parameters of `between`. A filter by due time leaves out tasks without a due date. */
const rangeOf = ({ dueAfter, dueBefore }: TaskFilter, after: TaskKey | null) => {
  const isDated = dueAfter !== undefined || dueBefore !== undefined
  const last = isDated ? Math.min(neverDue, dueBefore ?? neverDue) - 1 : neverDue
  const from = after ?? { dueAt: dueAfter ?? oldest, createdAt: oldest, taskId: "" }
  return [from.dueAt, from.createdAt, from.taskId, last] as const
}

/** Returns a query that reads the first rows of several ranges of an index, and merges them into a page. */
const streams = (by: Queries["by"], index: string, equals: ReadonlyArray<string>, count: number): string => {
  const same = equals.map((column) => `AND ${column} = ? `).join("")
  const one = `SELECT * FROM (SELECT ${tasks.columns}, ${due} AS due FROM tasks ${by(index)}
    WHERE tenant_id = ? ${same}AND ${between} AND (CAST(? AS text) IS NULL OR team_id = ?)
    ORDER BY ${order} LIMIT ?) AS stream`
  const all = Array.from({ length: count }, () => one).join(" UNION ALL ")
  return `SELECT * FROM (${all}) AS streams ORDER BY due, "createdAt", "taskId" LIMIT ?`
}

/** Filters that apply to the few tasks of one contact or lead. */
const filters = ["type", "contact_id", "priority", "assignee_id", "team_id"]

/** Returns a query that reads all tasks of one contact or lead, which are few. */
const few = (by: Queries["by"], index: string, column: string): string => {
  const matches = filters.map((one) => `AND (CAST(? AS text) IS NULL OR ${one} = ?)`).join(" ")
  return `SELECT ${tasks.columns} FROM tasks ${by(index)} WHERE tenant_id = ? AND ${column} = ?
    AND CASE WHEN status = ? ${matches} AND ${between} THEN 1 ELSE 0 END = 1
    ORDER BY ${order} LIMIT ?`
}

type Row = Task & { readonly due?: number }

/** Returns a function that reads a page from ranges of one index, one range for each combination of values. */
const merging = (
  { by, query }: Queries,
  index: string,
  equals: ReadonlyArray<string>,
  counts: ReadonlyArray<number>
) => {
  const statements = new Map(counts.map((count) => [count, query<Row>(streams(by, index, equals, count))]))
  return (
    tenantId: string,
    ranges: ReadonlyArray<ReadonlyArray<string>>,
    rest: ReadonlyArray<string | number | null>,
    limit: number
  ) => {
    const params = ranges.flatMap((values) => [tenantId, ...values, ...rest, limit])
    const statement = statements.get(ranges.length)
    return statement === undefined
      ? Effect.die(`no statement for ${ranges.length} ranges`)
      : statement(...params, limit)
  }
}

/** Returns every combination of a status, the wanted types and the wanted priorities. */
const combinations = ({ priority, status, type }: TaskFilter): ReadonlyArray<ReadonlyArray<string>> =>
  (type === null ? taskTypes : [type]).flatMap((one) =>
    (priority === null ? taskPriorities : [priority]).map((other) => [status, one, other])
  )

const pages = (all: Queries) => {
  const { by, command, query } = all
  const sleepers = query(
    `SELECT 1 AS one FROM tasks ${by("tasks_snoozed")}
      WHERE tenant_id = ? AND status = 'snoozed' AND snooze_until <= ? LIMIT 1`
  )
  const wake = command(
    `UPDATE tasks SET status = 'open', updated_at = snooze_until, snooze_until = NULL
      WHERE tenant_id = ? AND status = 'snoozed' AND snooze_until <= ?`
  )
  const [types, priorities] = [taskTypes.length, taskPriorities.length]
  const inQueue = merging(all, "tasks_queue", ["status", "type"], [1, types])
  const ofPriority = merging(all, "tasks_priority", ["status", "type", "priority"], [1, types])
  const sorted = ["status", "type", "priority"]
  const counts = [...new Set([1, types, priorities, types * priorities])]
  const ofAssignee = merging(all, "tasks_assignee", ["assignee_id", ...sorted], counts)
  const ofTeam = merging(all, "tasks_team", ["team_id", ...sorted], counts)
  const ofContact = query<Row>(few(by, "tasks_contact", "contact_id"))
  const ofLead = query<Row>(few(by, "tasks_lead", "lead_id"))
  const find = (tenantId: string, filter: TaskFilter, limit: number, after: TaskKey | null) => {
    const { assigneeId = null, contactId, leadId, priority, status, teamId = null, type } = filter
    const range = rangeOf(filter, after)
    const matches = [type, contactId, priority, assigneeId, teamId].flatMap((value) => [value, value])
    if (leadId !== null) return ofLead(tenantId, leadId, status, ...matches, ...range, limit)
    if (contactId !== null) return ofContact(tenantId, contactId, status, ...matches, ...range, limit)
    const rest = [...range, teamId, teamId]
    if (assigneeId !== null) {
      return ofAssignee(
        tenantId,
        combinations(filter).map((values) => [assigneeId, ...values]),
        rest,
        limit
      )
    }
    if (teamId !== null) {
      return ofTeam(
        tenantId,
        combinations(filter).map((values) => [teamId, ...values]),
        rest,
        limit
      )
    }
    if (priority !== null) return ofPriority(tenantId, combinations(filter), rest, limit)
    const shown = type === null ? taskTypes : [type]
    return inQueue(
      tenantId,
      shown.map((one) => [status, one]),
      rest,
      limit
    )
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

/** The statements that read the tasks of users and teams. */
const assignedTasks = (all: Queries): Pick<Context.Service.Shape<typeof Tasks>, "heldBy" | "openCounts"> => {
  const { heldBy, openCounts } = assignedRows(all, {
    name: "tasks",
    columns: tasks.columns,
    isOpen: "status = 'open'",
    isUnfinished: "status IN ('open', 'snoozed')",
    indexes: { assignee: "tasks_assignee", team: "tasks_team" },
    prepare: (text) => all.query<Task>(text)
  })
  return { openCounts, heldBy: (...asked) => Effect.flatMap(heldBy(...asked), asOfNow) }
}

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
      ...assignedTasks(database),
      ofContact: (tenantId, contactId) => Effect.flatMap(ofContact(tenantId, contactId), asOfNow),
      before: (tenantId, contactId, key, limit) =>
        Effect.flatMap(before(tenantId, contactId, key?.at ?? newest, key?.id ?? "", limit), asOfNow),
      openOfContact: (tenantId, contactId, limit) => Effect.flatMap(openOfContact(tenantId, contactId, limit), asOfNow)
    })
  })
)
