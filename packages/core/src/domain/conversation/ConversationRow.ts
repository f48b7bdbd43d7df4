import type { Conversation } from "./Conversation.ts"

const isoOrNull = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

/** Returns the row of a conversation in the list, as JSON in wire format. Events have it with the shared unread state. */
export const conversationRow = (conversation: Conversation): Readonly<Record<string, unknown>> => ({
  contact_id: conversation.contactId,
  contact_name: conversation.contactName,
  contact_email: conversation.contactEmail,
  last_message: conversation.lastMessage,
  last_channel: conversation.lastChannel,
  last_timestamp: isoOrNull(conversation.lastTimestamp),
  lead_id: conversation.leadId,
  lead_state: conversation.leadState,
  score_tier: conversation.tier,
  unread: conversation.unread,
  state: conversation.state,
  assignee_id: conversation.assigneeId,
  team_id: conversation.teamId,
  tags: conversation.tags,
  priority: conversation.priority,
  snooze_until: isoOrNull(conversation.snoozeUntil),
  waiting_since: isoOrNull(conversation.waitingSince)
})
