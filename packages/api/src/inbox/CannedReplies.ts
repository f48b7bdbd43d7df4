import { CannedReply as Noun, maxCannedReplies } from "@leadloom/core/internal/domain/reply/CannedReply"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { cursor, IdempotencyKey, nextCursor, pageSize, TenantPath } from "../schema/Field.ts"
import { contactId } from "../schema/Ids.ts"
import { changeRequest, wire } from "../schema/Wire.ts"

export const { schema: CannedReply, toJson: cannedReplyToJson } = wire(Noun, "CannedReply", {
  description: "A text that people insert into their answers",
  id: "cannedReplyId",
  omit: ["tenantId", "sortName"]
})

export const { fromJson: cannedReplyChangeOf, schema: UpdateCannedReply } = changeRequest(
  Noun,
  "UpdateCannedReply",
  "The fields to change. Absent fields stay; null removes a value",
  { name: {}, body: {}, folder: {}, subject: {}, shortcut: {}, channels: {} }
)

export const CreateCannedReply = Schema.Struct({
  ...UpdateCannedReply.fields,
  name: Noun.fields.name,
  body: Noun.fields.body
}).annotate({ identifier: "CreateCannedReply", description: "A new canned reply" })

export const RenderedCannedReply = Schema.Struct({
  text: Schema.String.annotate({ description: "The text with the values of the contact" }),
  subject: Schema.NullOr(Schema.String).annotate({ description: "The rendered subject; null: the reply has none" }),
  missing: Schema.Array(Schema.String).annotate({
    description: "The variables of the templates without a value, for example `contact.first_name`"
  })
}).annotate({ identifier: "RenderedCannedReply", description: "A canned reply with the values of a contact" })

const ReplyPath = {
  ...TenantPath,
  canned_reply_id: Schema.String.annotate({ description: "Canned reply id (`can_…`)" })
}

export const CannedRepliesGroup = HttpApiGroup.make("cannedReplies")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/canned-replies", {
      params: TenantPath,
      query: {
        q: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(200))).annotate({
          description: "Only replies whose name or shortcut begins with this text, in any case"
        }),
        folder: Schema.optionalKey(Schema.String).annotate({ description: "Only replies in this folder" }),
        cursor,
        limit: pageSize(100, 50)
      },
      success: Schema.Struct({
        canned_replies: Schema.Array(CannedReply).annotate({ description: "The canned replies by name" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "CannedReplyPage", description: "A page of canned replies" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List or search canned replies by name")
      .annotate(Gate, gate("cannedReplies.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/canned-replies", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateCannedReply,
      success: CannedReply.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a canned reply")
      .annotate(
        OpenApi.Description,
        `An unknown variable is rejected with its name. A tenant has at most ${maxCannedReplies} canned replies.`
      )
      .annotate(Gate, gate("cannedReplies.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/canned-replies/:canned_reply_id", {
      params: ReplyPath,
      success: CannedReply,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a canned reply")
      .annotate(Gate, gate("cannedReplies.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/canned-replies/:canned_reply_id", {
      params: ReplyPath,
      payload: UpdateCannedReply,
      success: CannedReply,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Change a canned reply")
      .annotate(Gate, gate("cannedReplies.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("delete", "/tenants/:tenant_id/canned-replies/:canned_reply_id", {
      params: ReplyPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Delete a canned reply")
      .annotate(Gate, gate("cannedReplies.delete", { limiter: "admin" })),
    HttpApiEndpoint.post("render", "/tenants/:tenant_id/canned-replies/:canned_reply_id/render", {
      params: ReplyPath,
      headers: IdempotencyKey,
      payload: Schema.Struct({ contact_id: contactId }).annotate({
        identifier: "RenderCannedReply",
        description: "The contact whose values the text contains"
      }),
      success: RenderedCannedReply,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Render a canned reply for a contact")
      .annotate(OpenApi.Description, "Counts one use and sends nothing. Variables without a value leave an empty text.")
      .annotate(Gate, gate("cannedReplies.render", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Canned replies", description: "Texts that people insert into answers" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
