/** Every channel that carries messages. */
export const channels = ["email", "sms", "voice", "chat", "webhook"] as const

export type Channel = (typeof channels)[number]
