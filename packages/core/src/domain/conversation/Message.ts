// Conversations: messages on all channels, their delivery state, and paginated lists. The rules for email do not
// belong here (`domain/email`). Tests: `packages/core/test/domain/conversation`,
// `packages/testkit/src/suite/conversation`.

import { Data } from "effect"
import type { ContactId, LeadId, MessageId, ThreadId } from "../Id.ts"
import type { StoredSource } from "../email/MailSource.ts"
import type { MailAttachment } from "../email/ParsedMail.ts"
import type { Channel } from "../Channel.ts"

/** The author of a message. */
export type Actor = "contact" | "agent" | "assistant" | "system"

/** The kind of automatic mail; null for mail from a person. */
export type Auto = "auto_reply" | "bounce" | "list" | "own"

/** A warning for readers of a message. */
export type MessageFlag =
  /** The sender was not part of the thread before, or the mail uses one of the tenant's own addresses as its sender. */
  | "sender_unverified"
  /** A different mail has the same Message-ID. */
  | "reused_message_id"
  /** The base subject differs from that of the thread. */
  | "subject_changed"
  /** An automatic reply is forbidden: the sender is a program or a list, or has requested none. */
  | "no_auto_reply"
  /** The content could not be parsed, for the named reason. The source is stored and can be parsed again. */
  | "unparsed_deadline"
  | "unparsed_memory"
  | "unparsed_failed"

/**
 * The delivery state of an outbound message. `sent`: the transport accepted it. `delivered`, `bounced`: reported later.
 * `unknown`: it may or may not have been sent; it is never sent again automatically.
 */
export type Delivery = "queued" | "sent" | "delivered" | "failed" | "bounced" | "unknown"

/** One message of a conversation on any channel. */
export interface Message {
  readonly messageId: MessageId
  readonly tenantId: string
  readonly contactId: ContactId
  /** Null for automatic mail without a lead. */
  readonly leadId: LeadId | null
  readonly threadId: ThreadId | null
  readonly channel: Channel
  readonly actor: Actor
  /** The visible new text, without quoted history and signature. */
  readonly body: string
  /** Sanitised HTML; null if there is none. */
  readonly htmlBody: string | null
  /**
   * The quoted history and signature that were removed from `body`. The whole text if the reply is written between
   * quotes.
   */
  readonly quotedText: string | null
  readonly subject: string | null
  /** The cleaned RFC 5322 Message-ID, or one derived from the content; email only. */
  readonly internetMessageId: string | null
  /** The tenant's address that received the message. */
  readonly receivedAlias: string | null
  readonly from: string | null
  readonly to: ReadonlyArray<string>
  readonly cc: ReadonlyArray<string>
  /** The normalised `Reply-To` addresses (RFC 5322 section 3.6.2). If empty, replies go to the sender. */
  readonly replyTo: ReadonlyArray<string>
  /** The Message-IDs of its ancestors in the thread, root first, from its own headers; email only. */
  readonly references: ReadonlyArray<string>
  /** The provider's id of the message; null if no provider was involved. */
  readonly providerMessageId: string | null
  readonly auto: Auto | null
  /** Null for inbound messages, and for outbound messages that another program sent. */
  readonly delivery: Delivery | null
  readonly flags: ReadonlyArray<MessageFlag>
  readonly attachments: ReadonlyArray<MailAttachment>
  /**
   * The stored source of a mail. Null for messages sent by this server, and for mail that arrived before sources were
   * stored.
   */
  readonly raw: StoredSource | null
  readonly source: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** The contact that the message is about, as labelled by a person; null without a label. */
  readonly subjectContactId: ContactId | null
  /** The time of writing if known, never in the future; epoch milliseconds. */
  readonly timestamp: number
  /** The time of acceptance by this server; epoch milliseconds. */
  readonly receivedAt: number
}

/** Returns whether a message counts as unread: a contact wrote it, and it is not automatic mail. */
export const countsAsUnread = ({ actor, auto }: Pick<Message, "actor" | "auto">): boolean =>
  actor === "contact" && auto === null

/** The message is not part of this contact's conversation. */
export class NotInConversation extends Data.TaggedError("NotInConversation")<{ readonly messageId: string }> {}

/** The length of the preview in a conversation list, in characters. */
export const previewLength = 140

/** Returns the start of a message with white space collapsed. */
export const preview = (body: string): string => {
  const line = body
    .slice(0, previewLength * 4)
    .toWellFormed()
    .replace(/\s{2,}|[^\S ]/gu, " ")
    .trim()
  return line.length <= previewLength
    ? line
    : `${Array.from(line)
        .slice(0, previewLength - 1)
        .join("")}…`
}

/** The position of a message in the history, and its size. */
export interface MessageOutline {
  readonly timestamp: number
  readonly messageId: MessageId
  /** The size of its stored texts and lists in bytes of UTF-8. */
  readonly bytes: number
}

/** The fields that parsing the source of a message determines. */
export type ParsedContent = Pick<Message, "attachments" | "body" | "flags" | "htmlBody" | "quotedText">

/** The ids of a sent mail. */
export type SentNames = Pick<Message, "internetMessageId" | "providerMessageId">
