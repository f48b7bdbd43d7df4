import type { Channel } from "../Channel.ts"

/** The maximum number of messages of a contact that are read to count them: the newest ones. */
export const maxCountedMessages = 1_000

/** The direction of a message. */
export const directions = ["inbound", "outbound"] as const
export type Direction = (typeof directions)[number]

/**
 * The messages of one direction and channel. Automatic mail, messages of the server, and messages of ours that did not
 * reach the contact do not count.
 */
export interface MessageTally {
  readonly direction: Direction
  readonly channel: Channel
  readonly count: number
  /** The time of the newest one, in epoch milliseconds. */
  readonly newest: number
  /** The number of those that are newer than the contact's newest message. */
  readonly unanswered: number
}

/** The messages between a tenant and a contact. */
export type MessageActivity = ReadonlyArray<MessageTally>

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((one, other) => one + other, 0)

/** Returns the number of messages of a direction; with a channel, only of this channel. */
export const countMessages = (activity: MessageActivity, direction: Direction, channel: Channel | null): number =>
  sum(
    activity
      .filter((tally) => tally.direction === direction && (channel === null || tally.channel === channel))
      .map(({ count }) => count)
  )

/** Returns the number of our messages since the contact's newest one. */
export const countAttempts = (activity: MessageActivity): number =>
  sum(activity.filter(({ direction }) => direction === "outbound").map(({ unanswered }) => unanswered))

/** Returns the tally with the newest message, of both directions or of one; null if there is no message. */
export const newestTally = (activity: MessageActivity, direction: Direction | null): MessageTally | null =>
  activity
    .filter((tally) => direction === null || tally.direction === direction)
    .reduce<MessageTally | null>(
      // Of two messages with the same time, the answer is the newer one.
      (newest, tally) =>
        newest === null ||
        tally.newest > newest.newest ||
        (tally.newest === newest.newest && tally.direction === "outbound")
          ? tally
          : newest,
      null
    )
