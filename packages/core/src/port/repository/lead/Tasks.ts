import type { Effect } from "effect"
import { Context } from "effect"
import type { TimelineKey } from "../../../domain/contact/Activity.ts"
import type { TaskNotFound, NewTask, Task, TaskKey, TaskQuery } from "../../../domain/task/Task.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/**
 * The work queue of people. A snoozed task is open for everybody who reads it from the millisecond on at which its time
 * has come; nothing has to run for that.
 */
export class Tasks extends Context.Service<
  Tasks,
  {
    readonly insert: (task: NewTask) => Effect.Effect<void, StoreUnavailable>
    readonly get: (tenantId: string, taskId: string) => Effect.Effect<Task, TaskNotFound | StoreUnavailable>
    /** Replaces a task that has been read; where there is none, none is made. */
    readonly update: (task: Task) => Effect.Effect<void, StoreUnavailable>
    /** Tasks of a tenant that a query asks for, by when they are due, then oldest first, after `after`. */
    readonly page: (
      tenantId: string,
      query: TaskQuery,
      limit: number,
      after: TaskKey | null
    ) => Effect.Effect<ReadonlyArray<Task>, StoreUnavailable>
    /** Tasks of a contact, oldest first. */
    readonly ofContact: (tenantId: string, contactId: string) => Effect.Effect<ReadonlyArray<Task>, StoreUnavailable>
    /** A contact's tasks before a key of its timeline, newest first; null: the newest. */
    readonly before: (
      tenantId: string,
      contactId: string,
      key: TimelineKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Task>, StoreUnavailable>
    /** Tasks of a contact that are not done, newest first. */
    readonly openOfContact: (
      tenantId: string,
      contactId: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Task>, StoreUnavailable>
  }
>()("core/port/repository/lead/Tasks") {}
