import { Schema } from "effect"

/** The maximum duration of a snooze by an action, in minutes: one year. */
const yearMinutes = 525_600

/** Closes the conversation of the contact in the inbox. */
export const CloseConversation = Schema.Struct({
  type: Schema.Literal("close_conversation").annotate({
    description:
      "Closes the conversation in the inbox, unless the contact has written again since the event of the rule. A new message of the contact opens it again"
  })
})
export type CloseConversation = typeof CloseConversation.Type

/** Snoozes the conversation of the contact in the inbox. */
export const SnoozeConversation = Schema.Struct({
  type: Schema.Literal("snooze_conversation").annotate({
    description:
      "Snoozes the conversation in the inbox, unless the contact has written again since the event of the rule. A new message of the contact opens it again"
  }),
  minutes: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: yearMinutes }))).annotate({
    description:
      "The minutes from now until it opens again, at most a year. Default: until the next start of the business hours (`voice.callback_hours` of the configuration)"
  })
})
export type SnoozeConversation = typeof SnoozeConversation.Type
