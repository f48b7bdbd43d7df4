import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, NotFound } from "../errors.ts"
import { EventEnvelope } from "../schema/EventData.ts"
import { TenantPath } from "../schema/Field.ts"

const Sequence = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

export const EventPage = Schema.Struct({
  events: Schema.Array(
    Schema.Struct({ sequence: Schema.Int, event: EventEnvelope }).annotate({ identifier: "NumberedEvent" })
  ),
  next_after: Schema.Int.annotate({
    description:
      "The value of `after` for the next request: the sequence number of the last event that the server examined"
  }),
  has_more: Schema.Boolean,
  oldest_sequence: Schema.Int.annotate({
    description:
      "The sequence number of the oldest stored event. If it is greater than `after` + 1, the events between them have expired, and the caller did not receive them"
  })
}).annotate({ identifier: "EventPage" })

const types = Schema.optionalKey(Schema.String).annotate({
  description: "Event types, separated by commas; default: all"
})

export const EventFeedGroup = HttpApiGroup.make("eventFeed")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/events", {
      params: TenantPath,
      query: {
        after: Schema.optionalKey(Sequence).annotate({
          description: "The sequence number of the last event that the caller has processed; default: 0"
        }),
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 }))),
        types
      },
      success: EventPage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List outbound events in order and without gaps, in the format of webhook deliveries")
      .annotate(Gate, gate("eventFeed.list", { limiter: "admin" })),
    HttpApiEndpoint.get("stream", "/tenants/:tenant_id/events/stream", {
      params: TenantPath,
      query: {
        after: Schema.optionalKey(Sequence).annotate({
          description:
            "The sequence number of the last event that the caller has processed; default: only new events are sent"
        }),
        follow: Schema.optionalKey(Schema.Literals(["true", "false"])).annotate({
          description: "false: the stream ends after all existing events are sent"
        }),
        types
      },
      headers: {
        "last-event-id": Schema.optionalKey(Schema.String).annotate({
          description: "The same as `after`. If both are present, this header applies"
        })
      },
      success: HttpApiSchema.StreamUint8Array({ contentType: "text/event-stream" }),
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Stream outbound events as server-sent events")
      .annotate(Gate, gate("eventFeed.stream", { limiter: "admin" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Event feed", description: "Outbound events for clients that poll or stream" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
