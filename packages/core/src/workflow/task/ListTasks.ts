import { Effect } from "effect"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import {
  type Task,
  type TaskKey,
  taskKey,
  taskPriorities,
  type TaskPriority,
  type TaskQuery
} from "../../domain/task/Task.ts"
import { withSpan } from "../WithSpan.ts"

/** The position of a task in a list. The list may be ordered by priority. */
interface Position extends TaskKey {
  /** Null in cursors of earlier versions, which had no order by priority. */
  readonly priority: TaskPriority | null
}

const readKey = ([dueAt, createdAt, taskId, priority]: CursorKey): Position | null =>
  typeof dueAt === "number" && typeof createdAt === "number" && typeof taskId === "string"
    ? { dueAt, createdAt, taskId, priority: taskPriorities.find((one) => one === priority) ?? null }
    : null

/**
 * Returns the priorities whose tasks a page reads one after another. Null means that tasks of all priorities are read
 * together.
 */
const steps = ({ priority, sort }: TaskQuery, after: Position | null): ReadonlyArray<TaskPriority | null> => {
  if (sort === "due_at" || priority !== null) return [priority]
  const all = sort === "priority" ? taskPriorities : taskPriorities.toReversed()
  return all.slice(all.findIndex((one) => after === null || one === after.priority))
}

/**
 * Returns a page of tasks. They are ordered by due date and then by age, or by priority first. Tasks without a due date
 * come last within their priority.
 */
export const listTasks = Effect.fnUntraced(function* (tenantId: string, query: TaskQuery, page: PageRequest) {
  const tasks = yield* Tasks
  const { sort, ...filter } = query
  const fetch = Effect.fnUntraced(function* (limit: number, after: Position | null) {
    const found: Array<Task> = []
    for (const [index, priority] of steps(query, after).entries()) {
      const from = index === 0 ? after : null
      found.push(...(yield* tasks.page(tenantId, { ...filter, priority }, limit - found.length, from)))
      if (found.length >= limit) break
    }
    return found
  })
  return yield* readPage(
    {
      // The default order is not part of the scope, so that cursors of earlier versions stay valid.
      scope: { tenantId, list: "tasks", filters: { ...filter, sort: sort === "due_at" ? null : sort } },
      fetch,
      keyOf: (task) => {
        const { createdAt, dueAt, taskId } = taskKey(task)
        return [dueAt, createdAt, taskId, task.priority]
      },
      readKey
    },
    page
  )
}, withSpan("listTasks"))
