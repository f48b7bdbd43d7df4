/** Every way a message may travel. */
export const channels = ["email", "sms", "voice", "chat", "webhook"] as const

/** How a message travels. */
export type Channel = (typeof channels)[number]

/** Channels on which a new message belongs to the open lead of the contact rather than to a thread. */
export const conversationalChannels: ReadonlyArray<Channel> = ["sms", "voice", "chat"]

/** How long an open lead of a conversational channel takes further messages. */
export const conversationalWindowDays = 30
