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
  index: Schema.Int.annotate({ description: "The position among the attachments of the message, from 0" }),
  download_url: Schema.NullOr(Schema.String).annotate({
    description: "A path on this host, valid for 15 minutes without a credential; null when the content is not stored"
  })
}).annotate({ identifier: "Attachment" })

/** The fields after `subject_contact_id` exist for emails only. */
export const Message = Schema.Struct({
  id: Schema.String,
  channel: Channel,
  body: Schema.String,
  actor: Schema.Literals(["contact", "agent", "assistant", "system"]),
  timestamp: Timestamp,
  subject_contact_id: Schema.NullOr(Schema.String).annotate({
    description: "The contact that the message concerns, as labelled by a person"
  }),
  html_body: Schema.optionalKey(Schema.NullOr(Schema.String)),
  quoted_text: Schema.optionalKey(Schema.NullOr(Schema.String)),
  subject: Schema.optionalKey(Schema.NullOr(Schema.String)),
  thread_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  message_id: Schema.optionalKey(Schema.String).annotate({ description: "Can be used as reply_to_message_id" }),
  internet_message_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  received_alias: Schema.optionalKey(Schema.NullOr(Schema.String)),
  from: Schema.optionalKey(Schema.NullOr(Schema.String)),
  to: Schema.optionalKey(Schema.Array(Schema.String)),
  cc: Schema.optionalKey(Schema.Array(Schema.String)),
  reply_to: Schema.optionalKey(Schema.Array(Schema.String)).annotate({
    description: "The Reply-To addresses of the message. Empty: replies are sent to the sender"
  }),
  auto: Schema.NullOr(Schema.Literals(["auto_reply", "bounce", "list", "own"])).annotate({
    description: "null: a person wrote the message"
  }),
  delivery: Schema.optionalKey(
    Schema.NullOr(Schema.Literals(["queued", "sent", "delivered", "failed", "bounced", "unknown"]))
  ).annotate({ description: "The delivery state of an outbound message; null for an inbound one" }),
  flags: Schema.optionalKey(Schema.Array(Schema.String)),
  receipt: Schema.optionalKey(SendReceipt).annotate({
    description: "Present on an outbound message that a person sent despite reasons against sending it"
  }),
  unparsed: Schema.optionalKey(Schema.Literal(true)).annotate({
    description: "The content was not parsed. The body is a placeholder, and the stored source can be parsed again"
  }),
  unparsed_reason: Schema.optionalKey(Schema.Literals(unparsedReasons)).annotate({
    description: "Why the content was not parsed: it exceeded the time or memory limit, or the parser failed"
  }),
  attachments: Schema.optionalKey(Schema.Array(Attachment))
}).annotate({ identifier: "Message" })

export const MessageToSend = Schema.Struct({
  body: text(1_000_000).annotate({ description: "Plain text, or HTML for email" }),
  channel: Schema.Literals(writableChannels).annotate({
    description: "email: the message replies to the newest email of the contact's most recent email lead",
    message: `Expected one of ${writableChannels.join(", ")}`
  }),
  reply_all: Schema.optionalKey(Schema.Boolean).annotate({
    description: "For email: also send to the other recipients of the answered email; default: false"
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
  content_hash: Schema.String.annotate({ description: "SHA-256 of the UTF-8 text, in hexadecimal" }),
  head_message_id: Schema.String.annotate({
    description: "The newest message of the conversation when the draft was written"
  }),
  reply_to_message_id: Schema.String.annotate({ description: "The message that the draft answers" }),
  to: Schema.Array(Schema.String).annotate({
    description: "The addresses that will receive the email; empty for other channels"
  }),
  subject: Schema.NullOr(Schema.String),
  created_at: Timestamp
}).annotate({ identifier: "PendingDraft" })

/** A page of the message history, or the whole history. */
export const MessagePage = Schema.Struct({
  messages: Schema.Array(Message),
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description: "The cursor of older messages; null: there are none"
  }),
  pending_draft: Schema.NullOr(PendingDraft)
}).annotate({ identifier: "MessagePage" })

export const DraftToApprove = Schema.Struct({
  draft_id: Schema.optionalKey(Schema.String).annotate({ description: "Default: the pending draft" }),
  content_hash: Schema.optionalKey(Schema.String).annotate({ description: "The hash of the text that the person saw" }),
  head_message_id: Schema.optionalKey(Schema.String).annotate({
    description: "The newest message that the person saw"
  }),
  body: Schema.optionalKey(text(1_000_000)).annotate({ description: "The text after changes by the person" }),
  ...Override
}).annotate({ identifier: "DraftToApprove" })

export const DraftToDismiss = Schema.Struct({
  draft_id: Schema.optionalKey(Schema.String).annotate({ description: "Default: the pending draft" })
}).annotate({ identifier: "DraftToDismiss" })

export const SubjectLabel = Schema.Struct({
  message_id: Schema.String,
  subject_contact_id: Schema.NullOr(Schema.String).annotate({ description: "null: removes the label" })
}).annotate({ identifier: "SubjectLabel" })

export const ReadMark = Schema.Struct({
  message_id: Schema.optionalKey(Schema.String).annotate({
    description: "The newest message that the person saw; later messages stay unread. Default: all messages become read"
  })
}).annotate({ identifier: "ReadMark" })

const Success = Schema.Struct({ success: Schema.Literal(true) }).annotate({ identifier: "Success" })

const ContactPath = { ...TenantPath, contact_id: Schema.String }

export const ConversationsGroup = HttpApiGroup.make("conversations")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/conversations", {
      params: TenantPath,
      query: {
        alias: Schema.optionalKey(Schema.String).annotate({
          description: "Only messages that arrived at this address"
        }),
        cursor: Schema.optionalKey(Schema.String)
      },
      success: Schema.Struct({
        conversations: Schema.Array(Conversation),
        next_cursor: Schema.NullOr(Schema.String)
      }).annotate({ identifier: "ConversationPage" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List conversations, one per contact, newest first, 50 per page")
      .annotate(Gate, gate("conversations.list", { limiter: "admin" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/conversations/:contact_id", {
      params: ContactPath,
      query: {
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))).annotate({
          description: "Messages per page. Without limit and cursor, the response contains all messages"
        }),
        cursor: Schema.optionalKey(Schema.String)
      },
      success: MessagePage,
      error: [BadRequest, NotFound]
    })
      .annotate(
        OpenApi.Summary,
        "List a contact's messages on all channels, oldest first: in pages, or all at once (up to 10,000 messages or 64 MiB)"
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
      .annotate(OpenApi.Summary, "Send a message to a contact; email counts towards the tenant's limit of 50 per hour")
      .annotate(Gate, gate("conversations.send", { limiter: "admin", idempotency: "stored" })),
    HttpApiEndpoint.post("markRead", "/tenants/:tenant_id/conversations/:contact_id/read", {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: [ReadMark, Schema.Null],
      success: Success,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Mark the messages of a contact as read")
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
      .annotate(Gate, gate("conversations.approveDraft", { limiter: "admin", idempotency: "repeatable" })),
    HttpApiEndpoint.post("dismissDraft", "/tenants/:tenant_id/conversations/:contact_id/dismiss-draft", {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: [DraftToDismiss, Schema.Null],
      success: Success,
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Discard the pending draft without sending it")
      .annotate(Gate, gate("conversations.dismissDraft", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.post("labelSubject", "/tenants/:tenant_id/conversations/:contact_id/messages/subject", {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: SubjectLabel,
      success: SubjectLabel,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Label the contact that a message concerns")
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
