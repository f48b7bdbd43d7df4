import { Clock, Effect } from "effect"
import type { Conversation } from "../../domain/conversation/Conversation.ts"
import {
  applyChange,
  type CheckedChange,
  type ConversationChange,
  ConversationChangeInvalid
} from "../../domain/conversation/ConversationChange.ts"
import { inboxEvent } from "../../domain/conversation/ConversationEvent.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { ReadMarks } from "../../port/repository/conversation/ReadMarks.ts"
import { Teams } from "../../port/repository/tenant/Teams.ts"
import { Users } from "../../port/repository/tenant/Users.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { orContactMerged } from "../contact/ResolveMergedContact.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { withSpan } from "../WithSpan.ts"
import { storeInboxState } from "./StoreConversation.ts"

const setUnread = Effect.fnUntraced(function* (
  tenantId: string,
  { contactId }: Pick<Conversation, "contactId">,
  unread: boolean | undefined,
  userId: string | null
) {
  const marks = yield* ReadMarks
  if (unread === true) yield* marks.unread(tenantId, contactId, userId)
  if (unread === false) yield* marks.read(tenantId, contactId, userId)
})

const unknownId = (path: string, kind: string) =>
  new ConversationChangeInvalid({
    issues: [{ path, message: `Unknown ${kind}. Send the id of a ${kind} of this tenant.` }]
  })

/** Returns a change whose user and team exist. Fails with `ConversationChangeInvalid` otherwise. A deactivated user gets no work. */
export const checkChange = Effect.fnUntraced(function* (
  tenantId: string,
  { assigneeId, teamId, ...rest }: ConversationChange
) {
  const noUser = unknownId("assignee_id", "active user")
  const user =
    assigneeId === undefined || assigneeId === null
      ? null
      : yield* (yield* Users).get(tenantId, assigneeId).pipe(Effect.catchTag("UserNotFound", () => noUser))
  if (user?.active === false) return yield* noUser
  const team =
    teamId === undefined || teamId === null
      ? null
      : yield* (yield* Teams)
          .get(tenantId, teamId)
          .pipe(Effect.catchTag("TeamNotFound", () => unknownId("team_id", "team")))
  const checked: CheckedChange = {
    ...rest,
    ...(assigneeId === undefined ? {} : { assigneeId: user?.userId ?? null }),
    ...(teamId === undefined ? {} : { teamId: team?.teamId ?? null })
  }
  return checked
})

/**
 * Changes the inbox state of a conversation inside a unit of work. Closing a conversation marks it as read for
 * everybody. Has no effect and records no event when no value changes.
 */
export const changeConversation = Effect.fnUntraced(function* (
  tenantId: string,
  contactId: string,
  change: ConversationChange,
  userId: string | null
) {
  const now = yield* Clock.currentTimeMillis
  const conversations = yield* Conversations
  const before = yield* conversations.get(tenantId, contactId, userId)
  const after = applyChange(before, yield* checkChange(tenantId, change), now)
  if (after instanceof ConversationChangeInvalid) return yield* after
  const changes = yield* storeInboxState(tenantId, before, after, "agent")
  yield* setUnread(tenantId, before, change.unread, userId)
  if (changes.length > 0) {
    const shared = yield* conversations.get(tenantId, before.contactId)
    yield* recordEvents([inboxEvent(tenantId, shared, changes, "agent")], now)
  }
  return yield* conversations.get(tenantId, before.contactId, userId)
})

/** Changes the inbox state of a conversation, and returns its row of the list. */
export const updateConversation = Effect.fnUntraced(
  function* (tenantId: string, contactId: string, change: ConversationChange, userId: string | null) {
    return yield* (yield* Transactions).atomically(tenantId, changeConversation(tenantId, contactId, change, userId))
  },
  (updating, tenantId, contactId) =>
    Effect.catchTag(updating, "ConversationNotFound", orContactMerged(tenantId, contactId)),
  withSpan("updateConversation")
)
