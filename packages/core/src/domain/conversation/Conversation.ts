import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { channels } from "../Channel.ts"
import { Time } from "../Field.ts"
import { ContactId, LeadId, MessageId } from "../Id.ts"
import { leadStates } from "../lead/LeadState.ts"
import { tiers } from "../lead/Score.ts"

/** The summary of a contact's conversation. Lists show it without reading the messages. */
export class Conversation extends Schema.Opaque<Conversation>()(
  Schema.Struct({
    contactId: ContactId,
    contactName: Schema.NullOr(Schema.String),
    contactEmail: Schema.NullOr(Schema.String),
    lastMessageId: MessageId,
    lastMessage: Schema.String,
    lastChannel: Schema.Literals(channels),
    lastTimestamp: Time,
    leadId: Schema.NullOr(LeadId),
    leadState: Schema.NullOr(Schema.Literals(leadStates)),
    tier: Schema.NullOr(Schema.Literals(tiers)),
    /** The number of unread messages from the contact. */
    unread: Schema.Int
  })
) {}

/** The number of conversations per page. The specification prescribes it. */
export const conversationPageSize = 50

/** The position of a conversation in the list: its sort key. */
export interface ConversationKey {
  readonly lastTimestamp: number
  readonly contactId: string
}

/** The contact has no conversation, or the tenant has no such contact. */
export class ConversationNotFound extends TaggedError("ConversationNotFound")<{ readonly contactId: string }> {}
