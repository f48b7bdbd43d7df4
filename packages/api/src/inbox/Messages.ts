import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { keyErrors, NotFound, RateLimited, ServiceUnavailable } from "../errors.ts"
import { deliverySteps } from "@leadloom/core/internal/domain/sending/DeliveryStep"
import { Attachment, Authentication, Message } from "./Conversations.ts"
import { Channel, IdempotencyKey, TenantPath, Timestamp } from "../schema/Field.ts"
import { contactId, messageId } from "../schema/Ids.ts"

/** The schema of a response with the unchanged bytes of a file. */
const file = (contentType: string) => Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType }))

/** A file of a message, with its place in the HTML. */
const Part = Schema.Struct({
  ...Attachment.fields,
  inline: Schema.Boolean.annotate({ description: "true: the HTML may show the file by its content id" }),
  content_id: Schema.NullOr(Schema.String).annotate({ description: "The content id; null: none" })
}).annotate({ identifier: "MessageFile", description: "A file attached to a message" })

const Headers = Schema.Struct({
  from: Schema.NullOr(Schema.String).annotate({ description: "The sender's address or number; null: not known" }),
  to: Schema.Array(Schema.String).annotate({ description: "The recipients" }),
  cc: Schema.Array(Schema.String).annotate({ description: "The recipients in Cc" }),
  bcc: Schema.Array(Schema.String).annotate({
    description: "The recipients in Bcc of an email that this server sent. No recipient sees them"
  }),
  reply_to: Schema.Array(Schema.String).annotate({ description: "The addresses for replies. Empty: the sender" }),
  subject: Schema.NullOr(Schema.String).annotate({ description: "The subject line; null: none" }),
  message_id: Schema.NullOr(Schema.String).annotate({ description: "The RFC 5322 Message-ID; null: not an email" }),
  in_reply_to: Schema.NullOr(Schema.String).annotate({
    description: "The Message-ID of the answered email; null: none"
  }),
  references: Schema.Array(Schema.String).annotate({ description: "The Message-IDs of the thread, oldest first" })
}).annotate({ identifier: "MessageHeaders", description: "The header fields that determine recipients and thread" })

const Step = Schema.Struct({
  at: Timestamp.annotate({ description: "The time of the step" }),
  step: Schema.Literals(deliverySteps).annotate({
    description:
      "`started`: handed to the transport. `postponed`: waits for another attempt. `sent`, `failed`, `unknown`: the result of the attempt. `delivered`, `bounced`: a later report of the provider"
  }),
  attempt: Schema.NullOr(Schema.Int).annotate({ description: "The number of the attempt; null: a report" }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "The provider's response or the cause; null: none" })
}).annotate({ identifier: "DeliveryStep", description: "One step of the delivery of a message" })

export const MessageDetail = Schema.Struct({
  message_id: messageId,
  contact_id: contactId,
  lead_id: Schema.NullOr(Schema.String).annotate({ description: "The lead; null: none" }),
  thread_id: Schema.NullOr(Schema.String).annotate({ description: "The email thread; null: none" }),
  channel: Channel,
  actor: Schema.String.annotate({ description: "The author: contact, agent, assistant or system" }),
  user_id: Schema.NullOr(Schema.String).annotate({ description: "The user who wrote the message; null: unknown" }),
  timestamp: Timestamp.annotate({ description: "The time of writing" }),
  received_at: Timestamp.annotate({ description: "The time at which this server accepted the message" }),
  parts: Schema.Struct({
    text: Schema.String.annotate({ description: "The author's new text without quoted history and signature" }),
    html: Schema.NullOr(Schema.String).annotate({ description: "The sanitised HTML body; null: none" }),
    quoted: Schema.NullOr(Schema.String).annotate({ description: "The removed history and signature; null: none" })
  }).annotate({ identifier: "MessageParts", description: "The content of a message" }),
  attachments: Schema.Array(Part).annotate({ description: "The files of the message" }),
  headers: Headers,
  auto: Schema.NullOr(Schema.String).annotate({
    description: "The kind of an automatic message, for example `bounce`; `own`: the tenant wrote it in another program"
  }),
  authentication: Authentication,
  flags: Schema.Array(Schema.String).annotate({ description: "Warnings for readers" }),
  delivery: Schema.NullOr(Schema.String).annotate({
    description: "The delivery state of an outbound message; null for an inbound one"
  }),
  delivery_history: Schema.Array(Step).annotate({
    description: "The steps of the delivery, oldest first, at most 100. Empty for an inbound message"
  })
}).annotate({ identifier: "MessageDetail", description: "A message with its parts, headers and delivery history" })

export const MessagesGroup = HttpApiGroup.make("messages")
  .add(
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/messages/:message_id", {
      params: { ...TenantPath, message_id: messageId },
      success: MessageDetail,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a message with its parts, headers, attachments and delivery history")
      .annotate(
        OpenApi.Description,
        "A message that is sent later does not exist before its send: read `GET …/scheduled`."
      )
      .annotate(Gate, gate("messages.get", { limiter: "admin" })),
    HttpApiEndpoint.get("raw", "/tenants/:tenant_id/messages/:message_id/raw", {
      params: { ...TenantPath, message_id: messageId },
      success: file("message/rfc822"),
      error: NotFound
    })
      .annotate(
        OpenApi.Summary,
        "Download the source of an email as it was received; for hosted accounts, the provider's JSON"
      )
      .annotate(OpenApi.Description, "The bytes are unchanged and may contain active content. Show them as text only.")
      .annotate(Gate, gate("messages.raw", { limiter: "admin", email: true })),
    HttpApiEndpoint.post("parse", "/tenants/:tenant_id/messages/:message_id/parse", {
      params: { ...TenantPath, message_id: messageId },
      headers: IdempotencyKey,
      success: Message,
      error: [NotFound, ServiceUnavailable, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Parse the source of an email again and replace its content. Useful for `unparsed` messages and after an upgrade"
      )
      .annotate(OpenApi.Description, "Ids, thread and lead stay. The content is replaced.")
      .annotate(Gate, gate("messages.parse", { limiter: "admin", email: true, idempotency: "repeatable" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Messages", description: "Single messages, and the stored sources of emails" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")

export const AttachmentsGroup = HttpApiGroup.make("attachments")
  .add(
    HttpApiEndpoint.get("download", "/public/attachments/:token", {
      params: {
        token: Schema.String.annotate({ description: "The signed token in the `download_url` of an attachment" })
      },
      success: file("application/octet-stream"),
      error: [NotFound, RateLimited, ServiceUnavailable]
    })
      .annotate(OpenApi.Summary, "Download an attachment by the `download_url` of a conversation; needs no credential")
      .annotate(OpenApi.Description, "The token is signed and expires 15 minutes after the conversation was read.")
      .annotate(Gate, gate("attachments.download", { limiter: "none" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Attachments", description: "Attachments of emails" }))
  .middleware(RequestValidation)
  .prefix("/api/v1")
