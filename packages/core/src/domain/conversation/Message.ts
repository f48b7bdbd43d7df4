import { Data } from "effect"
import type { ContactId, LeadId, MessageId, ThreadId } from "../Id.ts"
import type { StoredSource } from "../email/MailSource.ts"
import type { MailAttachment } from "../email/ParsedMail.ts"
import type { Channel } from "../Channel.ts"

/** Who wrote a message. */
export type Actor = "contact" | "agent" | "assistant" | "system"

/** What kind of automatic mail a message is; null for one a person wrote. */
export type Auto = "auto_reply" | "bounce" | "list" | "own"

/** What a reader should know about a message before trusting it. */
export type MessageFlag =
  /** Joined the thread, but its sender was never part of it; or came from anybody under an address of the tenant's. */
  | "sender_unverified"
  /** Carries a Message-ID that another, different mail carries too. */
  | "reused_message_id"
  /** The base subject differs from the thread's. */
  | "subject_changed"
  /** Nobody may answer it automatically: a robot, a list, or a sender who asked not to. */
  | "no_auto_reply"
  /** Its content could not be parsed, and why: its source is kept, and may be parsed again. */
  | "unparsed_deadline"
  | "unparsed_memory"
  | "unparsed_failed"

/**
 * Where a message of ours stands on its way out. `sent`: somebody took it; `delivered` and `bounced`: reported later;
 * `unknown`: it may have gone out and may not, and is never sent again by itself.
 */
export type Delivery = "queued" | "sent" | "delivered" | "failed" | "bounced" | "unknown"

/** One message of a conversation, on any channel. */
export interface Message {
  readonly messageId: MessageId
  readonly tenantId: string
  readonly contactId: ContactId
  /** Null for automatic mail that belongs to no lead. */
  readonly leadId: LeadId | null
  readonly threadId: ThreadId | null
  readonly channel: Channel
  readonly actor: Actor
  /** The visible new text, without quoted history and signature. */
  readonly body: string
  /** Sanitised HTML; null when there is none. */
  readonly htmlBody: string | null
  /** Quoted history and signature that were split off `body`; the whole text where the answers stand between quotes. */
  readonly quotedText: string | null
  readonly subject: string | null
  /** RFC 5322 Message-ID, cleaned, or one synthesised from the content; email only. */
  readonly internetMessageId: string | null
  /** The tenant's own address it arrived at. */
  readonly receivedAlias: string | null
  readonly from: string | null
  readonly to: ReadonlyArray<string>
  readonly cc: ReadonlyArray<string>
  /** Where the sender wants answers to go (RFC 5322 section 3.6.2), normalised; empty: to the sender. */
  readonly replyTo: ReadonlyArray<string>
  /** Message-IDs that it stands behind in its thread, root first, as it says itself; email only. */
  readonly references: ReadonlyArray<string>
  /** What the provider of the account calls it; null for everything that no provider brought or took. */
  readonly providerMessageId: string | null
  readonly auto: Auto | null
  /** Null for what came in, and for what others sent. */
  readonly delivery: Delivery | null
  readonly flags: ReadonlyArray<MessageFlag>
  readonly attachments: ReadonlyArray<MailAttachment>
  /** Where the source of a mail is kept; null for what we sent, and for what came before sources were kept. */
  readonly raw: StoredSource | null
  readonly source: string
  readonly metadata: Readonly<Record<string, unknown>>
  /** The contact that it concerns, as a person has labelled it; null: nobody has. */
  readonly subjectContactId: ContactId | null
  /** When it was written, as far as known and never in the future; epoch milliseconds. */
  readonly timestamp: number
  /** When it was accepted here; epoch milliseconds. */
  readonly receivedAt: number
}

/** Whether somebody has to read it: a person outside wrote it, and no machine of theirs. */
export const countsAsUnread = ({ actor, auto }: Pick<Message, "actor" | "auto">): boolean =>
  actor === "contact" && auto === null

/** The message is not part of this contact's conversation. */
export class NotInConversation extends Data.TaggedError("NotInConversation")<{ readonly messageId: string }> {}

/** Length in characters of the preview a conversation list shows. */
export const previewLength = 140

/** The first line or so of a message, white space folded. */
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

/** Where a message stands in its history, and how large it is. */
export interface MessageOutline {
  readonly timestamp: number
  readonly messageId: MessageId
  /** Bytes in UTF-8 of its texts and lists as they are stored. */
  readonly bytes: number
}

/** What parsing the source of a message results in. */
export type ParsedContent = Pick<Message, "attachments" | "body" | "flags" | "htmlBody" | "quotedText">

/** What a mail of ours is called once it has gone. */
export type SentNames = Pick<Message, "internetMessageId" | "providerMessageId">
