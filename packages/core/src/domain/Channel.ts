/** Every channel that carries messages. */
export const channels = ["email", "sms", "voice", "chat", "webhook"] as const

/** A channel that carries messages. */
export type Channel = (typeof channels)[number]
