import { Clock, Effect } from "effect"
import type { Conversation } from "../../domain/conversation/Conversation.ts"
import type { WakeJob } from "../../domain/conversation/WakeJob.ts"
import { inboxEvent } from "../../domain/conversation/ConversationEvent.ts"
import { done, type QueuedJob } from "../../domain/job/Job.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Jobs } from "../../port/repository/webhook/Jobs.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { withSpan } from "../WithSpan.ts"

/** The maximum number of conversations that one unit of work opens. */
const batch = 200

const wakeBatch = Effect.fnUntraced(function* (tenantId: string, now: number) {
  const conversations = yield* Conversations
  const due = yield* conversations.due(tenantId, now, batch)
  const awake = yield* conversations.among(tenantId, due)
  for (const conversation of awake) yield* conversations.setInboxState(tenantId, conversation.contactId, conversation)
  const events = awake.map((conversation) => inboxEvent(tenantId, conversation, ["state", "snooze_until"], "system"))
  yield* recordEvents(events, now)
})

/** Opens the conversations of a tenant whose snooze has ended, and records an event for each. */
const wakeConversations = Effect.fnUntraced(function* (tenantId: string) {
  const now = yield* Clock.currentTimeMillis
  const { due } = yield* Conversations
  const { atomically } = yield* Transactions
  while ((yield* due(tenantId, now, 1)).length > 0) yield* atomically(tenantId, wakeBatch(tenantId, now))
}, withSpan("wakeConversations"))

/** Queues the end of a snooze. A job of an earlier snooze of the conversation moves to the new time. */
export const scheduleWake = Effect.fnUntraced(function* (
  tenantId: string,
  { contactId, snoozeUntil }: Pick<Conversation, "contactId" | "snoozeUntil">,
  now: number
) {
  if (snoozeUntil === null) return
  const job: WakeJob = { kind: "wake_conversations" }
  yield* (yield* Jobs).renew({ tenantId, jobId: `wake:${contactId}`, dueAt: snoozeUntil, createdAt: now, job })
})

/** Runs the job of a snooze. A snooze that was moved or ended has no effect. */
export const runWake = Effect.fnUntraced(function* ({ tenantId }: QueuedJob<WakeJob>) {
  yield* wakeConversations(tenantId)
  return done
})

/**
 * Opens the conversations of all tenants whose snooze has ended. Finds snoozes without a job: those of archives, of
 * undone merges and of earlier versions.
 */
export const wakeAllConversations = Effect.fnUntraced(function* () {
  const { nextSnoozing } = yield* Conversations
  for (let tenantId = yield* nextSnoozing(""); tenantId !== null; tenantId = yield* nextSnoozing(tenantId)) {
    yield* wakeConversations(tenantId)
  }
}, withSpan("wakeAllConversations"))
