// Conversations: messages on all channels, their delivery state, and paginated lists. The rules for email do not
// belong here (`domain/email`). Tests: `packages/core/test/domain/conversation`,
// `packages/testkit/src/suite/conversation`.

import { Schema, Struct } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { ContactId, GrantId, LeadId, MessageId, ThreadId, UserId } from "../Id.ts"
import { StoredSource } from "../email/MailSource.ts"
import { MailAuthentication } from "../email/authentication/MailAuthentication.ts"
import { MailAttachment } from "../email/MailAttachment.ts"
import { ThreadRule } from "../email/thread/ThreadReason.ts"
import { channels } from "../Channel.ts"
import { Time } from "../Field.ts"

/** The author of a message. */
export const Actor = Schema.Literals(["contact", "agent", "assistant", "system"])
export type Actor = typeof Actor.Type

/** The kind of automatic mail; null for mail from a person. */
export const Auto = Schema.Literals(["auto_reply", "bounce", "list", "own"])
export type Auto = typeof Auto.Type

/** A warning for readers of a message. */
export const MessageFlag = Schema.Literals([
  /** The sender was not part of the thread before, or the mail uses one of the tenant's own addresses as its sender. */
  "sender_unverified",
  /** The tenant already has a different mail with the same Message-ID. */
  "reused_message_id",
  /** The base subject differs from that of the thread. */
  "subject_changed",
  /** An automatic reply is forbidden, because the sender is a program or a list, or asks for no automatic replies. */
  "no_auto_reply",
  /** The content could not be parsed, for the named reason. The source is stored and can be parsed again. */
  "unparsed_deadline",
  "unparsed_memory",
  "unparsed_failed"
])
export type MessageFlag = typeof MessageFlag.Type

/**
 * The delivery state of an outbound message. `sent`: the transport accepted the message. `delivered`, `bounced`: the
 * provider reported this result later. `unknown`: it is uncertain whether the message was sent, so the server never
 * sends it again automatically.
 */
export const Delivery = Schema.Literals(["queued", "sent", "delivered", "failed", "bounced", "unknown"])
export type Delivery = typeof Delivery.Type

/** One message of a conversation on any channel. */
export class Message extends Schema.Opaque<Message>()(
  Schema.Struct({
    messageId: MessageId.annotate({ description: "Message id (`msg_…`)" }),
    tenantId: Schema.String,
    contactId: ContactId,
    /** Null for automatic mail without a lead. */
    leadId: Schema.NullOr(LeadId),
    threadId: Schema.NullOr(ThreadId).annotate({
      description: "The email thread of the message; null: not part of a thread"
    }),
    channel: Schema.Literals(channels),
    actor: Actor.annotate({
      description:
        "The author: the contact, a person of the tenant (`agent`), the pipeline (`assistant`) or the server (`system`)"
    }),
    /** Null for messages of contacts and of the server, and for messages that no user of the tenant sent. */
    userId: Schema.NullOr(UserId).annotate({
      description: "The user who sent the message (`usr_…`); null: not sent by a user"
    }),
    /** The author's new text that is visible in the message, without quoted history and signature. */
    body: Schema.String.annotate({
      description: "The author's new text as plain text, without quoted history and signature"
    }),
    /** Sanitised HTML; null if there is none. */
    htmlBody: Schema.NullOr(Schema.String).annotate({
      description: "The sanitised HTML body; null: the email has none"
    }),
    /**
     * The quoted history and signature that were removed from `body`. If the author writes between quotes, the whole
     * text.
     */
    quotedText: Schema.NullOr(Schema.String).annotate({
      description: "The quoted history and the signature that were removed from `body`; null: nothing was removed"
    }),
    subject: Schema.NullOr(Schema.String).annotate({ description: "The subject line; null: none" }),
    /**
     * The RFC 5322 Message-ID without brackets and comments, or an id that was derived from the content. Null for other
     * channels than email.
     */
    internetMessageId: Schema.NullOr(Schema.String).annotate({
      description: "The RFC 5322 Message-ID without angle brackets, or an id derived from the content"
    }),
    /** The tenant's address that received the message. */
    receivedAlias: Schema.NullOr(Schema.String).annotate({
      description: "The tenant's address that received the email; null: not known"
    }),
    /**
     * The account in whose mailbox or at whose address a mail arrived, or that sent it. The account may be disconnected.
     * Null for mail that no account received, and for mail from before the server stored it.
     */
    grantId: Schema.NullOr(GrantId),
    from: Schema.NullOr(Schema.String).annotate({
      description: "The sender's address or phone number; null: not known",
      column: "from_address"
    }),
    to: Schema.Array(Schema.String).annotate({
      description: "The addresses or phone numbers of the recipients",
      column: "to_addresses"
    }),
    cc: Schema.Array(Schema.String).annotate({ description: "The addresses in Cc", column: "cc_addresses" }),
    /** The normalised `Reply-To` addresses (RFC 5322 section 3.6.2). If empty, replies go to the sender. */
    replyTo: Schema.Array(Schema.String).annotate({
      description: "The Reply-To addresses of the message. Empty: replies are sent to the sender"
    }),
    /** The Message-IDs of its ancestors in the thread, root first, from its own headers; email only. */
    references: Schema.Array(Schema.String).annotate({ column: "reference_ids" }),
    /** The rule that determined the thread of an email. Null for other channels, and for older emails. */
    threadRule: Schema.NullOr(ThreadRule),
    /** The id that decided by `threadRule`; null if no id decided. */
    threadVia: Schema.NullOr(Schema.String),
    /** Null for other channels than email, and if no trusted server authenticated the mail. */
    authentication: Schema.NullOr(MailAuthentication).annotate({
      description: "The authentication of the sender by the receiving mail server; null: not known"
    }),
    /** The provider's id of the message; null if no provider was involved. */
    providerMessageId: Schema.NullOr(Schema.String),
    auto: Schema.NullOr(Auto).annotate({ description: "null: a person wrote the message" }),
    /** Null for inbound messages, and for outbound messages that another program sent. */
    delivery: Schema.NullOr(Delivery).annotate({
      description: "The delivery state of an outbound message; null for an inbound one"
    }),
    flags: Schema.Array(MessageFlag),
    attachments: Schema.Array(MailAttachment),
    /**
     * The stored source of a mail. Null for messages that this server sent, and for mail that arrived before the server
     * stored sources.
     */
    raw: Schema.NullOr(StoredSource),
    source: Schema.String.annotate({
      description: "The integration or event source of the message, for example `email` or a source id"
    }),
    metadata: Schema.Record(Schema.String, Schema.Unknown),
    /** The contact that the message is about, as labelled by a person; null without a label. */
    subjectContactId: Schema.NullOr(ContactId).annotate({
      description: "The contact that the message concerns, as labelled by a person"
    }),
    /** The time of writing if known, never in the future; epoch milliseconds. */
    timestamp: Time.annotate({ description: "The time of writing if known, never in the future (ISO 8601 in UTC)" }),
    /** The time when this server accepted the message, in epoch milliseconds. */
    receivedAt: Time
  })
) {}

