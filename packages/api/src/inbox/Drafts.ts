import { AgentDraft as AgentDraftNoun } from "@leadloom/core/internal/domain/draft/AgentDraft"
import { writableChannels } from "@leadloom/core/internal/domain/sending/Composition"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import {
  BadRequest,
  Conflict,
  Forbidden,
  HipaaRestricted,
  keyErrors,
  NotFound,
  ProviderError,
  RateLimited,
  ServiceUnavailable
} from "../errors.ts"
import { composed } from "../schema/Composed.ts"
import { EmailOptions, ScheduleOptions } from "../schema/Composition.ts"
import { IdempotencyKey, TenantPath } from "../schema/Field.ts"
import { contactId } from "../schema/Ids.ts"
import { Override } from "../schema/Override.ts"
import { wire } from "../schema/Wire.ts"
import { MessageSent } from "./Conversations.ts"

export const { schema: AgentDraft, toJson: agentDraftToJson } = wire(AgentDraftNoun, "AgentDraft", {
  description: "A message that people of the tenant prepare together",
  omit: ["tenantId", "composition"],
  names: { createdByUser: "created_by_user_id", updatedByUser: "updated_by_user_id" },
  computed: composed<AgentDraftNoun>()
})

/** A draft may be empty, unlike a message. */
const Body = Schema.String.check(Schema.isMaxLength(1_000_000)).annotate({
  description: "Plain text, or HTML for email; at most 1,000,000 characters"
})
const ChannelOfDraft = Schema.Literals(writableChannels).annotate({
  description: "The channel of the message",
  message: `Expected one of ${writableChannels.join(", ")}`
})
const replyAll = Schema.optionalKey(Schema.Boolean).annotate({
  description: "For email: also send to the other recipients of the answered email; default: false"
})

export const DraftToSave = Schema.Struct({
  channel: ChannelOfDraft,
  body: Body,
  reply_all: replyAll,
  ...EmailOptions
}).annotate({ identifier: "DraftToSave", description: "The content of a new draft" })

const version = Schema.optionalKey(Schema.Int).annotate({
  description: "The version that the person saw. Required unless If-Match is sent"
})

export const DraftUpdate = Schema.Struct({
  version,
  channel: Schema.optionalKey(ChannelOfDraft),
  body: Schema.optionalKey(Body),
  reply_all: replyAll,
  ...EmailOptions
}).annotate({ identifier: "DraftUpdate", description: "The fields to change. Absent fields stay" })

export const DraftToSend = Schema.Struct({ version, ...ScheduleOptions, ...Override }).annotate({
  identifier: "DraftToSend",
  description: "The version of the draft to send, and its time"
})

const IfMatch = {
  "if-match": Schema.optionalKey(Schema.String.check(Schema.isMaxLength(255))).annotate({
    description: "The version that the caller has read. If the draft has another version, the status is 409"
  })
}

const DraftsPath = { ...TenantPath, contact_id: contactId }
const DraftPath = {
  ...DraftsPath,
  draft_id: Schema.String.annotate({ description: "Draft id (`draft_…`)" })
}
const drafts = "/tenants/:tenant_id/conversations/:contact_id/drafts"

export const DraftsGroup = HttpApiGroup.make("drafts")
  .add(
    HttpApiEndpoint.get("list", drafts, {
      params: DraftsPath,
      success: Schema.Struct({
        drafts: Schema.Array(AgentDraft).annotate({ description: "The drafts, oldest first, at most 20" })
      }).annotate({ identifier: "AgentDraftList", description: "The drafts of a conversation" }),
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "List the drafts that people have written in a conversation")
      .annotate(OpenApi.Description, "The generated reply that waits for approval is not part of the list.")
      .annotate(Gate, gate("drafts.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", drafts, {
      params: DraftsPath,
      headers: IdempotencyKey,
      payload: DraftToSave,
      success: AgentDraft.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Save a draft, which all people of the tenant can read, change and send")
      .annotate(OpenApi.Description, "A conversation has at most 20 drafts. Uploads of a draft do not expire.")
      .annotate(Gate, gate("drafts.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", `${drafts}/:draft_id`, {
      params: DraftPath,
      success: AgentDraft,
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Read a draft; its ETag is its version")
      .annotate(OpenApi.Description, "404: the draft was sent or deleted.")
      .annotate(Gate, gate("drafts.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", `${drafts}/:draft_id`, {
      params: DraftPath,
      headers: IfMatch,
      payload: DraftUpdate,
      success: AgentDraft,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change a draft")
      .annotate(
        OpenApi.Description,
        "409: another person has changed the draft. The details contain the current version and draft."
      )
      .annotate(Gate, gate("drafts.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("remove", `${drafts}/:draft_id`, {
      params: DraftPath,
      headers: IfMatch,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Delete a draft")
      .annotate(OpenApi.Description, "With If-Match, a changed draft is not deleted (409).")
      .annotate(Gate, gate("drafts.remove", { limiter: "admin" })),
    HttpApiEndpoint.post("send", `${drafts}/:draft_id/send`, {
      params: DraftPath,
      headers: { ...IfMatch, ...IdempotencyKey },
      payload: DraftToSend,
      success: MessageSent,
      error: [
        BadRequest,
        Forbidden,
        HipaaRestricted,
        NotFound,
        Conflict,
        RateLimited,
        ProviderError,
        ServiceUnavailable,
        ...keyErrors
      ]
    })
      .annotate(OpenApi.Summary, "Send a draft, at most once; 409 when another person has changed it")
      .annotate(
        OpenApi.Description,
        "The draft is deleted with the send, or becomes a scheduled message. Idempotent: two requests send one message. The rules of a message to a contact apply."
      )
      .annotate(Gate, gate("drafts.send", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Drafts", description: "Messages that people prepare together" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
