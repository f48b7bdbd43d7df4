import { writableChannels } from "@leadloom/core/workflow/conversation/SendMessage"
import { unparsedReasons } from "@leadloom/core/domain/email/ParsedMail"
import { Schema } from "effect"
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
import { Channel, IdempotencyKey, TenantPath, text, Timestamp } from "../schema/Field.ts"
import { Override, Receipt, SendReceipt } from "../schema/Override.ts"

export const Conversation = Schema.Struct({
  contact_id: Schema.String,
  contact_name: Schema.NullOr(Schema.String),
  contact_email: Schema.NullOr(Schema.String),
  last_message: Schema.String,
  last_channel: Channel,
  last_timestamp: Timestamp,
  lead_id: Schema.NullOr(Schema.String),
  lead_state: Schema.NullOr(Schema.String),
  score_tier: Schema.NullOr(Schema.String),
  unread: Schema.Int
}).annotate({ identifier: "Conversation" })

export const Attachment = Schema.Struct({
  filename: Schema.NullOr(Schema.String),
  content_type: Schema.String,
  size: Schema.Int,
  index: Schema.Int.annotate({ description: "Its place among the attachments of the message, from 0" }),
  download_url: Schema.NullOr(Schema.String).annotate({
    description: "Path on this host that needs no credential, good for 15 minutes; null when the content is not kept"
  })
}).annotate({ identifier: "Attachment" })

/** Fields below `subject_contact_id` are there for email only. */
export const Message = Schema.Struct({
  id: Schema.String,
  channel: Channel,
  body: Schema.String,
  actor: Schema.Literals(["contact", "agent", "assistant", "system"]),
  timestamp: Timestamp,
  subject_contact_id: Schema.NullOr(Schema.String).annotate({
    description: "The contact that it concerns, where somebody has labelled it"
  }),
  html_body: Schema.optionalKey(Schema.NullOr(Schema.String)),
  quoted_text: Schema.optionalKey(Schema.NullOr(Schema.String)),
  subject: Schema.optionalKey(Schema.NullOr(Schema.String)),
  thread_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  message_id: Schema.optionalKey(Schema.String).annotate({ description: "Usable as reply_to_message_id" }),
  internet_message_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  received_alias: Schema.optionalKey(Schema.NullOr(Schema.String)),
  from: Schema.optionalKey(Schema.NullOr(Schema.String)),
  to: Schema.optionalKey(Schema.Array(Schema.String)),
  cc: Schema.optionalKey(Schema.Array(Schema.String)),
  reply_to: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description: "Where its sender wants answers to go; empty: to the sender"
  }),
  auto: Schema.NullOr(Schema.Literals(["auto_reply", "bounce", "list", "own"])).annotate({
    description: "null: a person wrote it"
  }),
  delivery: Schema.optionalKey(
    Schema.NullOr(Schema.Literals(["queued", "sent", "delivered", "failed", "bounced", "unknown"]))
  ).annotate({ description: "Where a message of ours stands; null for what others sent" }),
  flags: Schema.optionalKey(Schema.Array(Schema.String)),
  receipt: Schema.optionalKey(SendReceipt).annotate({
    description: "Of a message of ours that a person let out against a reason"
  }),
  unparsed: Schema.optionalKey(Schema.Literal(true)).annotate({
    description:
      "Its content could not be parsed: the body is a placeholder, the source is kept and can be parsed again"
  }),
  unparsed_reason: Schema.optionalKey(Schema.Literals(unparsedReasons)).annotate({
    description: "Why it is unparsed: it took too long, it took too much memory, or the parser failed"
  }),
  attachments: Schema.optionalKey(Schema.Array(Attachment))
}).annotate({ identifier: "Message" })

export const MessageToSend = Schema.Struct({
  body: text(1_000_000).annotate({ description: "Plain text, or HTML in an email" }),
  channel: Schema.Literals(writableChannels).annotate({
    description: "email answers the newest email of the contact's most recent email lead",
    message: `Expected one of ${writableChannels.join(", ")}`
  }),
  reply_all: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Of an email: also to everybody else who got the one that is answered; default false"
  }),
  ...Override
}).annotate({ identifier: "MessageToSend" })

export const MessageSent = Schema.Struct({ message_id: Schema.String, ...Receipt }).annotate({
  identifier: "MessageSent"
})

