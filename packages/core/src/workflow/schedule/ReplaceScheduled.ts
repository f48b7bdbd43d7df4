import { Effect } from "effect"
import { scheduledEvent } from "../../domain/sending/ScheduledEvent.ts"
import type { ScheduledSend } from "../../domain/sending/ScheduledSend.ts"
import { ScheduledSends } from "../../port/repository/conversation/ScheduledSends.ts"
import { recordEvents } from "../webhook/Outbox.ts"

/** Stores a changed scheduled message, and reports the change. Runs inside a unit of work. */
export const replaceScheduled = Effect.fnUntraced(function* (scheduled: ScheduledSend) {
  yield* (yield* ScheduledSends).replace(scheduled)
  yield* recordEvents([scheduledEvent(scheduled)], scheduled.updatedAt)
})
