import { Clock, Context, Effect, Layer } from "effect"
import type { TimelineKey } from "../../domain/contact/Activity.ts"
import {
  beginTask,
  type NewTask,
  standingAt,
  type Task,
  type TaskKey,
  taskKey,
  TaskNotFound,
  type TaskQuery
} from "../../domain/task/Task.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

const byDate = by<TaskKey>(
  ({ dueAt }) => dueAt,
  ({ createdAt }) => createdAt,
  ({ taskId }) => taskId
)

const oldestFirst = by<Task>(
  (task) => task.createdAt,
  (task) => task.taskId
)

const isListed = (task: Task, { contactId, leadId, status, type }: TaskQuery): boolean =>
  task.status === status &&
  (type === null || task.type === type) &&
  (contactId === null || task.contactId === contactId) &&
  (leadId === null || task.leadId === leadId)

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
>()("core/port/repository/Tasks") {
  static readonly layerMemory: Layer.Layer<Tasks> = Layer.effect(
    Tasks,
    Effect.map(MemoryState, (state) => {
      const standing = (tenantId: string): Effect.Effect<ReadonlyArray<Task>> =>
        Effect.map(Clock.currentTimeMillis, (now) =>
          ofTenant(state.tasks, tenantId).map((task) => standingAt(task, now))
        )
      const ofContact = (tenantId: string, contactId: string): Effect.Effect<ReadonlyArray<Task>> =>
        Effect.map(standing(tenantId), (tasks) =>
          tasks.filter((task) => task.contactId === contactId).toSorted(oldestFirst)
        )
      return Tasks.of({
        insert: (task) => addNew(state.tasks, keyOf(task.tenantId, task.taskId), beginTask(task)),
        get: (tenantId, taskId) =>
          Effect.flatMap(standing(tenantId), (tasks) => {
            const task = tasks.find((one) => one.taskId === taskId)
            return task === undefined ? Effect.fail(new TaskNotFound({ taskId })) : Effect.succeed(task)
          }),
        update: (task) =>
          Effect.sync(() => {
            const key = keyOf(task.tenantId, task.taskId)
            if (state.tasks.has(key)) state.tasks.set(key, task)
          }),
        page: (tenantId, query, limit, after) =>
          Effect.map(standing(tenantId), (tasks) =>
            tasks
              .filter((task) => isListed(task, query) && (after === null || byDate(taskKey(task), after) > 0))
              .toSorted((one, other) => byDate(taskKey(one), taskKey(other)))
              .slice(0, limit)
          ),
        ofContact,
        before: (tenantId, contactId, key, limit) =>
          Effect.map(ofContact(tenantId, contactId), (tasks) =>
            tasks
              .filter(
                ({ createdAt, taskId }) =>
                  key === null || createdAt < key.at || (createdAt === key.at && taskId < key.id)
              )
              .toReversed()
              .slice(0, limit)
          ),
        openOfContact: (tenantId, contactId, limit) =>
          Effect.map(ofContact(tenantId, contactId), (tasks) =>
            tasks
              .filter(({ status }) => status !== "done")
              .toReversed()
              .slice(0, limit)
          )
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}
