import { Clock, Effect } from "effect"
import { inboxEvent } from "../../domain/conversation/ConversationEvent.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
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

/**
 * Opens the conversations of a tenant whose snooze has ended, and records an event for each. Lists and counts call it
 * first, so that indexes and counters have the current state. Only reads when no snooze has ended.
 */
export const wakeConversations = Effect.fnUntraced(function* (tenantId: string) {
  const now = yield* Clock.currentTimeMillis
  const { due } = yield* Conversations
  const { atomically } = yield* Transactions
  while ((yield* due(tenantId, now, 1)).length > 0) yield* atomically(tenantId, wakeBatch(tenantId, now))
}, withSpan("wakeConversations"))

/** Opens the conversations of all tenants whose snooze has ended. */
export const wakeAllConversations = Effect.fnUntraced(function* () {
  const { nextSnoozing } = yield* Conversations
  for (let tenantId = yield* nextSnoozing(""); tenantId !== null; tenantId = yield* nextSnoozing(tenantId)) {
    yield* wakeConversations(tenantId)
  }
}, withSpan("wakeAllConversations"))
