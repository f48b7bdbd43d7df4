import { Clock, Effect } from "effect"
import type { Draft } from "../../domain/draft/Draft.ts"
import { draftEvent } from "../../domain/draft/DraftEvent.ts"
import { taskEvent } from "../../domain/task/TaskEvent.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { Tasks } from "../../port/repository/lead/Tasks.ts"
import { recordEvents } from "../webhook/Outbox.ts"

const taskOf = Effect.fnUntraced(function* ({ taskId, tenantId }: Draft) {
  if (taskId === null) return null
  return yield* Effect.catchTag((yield* Tasks).get(tenantId, taskId), "TaskNotFound", () => Effect.succeed(null))
})

/**
 * Ends a pending draft that a person has approved or dismissed, completes its task, and records the events of both. A
 * draft that is not pending does not change. Runs inside a unit of work.
 */
export const endDraft = Effect.fnUntraced(function* (draft: Draft, state: "sent" | "dismissed") {
  if (draft.state !== "pending") return
  const before = yield* taskOf(draft)
  yield* (yield* Drafts).end(draft.tenantId, draft.draftId, state)
  const after = yield* taskOf(draft)
  const isCompleted = after !== null && before?.status !== after.status
  const ended = draftEvent(state === "sent" ? "draft.approved" : "draft.dismissed", draft)
  const events = [ended, ...(isCompleted ? [taskEvent("task.completed", after)] : [])]
  yield* recordEvents(events, yield* Clock.currentTimeMillis)
})
