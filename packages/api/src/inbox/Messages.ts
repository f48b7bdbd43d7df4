import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { keyErrors, NotFound, RateLimited, ServiceUnavailable } from "../errors.ts"
import { Message } from "./Conversations.ts"
import { IdempotencyKey, TenantPath } from "../schema/Field.ts"
import { messageId } from "../schema/Ids.ts"

/** The schema of a response with the unchanged bytes of a file. */
const file = (contentType: string) => Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType }))

export const MessagesGroup = HttpApiGroup.make("messages")
  .add(
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
  .annotateMerge(OpenApi.annotations({ title: "Messages", description: "The stored sources of emails" }))
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
