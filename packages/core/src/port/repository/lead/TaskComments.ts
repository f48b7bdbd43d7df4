import type { Effect } from "effect"
import { Context } from "effect"
import type { TaskComment } from "../../../domain/task/TaskComment.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The comments of people on tasks. */
export class TaskComments extends Context.Service<
  TaskComments,
  {
    readonly insert: (comment: TaskComment) => Effect.Effect<void, StoreUnavailable>
    /** Lists the comments on a task after an id, oldest first. Null starts with the oldest. */
    readonly page: (
      tenantId: string,
      taskId: string,
      limit: number,
      after: string | null
    ) => Effect.Effect<ReadonlyArray<TaskComment>, StoreUnavailable>
  }
>()("core/port/repository/lead/TaskComments") {}
