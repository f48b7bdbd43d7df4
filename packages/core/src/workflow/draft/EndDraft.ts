import { Clock, Effect } from "effect"
import type { Draft } from "../../domain/draft/Draft.ts"
import { taskEvent } from "../../domain/task/TaskEvent.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { recordEvents } from "../webhook/Outbox.ts"

const taskOf = Effect.fnUntraced(function* ({ taskId, tenantId }: Draft) {
  if (taskId === null) return null
  return yield* Effect.catchTag((yield* Tasks).get(tenantId, taskId), "TaskNotFound", () => Effect.succeed(null))
})

/**
 * Ends a draft that a person has approved or dismissed. Completes the task of a pending draft, with the event
 * `task.completed`. Runs inside a unit of work.
 */
export const endDraft = Effect.fnUntraced(function* (draft: Draft, state: "sent" | "dismissed") {
  const before = yield* taskOf(draft)
  yield* (yield* Drafts).end(draft.tenantId, draft.draftId, state)
  const after = yield* taskOf(draft)
  if (before === null || after === null || before.status === after.status) return
  yield* recordEvents([taskEvent("task.completed", after)], yield* Clock.currentTimeMillis)
})
