import { Effect } from "effect"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { type TaskKey, taskKey, type TaskQuery } from "../../domain/task/Task.ts"

const readKey = ([dueAt, createdAt, taskId]: CursorKey): TaskKey | null =>
  typeof dueAt === "number" && typeof createdAt === "number" && typeof taskId === "string"
    ? { dueAt, createdAt, taskId }
    : null

/** Returns a page of tasks, ordered by due date and then by age. Tasks without a due date are last. */
export const listTasks = Effect.fn("listTasks")(function* (tenantId: string, query: TaskQuery, page: PageRequest) {
  const tasks = yield* Tasks
  return yield* readPage(
    {
      scope: { tenantId, list: "tasks", filters: { ...query } },
      fetch: (limit, after: TaskKey | null) => tasks.page(tenantId, query, limit, after),
      keyOf: (task) => {
        const { createdAt, dueAt, taskId } = taskKey(task)
        return [dueAt, createdAt, taskId]
      },
      readKey
    },
    page
  )
})
