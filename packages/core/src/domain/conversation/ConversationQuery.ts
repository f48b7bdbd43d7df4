import type { Channel } from "../Channel.ts"
import type { LeadState } from "../lead/LeadState.ts"
import type { Tier } from "../lead/Score.ts"
import type { Conversation } from "./Conversation.ts"
import { conversationPriorities, type ConversationPriority, type ConversationState } from "./InboxState.ts"

/**
 * The orders of conversation lists. `-last_timestamp` lists the newest first. `waiting_since` lists only conversations
 * that wait for an answer, longest wait first. `-priority` lists the most urgent first, and equal ones newest first.
 */
export const conversationSorts = ["-last_timestamp", "waiting_since", "-priority"] as const

export type ConversationSort = (typeof conversationSorts)[number]

/** The filter value for conversations without an assignee or team. */
export const noOne = "none"

/** The maximum number of tags in one filter. */
export const maxTagFilters = 5

/** The filters of a list of conversations. A null field does not filter; all other filters must match. */
export interface ConversationFilter {
  readonly state: ConversationState | null
  /** A user, or `none` for conversations without an assignee. */
  readonly assigneeId: string | null
  /** A team, or `none` for conversations without a team. */
  readonly teamId: string | null
  /** The conversation has all of these tags. */
  readonly tags: ReadonlyArray<string>
  readonly priority: ConversationPriority | null
  /** Only snoozed conversations that open again up to this time. */
  readonly snoozeUntil: number | null
  readonly unread: boolean | null
  readonly channel: Channel | null
  readonly tier: Tier | null
  readonly leadState: LeadState | null
  /** Only conversations with mail to one of these addresses. */
  readonly aliases: ReadonlyArray<string> | null
}

/** The filter that selects all conversations. */
export const allConversations: ConversationFilter = {
  state: null,
  assigneeId: null,
  teamId: null,
  tags: [],
  priority: null,
  snoozeUntil: null,
  unread: null,
  channel: null,
  tier: null,
  leadState: null,
  aliases: null
}

/** The filter and order of a list of conversations. */
export interface ConversationQuery extends ConversationFilter {
  readonly sort: ConversationSort
}

/** The position of a conversation in a list. `rank` is the rank of the priority when the list is ordered by it. */
export interface ConversationKey {
  readonly rank: number
  readonly at: number
  readonly contactId: string
}

/** Returns the rank of a priority. Urgent conversations have the highest rank. */
export const priorityRank = (priority: ConversationPriority): number => conversationPriorities.indexOf(priority)

const matchesId = (wanted: string | null, id: string | null): boolean =>
  wanted === null || (wanted === noOne ? id === null : id === wanted)

const equals = <A>(wanted: A | null, value: A | null): boolean => wanted === null || wanted === value

/**
 * Returns whether a conversation matches a filter. Addresses are not compared, because only an index of addresses has
 * them: a list reads the conversations of these addresses from there.
 */
export const matchesFilter = (conversation: Conversation, filter: ConversationFilter): boolean =>
  equals(filter.state, conversation.state) &&
  matchesId(filter.assigneeId, conversation.assigneeId) &&
  matchesId(filter.teamId, conversation.teamId) &&
  filter.tags.every((tag) => conversation.tags.includes(tag)) &&
  equals(filter.priority, conversation.priority) &&
  (filter.snoozeUntil === null ||
    (conversation.snoozeUntil !== null && conversation.snoozeUntil <= filter.snoozeUntil)) &&
  equals(filter.unread, conversation.unread > 0) &&
  equals(filter.channel, conversation.lastChannel) &&
  equals(filter.tier, conversation.tier) &&
  equals(filter.leadState, conversation.leadState)
