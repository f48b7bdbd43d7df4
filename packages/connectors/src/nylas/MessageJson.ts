import { Schema } from "effect"
import { listOf, maybe } from "../provider/Lenient.ts"

const Mailbox = Schema.Struct({ email: maybe(Schema.String), name: maybe(Schema.String) })

export type MailboxJson = typeof Mailbox.Type

const Header = Schema.Struct({ name: maybe(Schema.String), value: maybe(Schema.String) })

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

export type AttachmentJson = typeof Attachment.Type

const Message = Schema.Struct({
  id: maybe(Schema.String),
  /** The type of the object: `message` or `draft`. */
  object: maybe(Schema.String),
  thread_id: maybe(Schema.String),
  from: listOf(Mailbox),
  to: listOf(Mailbox),
  cc: listOf(Mailbox),
  bcc: listOf(Mailbox),
  reply_to: listOf(Mailbox),
  subject: maybe(Schema.String),
  /** The body: HTML, or plain text for a mail without HTML. */
  body: maybe(Schema.String),
  snippet: maybe(Schema.String),
  /** The time of the message, in seconds since 1970. */
  date: maybe(Schema.Finite),
  folders: listOf(Schema.String),
  attachments: listOf(Attachment),
  headers: listOf(Header),
  in_reply_to: maybe(Schema.String)
})

/** A message of Nylas v3. Every field is optional. */
export type MessageJson = typeof Message.Type

/** The response to a request that fetches or sends one message. */
export const MessageEnvelope = Schema.Struct({ data: Message })

/** A page of messages. The request selects only id and date. */
export const MessagePage = Schema.Struct({ data: listOf(Message), next_cursor: maybe(Schema.String) })
