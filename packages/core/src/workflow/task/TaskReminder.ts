import { Clock, Effect } from "effect"
import { done, type JobOutcome, type QueuedJob } from "../../domain/job/Job.ts"
import type { Task } from "../../domain/task/Task.ts"
import { taskEvent } from "../../domain/task/TaskEvent.ts"
import type { TaskReminderJob } from "../../domain/task/TaskReminderJob.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordEvents } from "../webhook/Outbox.ts"

/** Queues the reminder of a task, if it has one. An earlier reminder of the task moves to the new time. */
export const scheduleReminder = Effect.fnUntraced(function* ({ remindAt, taskId, tenantId }: Task, now: number) {
  if (remindAt === null) return
  const job: TaskReminderJob = { kind: "task_reminder", taskId }
  yield* (yield* Jobs).renew({ tenantId, jobId: `task_reminder:${taskId}`, dueAt: remindAt, createdAt: now, job })
})

/**
 * Records the event `task.reminder` for a task that is not done. The event and the end of the job are one unit of work,
 * so several servers record one event. A reminder that was removed or postponed records nothing.
 */
export const runTaskReminder = Effect.fnUntraced(function* (queued: QueuedJob<TaskReminderJob>) {
  const { job, tenantId } = queued
  const now = yield* Clock.currentTimeMillis
  const [jobs, tasks] = [yield* Jobs, yield* Tasks]
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const task = yield* Effect.catchTag(tasks.get(tenantId, job.taskId), "TaskNotFound", () => Effect.succeed(null))
      if (task?.remindAt !== undefined && task.remindAt !== null && task.remindAt > now) {
        return { _tag: "Later", dueAt: task.remindAt, job, reason: null } satisfies JobOutcome
      }
      if (!(yield* jobs.finish(queued))) return done
      if (task === null || task.remindAt === null || task.status === "done") return done
      yield* recordEvents([taskEvent("task.reminder", task)], now)
      return done
    })
  )
})
