import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { channels } from "../Channel.ts"
import { Time } from "../Field.ts"
import { ContactId, LeadId, MessageId } from "../Id.ts"
import { leadStates } from "../lead/LeadState.ts"
import { tiers } from "../lead/Score.ts"
import { inboxFields } from "./InboxState.ts"

/** The summary of a contact's conversation. Lists show it without reading the messages. */
export class Conversation extends Schema.Opaque<Conversation>()(
  Schema.Struct({
    contactId: ContactId.annotate({ description: "The contact of the conversation; each contact has exactly one" }),
    contactName: Schema.NullOr(Schema.String).annotate({ description: "The name of the contact; null: unknown" }),
    contactEmail: Schema.NullOr(Schema.String).annotate({
      description: "The email address of the contact; null: unknown"
    }),
    lastMessageId: MessageId,
    lastMessage: Schema.String.annotate({ description: "The start of the newest message, at most 140 characters" }),
    lastChannel: Schema.Literals(channels),
    lastTimestamp: Time.annotate({ description: "The time of the newest message (ISO 8601 in UTC)" }),
    leadId: Schema.NullOr(LeadId).annotate({
      description: "The lead of the newest message with a lead; null: no message has a lead"
    }),
    leadState: Schema.NullOr(Schema.Literals(leadStates)).annotate({
      description: "The state of that lead; null: no lead"
    }),
    tier: Schema.NullOr(Schema.Literals(tiers)).annotate({
      description: "The tier of that lead; null: no lead or no score"
    }),
    /** The number of unread messages from the contact. */
    unread: Schema.Int.annotate({
      description: "The number of unread messages from the contact. Each user has an unread state"
    }),
    ...inboxFields,
    /** The time of the newest answer; 0 without one. Clients see `waitingSince` instead. */
    answeredAt: Time
  })
) {}

/** The number of conversations per page. The specification prescribes it. */
export const conversationPageSize = 50

/** The contact has no conversation, or the tenant has no such contact. */
export class ConversationNotFound extends TaggedError("ConversationNotFound")<{ readonly contactId: string }> {}
