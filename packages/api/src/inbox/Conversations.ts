// Endpoints of the inbox: conversations, messages, calls and search. Contacts are in `../contact`. Tests:
// `packages/server/test/http/conversation`.

import { writableChannels } from "@leadloom/core/internal/domain/sending/Composition"
import { unparsedReasons } from "@leadloom/core/internal/domain/email/ParsedMail"
import { Message as MessageNoun } from "@leadloom/core/internal/domain/conversation/Message"
import { MailAuthentication } from "@leadloom/core/internal/domain/email/authentication/MailAuthentication"
import type { Wait } from "@leadloom/core/internal/domain/conversation/Wait"
import { contentHash, Draft } from "@leadloom/core/internal/domain/draft/Draft"
import type { PendingDraft as PendingDraftNoun } from "@leadloom/core/internal/workflow/draft/Drafts"
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import {
  BadRequest,
  Conflict,
  Forbidden,
  GuardrailBlocked,
  HipaaRestricted,
  IdempotencyConflict,
  IdempotencyInProgress,
  NotFound,
  ProviderError,
  RateLimited,
  ServiceUnavailable,
  keyErrors
} from "../errors.ts"
import { Conversation } from "../schema/ConversationRow.ts"
import { filterQuery, sortQuery } from "../schema/InboxFilter.ts"
import { Channel, IdempotencyKey, isoTime, TenantPath, text, cursor, nextCursor } from "../schema/Field.ts"
import { EmailOptions, LaterReceipt, ScheduleOptions, subject } from "../schema/Composition.ts"
import { Override, Receipt, SendReceipt } from "../schema/Override.ts"
import { ScheduledMessage } from "./Scheduled.ts"
import { computed, orNull, wire } from "../schema/Wire.ts"
import { contactId, messageId } from "../schema/Ids.ts"

export const Attachment = Schema.Struct({
  filename: Schema.NullOr(Schema.String).annotate({ description: "The name of the file; null: not given" }),
  content_type: Schema.String.annotate({ description: "The media type that the sender stated" }),
  size: Schema.Int.annotate({ description: "The size in bytes" }),
  index: Schema.Int.annotate({ description: "The position among the attachments of the message, from 0" }),
  download_url: Schema.NullOr(Schema.String).annotate({
    description: "A path on this host, valid for 15 minutes without a credential; null when the content is not stored"
  })
}).annotate({ identifier: "Attachment", description: "A file attached to an email" })

const common = ["messageId", "channel", "body", "actor", "userId", "timestamp", "subjectContactId", "auto"] as const

/** Any strings, because stored messages may have flags that no longer exist. */
const Flags = Schema.Array(Schema.String).annotate({
  description:
    "Warnings for readers, for example `sender_unverified` (a new sender in the thread), `reused_message_id` or `subject_changed`"
})

/** A message that is neither an email nor a text. */
const plain = wire(MessageNoun, null, { id: "messageId", pick: common, schemas: { channel: Channel } })

const computedMessageId = computed(
  Schema.String.annotate({ description: "Can be used as reply_to_message_id" }),
  (message: MessageNoun) => message.messageId
)

const authentication = wire(MailAuthentication, "MailAuthentication", {
  description: "The authentication of the sender of a mail"
})

/** The authentication of a message in JSON; null if it is not known. */
export const authenticationToJson = (message: Pick<MessageNoun, "authentication">) =>
  orNull(message.authentication, authentication.toJson)

/** The schema of `authenticationToJson`. */
export const Authentication = Schema.NullOr(authentication.schema).annotate({
  description: "The results of SPF, DKIM, DMARC and ARC; null: not known"
})

const email = wire(MessageNoun, null, {
  id: "messageId",
  pick: [
    ...common,
    ...(["htmlBody", "quotedText", "subject", "threadId", "internetMessageId", "receivedAlias"] as const),
    ...(["from", "to", "cc", "replyTo", "delivery", "flags"] as const)
  ],
  schemas: { channel: Channel, flags: Flags },
  computed: { message_id: computedMessageId, authentication: computed(Authentication, authenticationToJson) }
})

