import { Clock, Effect } from "effect"
import type { Conversation } from "../../domain/conversation/Conversation.ts"
import { changedFields } from "../../domain/conversation/ConversationChange.ts"
import { inboxEvent } from "../../domain/conversation/ConversationEvent.ts"
import type { InboxState } from "../../domain/conversation/InboxState.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { ReadMarks } from "../../port/repository/conversation/ReadMarks.ts"
import { recordActivity } from "../contact/RecordActivity.ts"
import { scheduleWake } from "./WakeConversations.ts"

/** The author of a change in the inbox. */
type InboxActor = "agent" | "system"

/**
 * Records in the timeline that a conversation was closed or reopened. Reports measure resolution times from these
 * entries. A message of the contact reopens a conversation without an entry.
 */
const recordStateChange = Effect.fnUntraced(function* (
  tenantId: string,
  before: Conversation,
  after: InboxState,
  actor: InboxActor,
  now: number
) {
  const isClosed = after.state === "closed"
  if (isClosed === (before.state === "closed")) return
  yield* recordActivity({
    tenantId,
    contactId: before.contactId,
    leadId: before.leadId,
    type: isClosed ? "conversation_closed" : "conversation_reopened",
    actor,
    at: now,
    data: { previous_state: before.state, state: after.state }
  })
})

/**
 * Stores the inbox state of a conversation, and returns the names of the changed fields. Queues the end of a snooze.
 * Closing a conversation marks it as read for everybody. Has no effect when no value changes. Runs inside a unit of work.
 */
export const storeInboxState = Effect.fnUntraced(function* (
  tenantId: string,
  before: Conversation,
  after: InboxState,
  actor: InboxActor
) {
  const now = yield* Clock.currentTimeMillis
  const changes = changedFields(before, after)
  if (changes.length > 0) yield* (yield* Conversations).setInboxState(tenantId, before.contactId, after)
  if (changes.includes("snooze_until")) {
    yield* scheduleWake(tenantId, { contactId: before.contactId, snoozeUntil: after.snoozeUntil }, now)
  }
  yield* recordStateChange(tenantId, before, after, actor, now)
  if (after.state === "closed" && before.state !== "closed") {
    // The caller has read the row in the same unit of work.
    yield* (yield* ReadMarks)
      .read(tenantId, before.contactId, null)
      .pipe(Effect.catchTag("ConversationNotFound", Effect.die))
  }
  return changes
})

/**
 * Stores a conversation that a rule, a macro or the server has changed, and returns its event, the same as for a change
 * by a person. Has no effect when nothing changed. `before` is the row with the shared unread state. Runs inside a unit
 * of work.
 */
export const storeConversation = Effect.fnUntraced(function* (
  tenantId: string,
  before: Conversation,
  after: Conversation,
  actor: InboxActor
) {
  const changes = yield* storeInboxState(tenantId, before, after, actor)
  if (changes.length === 0) return []
  const isClosed = after.state === "closed" && before.state !== "closed"
  return [inboxEvent(tenantId, isClosed ? { ...after, unread: 0 } : after, changes, actor)]
})
