import { Schema } from "effect"
import { Time } from "../Field.ts"
import { TeamId, UserId } from "../Id.ts"
import { type TaskPriority, taskPriorities } from "../task/Task.ts"
import { answersContact, countsAsUnread, type Message } from "./Message.ts"

/** The states of a conversation in the inbox. */
export const conversationStates = ["open", "snoozed", "closed"] as const

export type ConversationState = (typeof conversationStates)[number]

/** The priorities of conversations, lowest first. Tasks have the same ones. */
export const conversationPriorities = taskPriorities

export type ConversationPriority = TaskPriority

/** The maximum number of tags of a conversation, and the maximum length of a tag in characters. */
export const maxConversationTags = 20
export const maxConversationTagLength = 64

/** The fields of a conversation that the work in the inbox changes. */
export const inboxFields = {
  state: Schema.Literals(conversationStates).annotate({
    description: "`snoozed` conversations open again at `snooze_until`. A new message of the contact opens any of them"
  }),
  assigneeId: Schema.NullOr(UserId).annotate({ description: "The user who handles the conversation; null: nobody" }),
  teamId: Schema.NullOr(TeamId).annotate({ description: "The team that handles the conversation; null: none" }),
  tags: Schema.Array(Schema.String).annotate({
    description: "The tags of the conversation; the contact has separate tags"
  }),
  priority: Schema.Literals(conversationPriorities).annotate({ description: "The urgency; default: normal" }),
  snoozeUntil: Schema.NullOr(Time).annotate({
    description: "The time at which a snoozed conversation opens again (ISO 8601 in UTC); null: it is not snoozed"
  }),
  waitingSince: Schema.NullOr(Time).annotate({
    description:
      "The time of the contact's oldest message without an answer (ISO 8601 in UTC); null: answered or closed. Answers by people and automatic replies count"
  })
}

/** The state of the work on a conversation. */
export type InboxState = Schema.Struct.Type<typeof inboxFields>

/** The stored state. `answeredAt` is the time of the newest answer, 0 without one. */
export interface StoredInboxState extends InboxState {
  readonly answeredAt: number
}

/** The state of a new conversation. */
export const newInboxState: StoredInboxState = {
  state: "open",
  assigneeId: null,
  teamId: null,
  tags: [],
  priority: "normal",
  snoozeUntil: null,
  waitingSince: null,
  answeredAt: 0
}

/** Returns the inbox state of a record that has further fields. */
export const inboxStateOf = ({
  answeredAt,
  assigneeId,
  priority,
  snoozeUntil,
  state,
  tags,
  teamId,
  waitingSince
}: StoredInboxState): StoredInboxState => ({
  answeredAt,
  assigneeId,
  priority,
  snoozeUntil,
  state,
  tags,
  teamId,
  waitingSince
})

/** Returns a conversation with its state at a time. A snoozed conversation is open after the end of its snooze. */
export const conversationAsOf = <A extends Pick<InboxState, "snoozeUntil" | "state">>(
  conversation: A,
  now: number
): A =>
  conversation.state === "snoozed" && conversation.snoozeUntil !== null && conversation.snoozeUntil <= now
    ? { ...conversation, state: "open", snoozeUntil: null }
    : conversation

type Wait = Pick<StoredInboxState, "answeredAt" | "waitingSince">

/** The times of a message for `waitingSince` and `answeredAt`. Imported history (`isRead`) does not wait. */
export const waitOf = (message: Pick<Message, "actor" | "auto" | "timestamp">, isRead: boolean): Wait => ({
  waitingSince: countsAsUnread(message) && !isRead ? message.timestamp : null,
  answeredAt: answersContact(message) ? message.timestamp : 0
})

/** Combines two waits: the earlier start and the later answer. */
export const joinWaits = (one: Wait, other: Wait): Wait => {
  const starts = [one.waitingSince, other.waitingSince].filter((time) => time !== null)
  return {
    answeredAt: Math.max(one.answeredAt, other.answeredAt),
    waitingSince: starts.length === 0 ? null : Math.min(...starts)
  }
}

/**
 * Returns the wait after the wait of a message. An answer ends it, unless the contact wrote later than the answer. A
 * message that arrives after a later answer waits too, because nobody could answer it.
 */
const waitAfter = (before: Wait, next: Wait): Wait => {
  const joined = joinWaits(before, next)
  const { waitingSince } = joined
  const isAnswered = next.answeredAt > 0 && waitingSince !== null && waitingSince <= next.answeredAt
  return isAnswered ? { ...joined, waitingSince: null } : joined
}

/** Returns the state after a message. A message of the contact opens the conversation. */
export const inboxStateAfter = (
  before: StoredInboxState,
  message: Pick<Message, "actor" | "auto" | "timestamp">,
  isRead: boolean
): StoredInboxState => ({
  ...inboxStateOf(before),
  ...waitAfter(before, waitOf(message, isRead)),
  ...(countsAsUnread(message) && !isRead ? { state: "open", snoozeUntil: null } : {})
})

const openest = (one: StoredInboxState, other: StoredInboxState): StoredInboxState =>
  conversationStates.indexOf(one.state) <= conversationStates.indexOf(other.state) ? one : other

/**
 * Combines the states of two conversations whose contacts are merged. An open conversation stays open, and the fields
 * of the primary one win.
 */
export const joinInboxStates = (primary: StoredInboxState, other: StoredInboxState): StoredInboxState => {
  const { snoozeUntil, state } = openest(primary, other)
  const rank = ({ priority }: StoredInboxState): number => conversationPriorities.indexOf(priority)
  return {
    state,
    snoozeUntil,
    assigneeId: primary.assigneeId ?? other.assigneeId,
    teamId: primary.teamId ?? other.teamId,
    tags: [...new Set([...primary.tags, ...other.tags])].slice(0, maxConversationTags),
    priority: rank(primary) >= rank(other) ? primary.priority : other.priority,
    ...joinWaits(primary, other)
  }
}

/**
 * Returns the state after the undo of a merge: the state before it, with the changes that people have made since then.
 * `merged` is the state immediately after the merge.
 */
export const keepChanges = (
  restored: StoredInboxState,
  merged: StoredInboxState,
  current: StoredInboxState
): StoredInboxState => {
  const isKept = merged.state === current.state && merged.snoozeUntil === current.snoozeUntil
  return {
    ...inboxStateOf(restored),
    ...(isKept ? {} : { state: current.state, snoozeUntil: current.snoozeUntil }),
    assigneeId: merged.assigneeId === current.assigneeId ? restored.assigneeId : current.assigneeId,
    teamId: merged.teamId === current.teamId ? restored.teamId : current.teamId,
    tags: merged.tags.join("\n") === current.tags.join("\n") ? restored.tags : current.tags,
    priority: merged.priority === current.priority ? restored.priority : current.priority
  }
}