/** A text, also called SMS. */
const sms = wire(MessageNoun, null, {
  id: "messageId",
  pick: [...common, "from", "to", "delivery", "flags"],
  schemas: { channel: Channel, flags: Flags },
  computed: { message_id: computedMessageId }
})

/** Only emails and texts have the optional fields. */
export const Message = Schema.Struct({
  ...email.schema.mapFields(Struct.map(Schema.optionalKey)).fields,
  ...plain.schema.fields,
  receipt: Schema.optionalKey(SendReceipt).pipe(
    Schema.annotateKey({
      description: "Present on an outbound message that a person sent despite reasons against sending it"
    })
  ),
  unparsed: Schema.optionalKey(Schema.Literal(true)).annotate({
    description: "The content was not parsed. The body is a placeholder, and the stored source can be parsed again"
  }),
  unparsed_reason: Schema.optionalKey(Schema.Literals(unparsedReasons)).annotate({
    description: "Why the content was not parsed: it exceeded the time or memory limit, or the parser failed"
  }),
  attachments: Schema.optionalKey(Schema.Array(Attachment)).annotate({
    description: "The files attached to the email"
  }),
  waits_until: Schema.optionalKey(Schema.String).annotate({
    description:
      "Present on a message that waits: the time of the next attempt to process or send it (ISO 8601 in UTC). Only the newest 100 messages of a response have this field"
  }),
  reason: Schema.optionalKey(Schema.String).annotate({
    description: "Present on a message that waits: the reason, for people"
  })
}).annotate({
  identifier: "Message",
  description: "A message on any channel. Only emails and texts have optional fields other than those of a wait"
})

/** Encodes the wait of a message. */
export const waitToJson = ({ reason, until }: Wait): Required<Pick<typeof Message.Type, "reason" | "waits_until">> => ({
  waits_until: isoTime(until),
  reason
})

type More = Pick<typeof Message.Type, "attachments" | "receipt" | "unparsed" | "unparsed_reason">

/** Encodes a message. `more` returns the fields of an email or a text that its record does not have. */
export const messageToJson = (message: MessageNoun, more: (message: MessageNoun) => More): typeof Message.Type => {
  if (message.channel === "email") return Object.assign(email.toJson(message), more(message))
  // A message that a form or a partner submitted on the channel `sms` has no phone numbers.
  const isText = message.channel === "sms" && message.from !== null
  return isText ? Object.assign(sms.toJson(message), more(message)) : plain.toJson(message)
}

export const MessageToSend = Schema.Struct({
  body: text(1_000_000).annotate({ description: "Plain text, or HTML for email" }),
  channel: Schema.Literals(writableChannels).annotate({
    description:
      "email: without `subject`, the message replies to the newest email of the contact's most recent email lead",
    message: `Expected one of ${writableChannels.join(", ")}`
  }),
  reply_all: Schema.optionalKey(Schema.Boolean).annotate({
    description: "For email: also send to the other recipients of the answered email; default: false"
  }),
  ...EmailOptions,
  ...ScheduleOptions,
  ...Override
}).annotate({ identifier: "MessageToSend", description: "The message to send" })

export const MessageSent = Schema.Struct({ message_id: messageId, ...LaterReceipt, ...Receipt }).annotate({
  identifier: "MessageSent",
  description: "The stored message. Its `delivery` in the conversation shows the result"
})

const draft = wire(Draft, null, {
  pick: ["draftId", "channel", "text", "headMessageId", "messageId", "createdAt"],
  names: { messageId: "reply_to_message_id" },
  schemas: { channel: Channel },
  computed: {
    content_hash: computed(
      Schema.String.annotate({ description: "SHA-256 of the UTF-8 text, in hexadecimal" }),
      ({ text }) => contentHash(text)
    )
  }
})

