import { TaskComment } from "@leadloom/core/internal/domain/task/TaskComment"
import { TaskComments } from "@leadloom/core/internal/port/repository/lead/TaskComments"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const comments = table(TaskComment, { name: "task_comments", key: ["tenantId", "taskId", "commentId"] })

/** Stores comments on tasks in SQL. Ids sort by creation time, so the primary key has the order of the list. */
export const layer: Layer.Layer<TaskComments, never, Database> = Layer.effect(
  TaskComments,
  Effect.map(Database, (database) => {
    const insert = database.command(comments.insert)
    const page = comments.reading(database).all(
      `SELECT ${comments.columns} FROM task_comments
        WHERE tenant_id = ? AND task_id = ? AND comment_id > ? ORDER BY comment_id LIMIT ?`
    )
    return TaskComments.of({
      insert: (comment) => insert(...comments.values(comment)),
      page: (tenantId, taskId, limit, after) => page(tenantId, taskId, after ?? "", limit)
    })
  })
)
