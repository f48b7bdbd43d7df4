import type { Effect } from "effect"
import { Context } from "effect"
import type { TimelineKey } from "../../../domain/contact/Activity.ts"
import type { TaskNotFound, NewTask, Task, TaskKey, TaskQuery } from "../../../domain/task/Task.ts"
import type { WorkHolder } from "../../../domain/user/Assignment.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/**
 * The tasks of people. A snoozed task counts as open from the end of its snooze on. Every read compares the times, so
 * no worker is needed.
 */
export class Tasks extends Context.Service<
  Tasks,
  {
    readonly insert: (task: NewTask) => Effect.Effect<void, StoreUnavailable>
    readonly get: (tenantId: string, taskId: string) => Effect.Effect<Task, TaskNotFound | StoreUnavailable>
    /** Replaces an existing task. Does nothing for an unknown task. */
    readonly update: (task: Task) => Effect.Effect<void, StoreUnavailable>
    /** Lists the tasks of a tenant that match a filter after `after`, by due time and then oldest first. */
    readonly page: (
      tenantId: string,
      filter: Omit<TaskQuery, "sort">,
      limit: number,
      after: TaskKey | null
    ) => Effect.Effect<ReadonlyArray<Task>, StoreUnavailable>
    /** Counts the open tasks of each user. A user without one is missing. */
    readonly openCounts: (
      tenantId: string,
      userIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, number>, StoreUnavailable>
    /** Lists tasks that are not done and belong to a user or a team, up to `limit`. */
    readonly heldBy: (
      tenantId: string,
      holder: WorkHolder,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Task>, StoreUnavailable>
    /** Lists the tasks of a contact, oldest first. */
    readonly ofContact: (tenantId: string, contactId: string) => Effect.Effect<ReadonlyArray<Task>, StoreUnavailable>
    /** Lists the tasks of a contact before a key of its timeline, newest first. Null starts with the newest. */
    readonly before: (
      tenantId: string,
      contactId: string,
      key: TimelineKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Task>, StoreUnavailable>
    /** Lists the tasks of a contact that are not done, newest first. */
    readonly openOfContact: (
      tenantId: string,
      contactId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Task>, StoreUnavailable>
  }
>()("core/port/repository/lead/Tasks") {}
