import { Schema } from "effect"
import { listOf, maybe } from "../http/Lenient.ts"

const Mailbox = Schema.Struct({ email: maybe(Schema.String), name: maybe(Schema.String) })

/** Someone that a message names. */
export type MailboxJson = typeof Mailbox.Type

const Header = Schema.Struct({ name: maybe(Schema.String), value: maybe(Schema.String) })

/** A header field as Nylas gives it. */
export type HeaderJson = typeof Header.Type

const Attachment = Schema.Struct({
  id: maybe(Schema.String),
  content_type: maybe(Schema.String),
  filename: maybe(Schema.String),
  size: maybe(Schema.Finite),
  content_id: maybe(Schema.String),
  is_inline: maybe(Schema.Boolean),
  content_disposition: maybe(Schema.String)
})

/** What Nylas tells of an attachment. */
export type AttachmentJson = typeof Attachment.Type

const Message = Schema.Struct({
  id: maybe(Schema.String),
  /** `message`, or `draft`. */
  object: maybe(Schema.String),
  thread_id: maybe(Schema.String),
  from: listOf(Mailbox),
  to: listOf(Mailbox),
  cc: listOf(Mailbox),
  bcc: listOf(Mailbox),
  reply_to: listOf(Mailbox),
  subject: maybe(Schema.String),
  /** HTML. Text where the mail holds nothing else. */
  body: maybe(Schema.String),
  snippet: maybe(Schema.String),
  /** Seconds since 1970. */
  date: maybe(Schema.Finite),
  folders: listOf(Schema.String),
  attachments: listOf(Attachment),
  headers: listOf(Header),
  in_reply_to: maybe(Schema.String)
})

/** A message as Nylas v3 gives it, every field optional. */
export type MessageJson = typeof Message.Type

/** The answer with one message, fetched or just sent. */
export const MessageEnvelope = Schema.Struct({ data: Message })

/** A page of messages, of which only id and date are asked for. */
export const MessagePage = Schema.Struct({ data: listOf(Message), next_cursor: maybe(Schema.String) })
