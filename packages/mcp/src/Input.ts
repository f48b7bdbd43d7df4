import { Schema } from "effect"

/** Arguments that several tools share. */

const described = (description: string) => Schema.String.annotate({ description })

export const contactId = described("Contact id (`con_…`), from search_contacts or list_conversations")
export const messageId = described("Message id (`msg_…`)")
export const leadId = described("Lead id (`lead_…`), from list_leads")

/** Returns an optional text. */
export const optionalText = (description: string) => Schema.optionalKey(described(description))

/** Returns an optional member of a list. */
export const oneOf = <const Members extends ReadonlyArray<string>>(members: Members, description: string) =>
  Schema.optionalKey(Schema.Literals(members).annotate({ description }))

/** Returns the arguments of a paged list. */
export const page = (max: number, standard: number) => ({
  limit: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: max })).annotate({
      description: `Entries per page, 1 to ${max}; default: ${standard}`
    })
  ),
  cursor: optionalText("The `next_cursor` of the previous page. Repeat the other arguments unchanged")
})

/** The channels of messages. */
export const channels = ["email", "sms", "voice", "chat", "webhook"] as const

export const leadStates = ["open", "engaged", "qualified", "won", "lost", "archived"] as const