/** Returns whether a message counts as unread: a contact wrote it, and it is not automatic mail. */
export const countsAsUnread = ({ actor, auto }: Pick<Message, "actor" | "auto">): boolean =>
  actor === "contact" && auto === null

/** Returns whether a message answers the contact: a person or an automatic reply wrote it, on any program. */
export const answersContact = ({ actor, auto }: Pick<Message, "actor" | "auto">): boolean =>
  (actor === "agent" || actor === "assistant") && (auto === null || auto === "own")

/** The tenant has no message with this id. */
export class MessageMissing extends TaggedError("MessageMissing")<{ readonly messageId: string }> {}

/** The message is not part of this contact's conversation. */
export class NotInConversation extends TaggedError("NotInConversation")<{ readonly messageId: string }> {}

/** The length of the preview in a conversation list, in characters. */
export const previewLength = 140

const surrogate = /[\ud800-\udfff]/

/** Returns the first characters of a text. A surrogate pair counts as one character. */
const firstCharacters = (text: string, count: number): string => {
  const start = text.slice(0, count)
  // Most texts have no surrogates in this part, and splitting a text into its characters is expensive.
  return surrogate.test(start)
    ? Array.from(text.slice(0, 2 * count))
        .slice(0, count)
        .join("")
    : start
}

/** Returns the start of a message with white space collapsed. */
export const preview = (body: string): string => {
  const line = body
    .slice(0, previewLength * 4)
    .toWellFormed()
    .replace(/\s{2,}|[^\S ]/gu, " ")
    .trim()
  return line.length <= previewLength ? line : `${firstCharacters(line, previewLength - 1)}…`
}

/** The position of a message in the history, and the size of the message. */
export interface MessageOutline {
  readonly timestamp: number
  readonly messageId: MessageId
  /** The size of the message's stored texts and lists in bytes of UTF-8. */
  readonly bytes: number
}

/** The fields of a message that are parsed from its source. */
export type ParsedContent = Pick<Message, "attachments" | "body" | "flags" | "htmlBody" | "quotedText">

/** The ids that a sent mail has at the recipients and at the provider. */
export type SentNames = Pick<Message, "internetMessageId" | "providerMessageId">

/** A stored message. The reference to its source is in three columns. */
export class MessageRow extends Schema.Opaque<MessageRow>()(
  Schema.Struct({
    ...Struct.omit(Message.fields, ["raw"]),
    rawKey: Schema.NullOr(Schema.String),
    rawSize: Schema.NullOr(Schema.Int),
    rawType: Schema.NullOr(Schema.String)
  })
) {}
