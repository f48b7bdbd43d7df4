/**
 * Tasks: the list and the page of one task. Tasks of a contact belong to its page. Tests: `packages/console/test`.
 */
import type { Task, TasksListOptions, UpdateTask } from "@leadloom/client"
import { type QueryClient, queryOptions, useQueryClient } from "@tanstack/react-query"
import { useAction } from "../app/Action.ts"
import { type Connection, useConnection } from "../app/Connection.ts"
import type { EventHandler } from "../app/Live.ts"
import { compareText, type Placement, putRow, readAgain } from "../app/RowCache.ts"
import { rowsOptions } from "../app/Rows.tsx"
import { dueBefore, type TaskSearch } from "./TaskSearch.ts"

const tasksPerPage = 50

/** The filters that the server applies. */
type TaskFilter = Pick<
  TasksListOptions,
  "status" | "type" | "priority" | "teamId" | "assigneeId" | "dueBefore" | "sort"
>

const listsKey = (tenantId: string) => [tenantId, "tasks"] as const

const filterOf = ({ userId }: Connection, { due, owner, ...same }: TaskSearch, now: Date): TaskFilter => ({
  ...same,
  ...(owner === undefined || userId === null || same.teamId !== undefined ? {} : { assigneeId: userId }),
  ...(due === undefined ? {} : { dueBefore: dueBefore(due, now) })
})

/** The request of a list of tasks, page by page. */
export const taskListOptions = (connection: Connection, search: TaskSearch, now: Date) => {
  const { client, tenantId } = connection
  const filter = filterOf(connection, search, now)
  return rowsOptions<Task>([...listsKey(tenantId), filter], async (cursor, signal) => {
    const page = await client.tasks.list(tenantId, { ...filter, cursor, limit: tasksPerPage, signal })
    return { rows: page.tasks, next: page.next_cursor }
  })
}

/** The request of one task. */
export const taskOptions = ({ client, tenantId }: Connection, taskId: string) =>
  queryOptions({
    queryKey: [tenantId, "task", taskId] as const,
    queryFn: ({ signal }) => client.tasks.get(tenantId, taskId, { signal })
  })

const fits = (wanted: string | undefined, value: string | null): boolean => wanted === undefined || wanted === value

const priorities = ["low", "normal", "high", "urgent"] as const

/** Tasks without a due time come last, as on the server. */
const byDue = (one: Task, other: Task): number =>
  compareText(one.due_at ?? "~", other.due_at ?? "~") ||
  compareText(one.created_at, other.created_at) ||
  compareText(one.id, other.id)

const byPriority = (one: Task, other: Task): number =>
  priorities.indexOf(one.priority) - priorities.indexOf(other.priority)

const placement: Placement<Task, TaskFilter> = {
  belongs: (filter, task) =>
    task.status === (filter.status ?? "open") &&
    fits(filter.type, task.type) &&
    fits(filter.priority, task.priority) &&
    fits(filter.teamId, task.team_id) &&
    fits(filter.assigneeId, task.assignee_id) &&
    (filter.dueBefore === undefined || (task.due_at !== null && task.due_at < filter.dueBefore)),
  compare: ({ sort = "due_at" }) => {
    if (sort === "due_at") return byDue
    const sign = sort === "priority" ? 1 : -1
    return (one, other) => sign * byPriority(one, other) || byDue(one, other)
  }
}

/** Puts the current record of a task into every list and into its page. Returns the function that restores them. */
export const applyTask = (queries: QueryClient, connection: Connection, task: Task): (() => void) => {
  const { queryKey } = taskOptions(connection, task.id)
  const former = queries.getQueryData(queryKey)
  const restore = putRow(queries, listsKey(connection.tenantId), task, placement)
  queries.setQueryData(queryKey, task)
  return () => {
    restore()
    queries.setQueryData(queryKey, former)
  }
}

/** Applies events of tasks to the lists. */
export const applyTaskEvent: EventHandler = (queries, connection, { data, event_type }) => {
  if (!event_type.startsWith("task.") || !("task_id" in data) || typeof data.task_id !== "string") return
  const taskId = data.task_id
  void readAgain(taskId, async () => {
    applyTask(queries, connection, await connection.client.tasks.get(connection.tenantId, taskId))
  })
}

const expectedTask = (task: Task, { snooze_until: until, ...change }: UpdateTask): Task => {
  const fields = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  return { ...task, ...fields, ...(typeof until === "string" ? { status: "snoozed", snooze_until: until } : {}) }
}

/** Returns the function that changes a task. The lists show the expected record immediately. */
export const useTaskChange = (task: Task, onDone?: (current: Task) => void) => {
  const queries = useQueryClient()
  const connection = useConnection()
  const { client, tenantId } = connection
  const [change] = useAction((body: UpdateTask) => client.tasks.update(tenantId, task.id, body), {
    expect: (body) => applyTask(queries, connection, expectedTask(task, body)),
    onSuccess: (current) => {
      applyTask(queries, connection, current)
      onDone?.(current)
    }
  })
  return change
}
