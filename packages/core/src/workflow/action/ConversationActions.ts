import { Effect } from "effect"
import { applyChange, ConversationChangeInvalid } from "../../domain/conversation/ConversationChange.ts"
import { officeHours } from "../../domain/report/Calendar.ts"
import type { CloseConversation, SnoozeConversation } from "../../domain/rule/action/ConversationAction.ts"
import type { ActionTarget } from "../../domain/run/RunSubject.ts"
import { wallClock } from "../../domain/time/WallClock.ts"
import { nextStart } from "../../domain/time/WorkingHours.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { type ActionState, done, skipped } from "./AssignAction.ts"

const minuteMillis = 60_000

/** Returns the end of a snooze; null if the tenant has no business hours. */
const endOf = ({ minutes }: SnoozeConversation, { config }: Tenant, now: number): number | null =>
  minutes === undefined
    ? nextStart(officeHours(config.voice.callbackHours), wallClock(config.timeZone), now)
    : now + minutes * minuteMillis

/**
 * Closes or snoozes the conversation of the contact. A message that arrived after the event of the rule has opened the
 * conversation, so the action is skipped: it would hide a message that no rule and no person has seen.
 */
export const putAside = Effect.fnUntraced(function* (
  { contact, eventAt, now, tenant }: ActionTarget,
  action: CloseConversation | SnoozeConversation,
  state: ActionState
) {
  const { conversation } = state
  const same = (reason: string) => ({ ...state, outcome: skipped(reason) })
  if (conversation === null) return same("the contact has no conversation")
  if (eventAt !== null && (yield* (yield* Messages).hasWrittenSince(tenant.tenantId, contact.contactId, eventAt)))
    return same("the contact has written again since the event of the rule")
  if (action.type === "close_conversation") {
    if (conversation.state === "closed") return same("the conversation is already closed")
    const closed = applyChange(conversation, { state: "closed" }, now)
    if (closed instanceof ConversationChangeInvalid) return same("the conversation cannot be closed")
    return { ...state, conversation: { ...conversation, ...closed }, outcome: done("closed") }
  }
  if (conversation.state === "closed") return same("the conversation is closed")
  const until = endOf(action, tenant, now)
  if (until === null) return same("the tenant has no business hours")
  const snoozed = applyChange(conversation, { state: "snoozed", snoozeUntil: until }, now)
  if (snoozed instanceof ConversationChangeInvalid) return same("the conversation cannot be snoozed")
  const outcome = done(`until ${new Date(until).toISOString()}`)
  return { ...state, conversation: { ...conversation, ...snoozed }, outcome }
})