export const PendingDraft = Schema.Struct({
  ...draft.schema.fields,
  to: Schema.Array(Schema.String).annotate({
    description:
      "The addresses that will receive the email, or the number that will receive the text. Empty on a channel without replies, for example a form: an approval with a `subject` sends an email to the contact, or to its own `to`"
  }),
  subject: Schema.NullOr(Schema.String).annotate({
    description:
      "The subject line of the reply; null: the channel has no email to answer, so that an approval by email states its subject"
  })
}).annotate({ identifier: "PendingDraft", description: "A generated reply that waits for approval" })

/** Encodes a pending draft with its recipients. */
export const draftToJson = ({ draft: record, subject, to }: PendingDraftNoun): typeof PendingDraft.Type => ({
  ...draft.toJson(record),
  to,
  subject
})

/** A page of the message history, or the whole history. */
export const MessagePage = Schema.Struct({
  messages: Schema.Array(Message).annotate({ description: "The messages, oldest first" }),
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description: "The cursor of older messages; null: there are none"
  }),
  conversation: Conversation,
  pending_draft: Schema.NullOr(PendingDraft).annotate({
    description: "The reply that waits for approval; null: there is none"
  }),
  scheduled: Schema.Array(ScheduledMessage).annotate({
    description: "The messages to the contact that are sent later, earliest first, at most 50"
  })
}).annotate({ identifier: "MessagePage", description: "The messages of a contact with its pending draft" })

export const DraftToApprove = Schema.Struct({
  draft_id: Schema.optionalKey(Schema.String).annotate({ description: "Default: the pending draft" }),
  content_hash: Schema.optionalKey(Schema.String).annotate({ description: "The hash of the text that the person saw" }),
  head_message_id: Schema.optionalKey(Schema.String).annotate({
    description: "The newest message that the person saw"
  }),
  body: Schema.optionalKey(text(1_000_000)).annotate({ description: "The text after changes by the person" }),
  subject: Schema.optionalKey(subject).annotate({
    description:
      "The subject line of an email after changes by the person. Required to send the draft of a channel without replies, for example a form, as an email"
  }),
  to: EmailOptions.to,
  cc: EmailOptions.cc,
  bcc: EmailOptions.bcc,
  undo_seconds: ScheduleOptions.undo_seconds,
  ...Override
}).annotate({
  identifier: "DraftToApprove",
  description: "The draft as the person saw it, so that an outdated approval is rejected"
})

export const DraftToDismiss = Schema.Struct({
  draft_id: Schema.optionalKey(Schema.String).annotate({ description: "Default: the pending draft" })
}).annotate({ identifier: "DraftToDismiss", description: "The draft to discard" })

export const SubjectLabel = Schema.Struct({
  message_id: messageId,
  subject_contact_id: Schema.NullOr(Schema.String).annotate({ description: "null: removes the label" })
}).annotate({ identifier: "SubjectLabel", description: "The contact that a message concerns, if it is not its sender" })

export const ReadMark = Schema.Struct({
  message_id: Schema.optionalKey(Schema.String).annotate({
    description: "The newest message that the person saw; later messages stay unread. Default: all messages become read"
  })
}).annotate({ identifier: "ReadMark", description: "The messages to mark as read" })

const Success = Schema.Struct({ success: Schema.Literal(true).annotate({ description: "Always true" }) }).annotate({
  identifier: "Success",
  description: "The confirmation of a change"
})

const ContactPath = { ...TenantPath, contact_id: contactId }

