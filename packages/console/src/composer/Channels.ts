import type { Contact, Message } from "@leadloom/client"
import type { WritingChannel } from "./DraftContent.ts"

/**
 * Returns whether an email without a subject can answer the message. The server answers no absence notices and no delivery
 * reports.
 */
const isAnswerable = ({ auto, channel, internet_message_id: id }: Message): boolean =>
  channel === "email" && typeof id === "string" && auto !== "auto_reply" && auto !== "bounce"

/** The channels on which a person can write to a contact. */
export interface Channels {
  /** The one that continues the conversation first. */
  readonly channels: ReadonlyArray<WritingChannel>
  /** Whether an email would be the first one, so that it needs a subject. */
  readonly isFirstEmail: boolean
}

/** Returns the channel of a message on which a person can write; null if there is none. A call is answered by a text. */
const continued = (message: Message): WritingChannel | null =>
  isAnswerable(message) ? "email" : message.channel === "sms" || message.channel === "voice" ? "sms" : null

/** Returns the channels of a contact from the shown messages, oldest first. */
export const channelsOf = ({ email, phone }: Contact, messages: ReadonlyArray<Message>): Channels => {
  const newest = messages.reduceRight<WritingChannel | null>((found, message) => found ?? continued(message), null)
  const channels: ReadonlyArray<WritingChannel> = [
    ...(email === null ? [] : (["email"] as const)),
    ...(phone === null ? [] : (["sms"] as const))
  ]
  return {
    channels: channels.toSorted((one, other) => Number(other === newest) - Number(one === newest)),
    isFirstEmail: !messages.some(isAnswerable)
  }
}