export const PendingDraft = Schema.Struct({
  draft_id: Schema.String,
  channel: Channel,
  text: Schema.String,
  content_hash: Schema.String.annotate({ description: "SHA-256 of the text in UTF-8, hex" }),
  head_message_id: Schema.String.annotate({ description: "The newest message when it was written" }),
  reply_to_message_id: Schema.String.annotate({ description: "The message that it answers" }),
  to: Schema.Array(Schema.String).annotate({ description: "Addresses it would go to; empty for what is no email" }),
  subject: Schema.NullOr(Schema.String),
  created_at: Timestamp
}).annotate({ identifier: "PendingDraft" })

/** A history, or a page of it. */
export const MessagePage = Schema.Struct({
  messages: Schema.Array(Message),
  next_cursor: Schema.NullOr(Schema.String).annotate({ description: "Leads to older messages; null: these are all" }),
  pending_draft: Schema.NullOr(PendingDraft)
}).annotate({ identifier: "MessagePage" })

export const DraftToApprove = Schema.Struct({
  draft_id: Schema.optionalKey(Schema.String).annotate({ description: "Default: what is pending" }),
  content_hash: Schema.optionalKey(Schema.String).annotate({ description: "Of the text that was seen" }),
  head_message_id: Schema.optionalKey(Schema.String).annotate({ description: "The newest message that was seen" }),
  body: Schema.optionalKey(text(1_000_000)).annotate({ description: "The text as the person has changed it" }),
  ...Override
}).annotate({ identifier: "DraftToApprove" })

export const DraftToDismiss = Schema.Struct({
  draft_id: Schema.optionalKey(Schema.String).annotate({ description: "Default: what is pending" })
}).annotate({ identifier: "DraftToDismiss" })

export const SubjectLabel = Schema.Struct({
  message_id: Schema.String,
  subject_contact_id: Schema.NullOr(Schema.String).annotate({ description: "null takes the label away" })
}).annotate({ identifier: "SubjectLabel" })

export const ReadMark = Schema.Struct({
  message_id: Schema.optionalKey(Schema.String).annotate({
    description: "The newest message that was seen: what has come since stays unread. Default: everything is read"
  })
}).annotate({ identifier: "ReadMark" })

const Success = Schema.Struct({ success: Schema.Literal(true) }).annotate({ identifier: "Success" })

const ContactPath = { ...TenantPath, contact_id: Schema.String }

export const ConversationsGroup = HttpApiGroup.make("conversations")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/conversations", {
      params: TenantPath,
      query: {
        alias: Schema.optionalKey(Schema.String).annotate({ description: "Only what arrived at this address" }),
        cursor: Schema.optionalKey(Schema.String)
      },
      success: Schema.Struct({
        conversations: Schema.Array(Conversation),
        next_cursor: Schema.NullOr(Schema.String)
      }).annotate({ identifier: "ConversationPage" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List conversations, one a contact, newest first, 50 a page")
      .annotate(Gate, gate("conversations.list", { limiter: "admin" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/conversations/:contact_id", {
      params: ContactPath,
      query: {
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))).annotate({
          description: "Messages on a page; without it and without a cursor the whole history is one page"
        }),
        cursor: Schema.optionalKey(Schema.String)
      },
      success: MessagePage,
      error: [BadRequest, NotFound]
    })
      .annotate(
        OpenApi.Summary,
        "The history of a contact, all channels, oldest first: whole (10,000 messages or 64 MiB), or in pages"
      )
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
      .annotate(OpenApi.Summary, "Write to a contact; email counts towards the tenant's 50 an hour")
      .annotate(Gate, gate("conversations.send", { limiter: "admin", idempotency: "stored" })),
    HttpApiEndpoint.post("markRead", "/tenants/:tenant_id/conversations/:contact_id/read", {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: [ReadMark, Schema.Null],
      success: Success,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Mark all messages of a contact read")
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
      .annotate(OpenApi.Summary, "Send the pending draft, once; 409 when it is not what was seen")
      .annotate(Gate, gate("conversations.approveDraft", { limiter: "admin", idempotency: "repeatable" })),
    HttpApiEndpoint.post("dismissDraft", "/tenants/:tenant_id/conversations/:contact_id/dismiss-draft", {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: [DraftToDismiss, Schema.Null],
      success: Success,
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Throw the pending draft away, nothing is sent")
      .annotate(Gate, gate("conversations.dismissDraft", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.post("labelSubject", "/tenants/:tenant_id/conversations/:contact_id/messages/subject", {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: SubjectLabel,
      success: SubjectLabel,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Label which contact a message concerns")
      .annotate(Gate, gate("conversations.labelSubject", { limiter: "admin", idempotency: "unit" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Conversations", description: "Every channel of a contact in one line" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