export const ConversationsGroup = HttpApiGroup.make("conversations")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/conversations", {
      params: TenantPath,
      query: { ...filterQuery, ...sortQuery, cursor },
      success: Schema.Struct({
        conversations: Schema.Array(Conversation).annotate({
          description: "The conversations in the requested order, at most 50"
        }),
        next_cursor: nextCursor
      }).annotate({ identifier: "ConversationPage", description: "A page of conversations" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List conversations, one per contact, with filters, 50 per page")
      .annotate(
        OpenApi.Description,
        "The page size is fixed. All filters must match. A page may have fewer conversations and still a `next_cursor`, when few conversations match several filters."
      )
      .annotate(Gate, gate("conversations.list", { limiter: "admin" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/conversations/:contact_id", {
      params: ContactPath,
      query: {
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))).annotate({
          description: "Messages per page. Without limit and cursor, the response contains all messages"
        }),
        cursor
      },
      success: MessagePage,
      error: [BadRequest, NotFound]
    })
      .annotate(
        OpenApi.Summary,
        "List a contact's messages on all channels, oldest first: in pages, or all at once (up to 10,000 messages or 64 MiB)"
      )
      .annotate(OpenApi.Description, "Messages of merged contacts are part of the conversation.")
      .annotate(Gate, gate("conversations.get", { limiter: "admin" })),
    HttpApiEndpoint.post("send", "/tenants/:tenant_id/conversations/:contact_id/messages", {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: MessageToSend,
      success: MessageSent,
      error: [
        BadRequest,
        Forbidden,
        HipaaRestricted,
        NotFound,
        Conflict,
        IdempotencyConflict,
        IdempotencyInProgress,
        RateLimited,
        ProviderError,
        ServiceUnavailable
      ]
    })
      .annotate(OpenApi.Summary, "Send a message to a contact; email counts towards the tenant's limit of 50 per hour")
      .annotate(
        OpenApi.Description,
        "The rules for outbound messages apply: opt-outs, the blocklist, undeliverable addresses and plan limits. A violation is rejected with its reason."
      )
      .annotate(Gate, gate("conversations.send", { limiter: "admin", idempotency: "stored" })),
    HttpApiEndpoint.post("markRead", "/tenants/:tenant_id/conversations/:contact_id/read", {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: [ReadMark, Schema.Null],
      success: Success,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Mark the messages of a contact as read")
      .annotate(OpenApi.Description, "Unread counts of lists change immediately.")
      .annotate(Gate, gate("conversations.markRead", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.post("approveDraft", "/tenants/:tenant_id/conversations/:contact_id/approve-draft", {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: [DraftToApprove, Schema.Null],
      success: MessageSent,
      error: [
        BadRequest,
        Forbidden,
        HipaaRestricted,
        NotFound,
        Conflict,
        GuardrailBlocked,
        RateLimited,
        ProviderError,
        ServiceUnavailable,
        ...keyErrors
      ]
    })
      .annotate(
        OpenApi.Summary,
        "Send the pending draft, at most once; 409 when the draft differs from the version that the person saw"
      )
      .annotate(
        OpenApi.Description,
        "Idempotent: two approvals send one message. The checks of outbound messages and the guardrails for approved text apply. With `undo_seconds`, the message waits in `GET …/scheduled`; its cancellation restores the draft, and a newer message in the conversation cancels it."
      )
      .annotate(Gate, gate("conversations.approveDraft", { limiter: "admin", idempotency: "repeatable" })),
    HttpApiEndpoint.post("dismissDraft", "/tenants/:tenant_id/conversations/:contact_id/dismiss-draft", {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: [DraftToDismiss, Schema.Null],
      success: Success,
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Discard the pending draft without sending it")
      .annotate(OpenApi.Description, "The lead and the conversation stay unchanged.")
      .annotate(Gate, gate("conversations.dismissDraft", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.post("labelSubject", "/tenants/:tenant_id/conversations/:contact_id/messages/subject", {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: SubjectLabel,
      success: SubjectLabel,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Label the contact that a message concerns")
      .annotate(OpenApi.Description, "For a message that one person sends about another, for example for a relative.")
      .annotate(Gate, gate("conversations.labelSubject", { limiter: "admin", idempotency: "unit" }))
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Conversations",
      description: "All messages of a contact on all channels, in order of time"
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
