/** Every way a message may travel. */
export const channels = ["email", "sms", "voice", "chat", "webhook"] as const

/** How a message travels. */
export type Channel = (typeof channels)[number]
