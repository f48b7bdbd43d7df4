import type { Conversation, ConversationChange } from "@leadloom/client"

/** The time in which a closed or snoozed conversation can be brought back with one key, in seconds. */
export const undoSeconds = 10

/** Returns the change that restores the state of a conversation. */
export const wayBack = ({ snooze_until, state }: Conversation): ConversationChange => {
  if (state === "snoozed" && snooze_until !== null) return { snooze_until }
  return state === "closed" ? { state } : { state: "open", snooze_until: null }
}
