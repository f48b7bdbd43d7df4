import { ScheduledSend, scheduledStates } from "@leadloom/core/internal/domain/sending/ScheduledSend"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, Forbidden, HipaaRestricted, NotFound } from "../errors.ts"
import { EmailOptions, ScheduleOptions } from "../schema/Composition.ts"
import { composed } from "../schema/Composed.ts"
import { cursor, nextCursor, pageSize, TenantPath, text } from "../schema/Field.ts"
import { contactId, messageId } from "../schema/Ids.ts"
import { wire } from "../schema/Wire.ts"

export const { schema: ScheduledMessage, toJson: scheduledToJson } = wire(ScheduledSend, "ScheduledMessage", {
  description: "A message of a person that is sent later",
  pick: [
    ...(["messageId", "contactId", "state", "sendAt", "undo", "cancelOnReply", "version", "reason"] as const),
    ...(["createdBy", "createdByUser", "createdAt", "updatedAt"] as const)
  ],
  names: { createdByUser: "created_by_user_id" },
  computed: composed<ScheduledSend>()
})

/** Without `send_at`, the time stays. */
export const ScheduledUpdate = Schema.Struct({
  version: Schema.optionalKey(Schema.Int).annotate({
    description: "The version that the person saw. Another version is rejected with 409. Default: not compared"
  }),
  body: Schema.optionalKey(text(1_000_000)).annotate({ description: "Plain text, or HTML for email" }),
  ...EmailOptions,
  send_at: ScheduleOptions.send_at,
  time_zone: ScheduleOptions.time_zone,
  cancel_on_reply: ScheduleOptions.cancel_on_reply
}).annotate({ identifier: "ScheduledUpdate", description: "The fields to change. Absent fields stay" })

const ScheduledPath = { ...TenantPath, message_id: messageId }

export const ScheduledGroup = HttpApiGroup.make("scheduled")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/scheduled", {
      params: TenantPath,
      query: {
        contact_id: Schema.optionalKey(contactId).annotate({ description: "Only messages to this contact" }),
        state: Schema.optionalKey(Schema.Literals(scheduledStates)).annotate({
          description: "Only messages in this state. Default: scheduled"
        }),
        limit: pageSize(200, 50),
        cursor
      },
      success: Schema.Struct({
        scheduled: Schema.Array(ScheduledMessage).annotate({ description: "The messages, earliest send first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "ScheduledPage", description: "A page of scheduled messages" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List messages that are sent later, earliest first")
      .annotate(OpenApi.Description, "Messages in an undo window are part of the list.")
      .annotate(Gate, gate("scheduled.list", { limiter: "admin" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/scheduled/:message_id", {
      params: ScheduledPath,
      success: ScheduledMessage,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a scheduled message in any state")
      .annotate(OpenApi.Description, "After the send, `GET …/messages/{message_id}` shows the message itself.")
      .annotate(Gate, gate("scheduled.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/scheduled/:message_id", {
      params: ScheduledPath,
      payload: ScheduledUpdate,
      success: ScheduledMessage,
      error: [BadRequest, Forbidden, HipaaRestricted, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change a message that still waits")
      .annotate(
        OpenApi.Description,
        "The checks of a new message apply. 409: the message was sent or cancelled, or its version differs."
      )
      .annotate(Gate, gate("scheduled.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("cancel", "/tenants/:tenant_id/scheduled/:message_id", {
      params: ScheduledPath,
      success: ScheduledMessage,
      error: [NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Cancel a message that still waits")
      .annotate(
        OpenApi.Description,
        "After a successful response, the message is never sent. 409: it was already sent. Repeating the request has no further effect."
      )
      .annotate(Gate, gate("scheduled.cancel", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Scheduled messages", description: "Messages that are sent later" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
