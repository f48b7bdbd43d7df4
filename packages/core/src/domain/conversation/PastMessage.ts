import { type InboxState, inboxStateAfter, newInboxState } from "./InboxState.ts"
import { answersContact, countsAsUnread, type Message } from "./Message.ts"
import { type Direction, directions, type MessageActivity, type MessageTally } from "./MessageActivity.ts"

/** The parts of a message that determine a conversation at an earlier time. */
export type PastMessage = Pick<
  Message,
  | "actor"
  | "auto"
  | "channel"
  | "contactId"
  | "delivery"
  | "leadId"
  | "messageId"
  | "receivedAt"
  | "tenantId"
  | "timestamp"
>

/** The parts of a conversation that follow from its messages and its closings. */
export interface PastConversation extends Pick<InboxState, "waitingSince"> {
  readonly answeredAt: number
  readonly isClosed: boolean
  /** The lead of the newest message that belongs to one. */
  readonly leadId: Message["leadId"]
}

/** An entry of a timeline about a closed or reopened conversation. */
interface Closing {
  readonly at: number
  readonly type: string
}

const isUnsent = ({ delivery }: PastMessage): boolean => delivery === "failed" || delivery === "bounced"

/** Something that changed a conversation: a message, or a person or a rule that closed or reopened it. */
type Step = { readonly at: number; readonly message: PastMessage | null; readonly closes: boolean }

const stepsOf = (messages: ReadonlyArray<PastMessage>, closings: ReadonlyArray<Closing>): ReadonlyArray<Step> =>
  [
    ...messages.map((message): Step => ({ at: message.receivedAt, message, closes: false })),
    ...closings.map(({ at, type }): Step => ({ at, message: null, closes: type === "conversation_closed" }))
  ].toSorted((one, other) => one.at - other.at)

const isNewer = (one: PastMessage, other: PastMessage): boolean =>
  one.timestamp === other.timestamp ? one.messageId > other.messageId : one.timestamp > other.timestamp

/**
 * Returns a conversation as it was after these messages, with their delivery states of that time. `closings` are the
 * entries of the timeline about closed and reopened conversations until then.
 */
export const conversationOf = (
  messages: ReadonlyArray<PastMessage>,
  closings: ReadonlyArray<Closing>
): PastConversation => {
  let state = newInboxState
  let newest: PastMessage | null = null
  for (const { closes, message } of stepsOf(messages, closings)) {
    if (message === null) {
      state = closes ? { ...state, state: "closed", waitingSince: null } : { ...state, state: "open" }
      continue
    }
    // An answer that did not arrive is none.
    if (!isUnsent(message) || !answersContact(message)) state = inboxStateAfter(state, message, false)
    if (message.leadId !== null && (newest === null || isNewer(message, newest))) newest = message
  }
  const { answeredAt, waitingSince } = state
  return { answeredAt, waitingSince, isClosed: state.state === "closed", leadId: newest?.leadId ?? null }
}

const directionOf = (message: PastMessage): Direction | null => {
  if (countsAsUnread(message)) return "inbound"
  return answersContact(message) && !isUnsent(message) ? "outbound" : null
}

/** Counts messages by direction and channel, as `Messages.activity` does. */
export const activityOf = (messages: ReadonlyArray<PastMessage>): MessageActivity => {
  let newestInbound = -Infinity
  for (const message of messages)
    if (directionOf(message) === "inbound") newestInbound = Math.max(newestInbound, message.timestamp)
  const tallies = new Map<string, MessageTally>()
  for (const message of messages) {
    const direction = directionOf(message)
    if (direction === null) continue
    const { channel, timestamp } = message
    const key = `${directions.indexOf(direction)}:${channel}`
    const { count = 0, newest = -Infinity, unanswered = 0 } = tallies.get(key) ?? {}
    tallies.set(key, {
      direction,
      channel,
      count: count + 1,
      newest: Math.max(newest, timestamp),
      unanswered: unanswered + (timestamp > newestInbound ? 1 : 0)
    })
  }
  return [...tallies.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, tally]) => tally)
}
