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
  next_after: Schema.Int.annotate({ description: "What to ask for next: the last number that was looked at" }),
  has_more: Schema.Boolean,
  oldest_sequence: Schema.Int.annotate({
    description: "Of the oldest event that is kept: above `after` + 1 some have expired unseen"
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
        after: Schema.optionalKey(Sequence).annotate({ description: "The last number that was seen; default: 0" }),
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 }))),
        types
      },
      success: EventPage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Read outbound events in order, without gaps, as receivers of webhooks get them")
      .annotate(Gate, gate("eventFeed.list", { limiter: "admin" })),
    HttpApiEndpoint.get("stream", "/tenants/:tenant_id/events/stream", {
      params: TenantPath,
      query: {
        after: Schema.optionalKey(Sequence).annotate({
          description: "The last number that was seen; default: begin with what happens from now on"
        }),
        follow: Schema.optionalKey(Schema.Literals(["true", "false"])).annotate({
          description: "false: end when everything that has happened is sent"
        }),
        types
      },
      headers: {
        "last-event-id": Schema.optionalKey(Schema.String).annotate({ description: "As `after`, and before it" })
      },
      success: HttpApiSchema.StreamUint8Array({ contentType: "text/event-stream" }),
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Follow outbound events as they happen, as server-sent events")
      .annotate(Gate, gate("eventFeed.stream", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Event feed", description: "Outbound events for who asks for them" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
