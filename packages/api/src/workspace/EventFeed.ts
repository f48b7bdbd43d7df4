import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { EventEnvelope } from "../schema/EventData.ts"
import { IdempotencyKey, TenantPath, Time, pageSize } from "../schema/Field.ts"

const Sequence = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

export const EventPage = Schema.Struct({
  events: Schema.Array(
    Schema.Struct({
      sequence: Schema.Int.annotate({ description: "The number of the event within its tenant, without gaps" }),
      event: EventEnvelope
    }).annotate({ identifier: "NumberedEvent", description: "An event with its position in the feed" })
  ).annotate({ description: "The events in order of their sequence numbers" }),
  next_after: Schema.Int.annotate({
    description:
      "The value of `after` for the next request: the sequence number of the last event that the server examined"
  }),
  has_more: Schema.Boolean.annotate({ description: "Whether more events follow" }),
  oldest_sequence: Schema.Int.annotate({
    description:
      "The sequence number of the oldest stored event. If it is greater than `after` + 1, the events between them have expired, and the caller did not receive them"
  })
}).annotate({ identifier: "EventPage", description: "A page of the event feed" })

/** A ticket for one stream. */
export const StreamTicket = Schema.Struct({
  ticket: Schema.String.annotate({
    description: "The value of `ticket` for `GET …/events/stream`. It is valid once. Do not log it."
  }),
  expires_at: Time.annotate({ description: "The time from which the ticket is rejected" })
}).annotate({ identifier: "StreamTicket", description: "A ticket that opens one event stream" })

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
        limit: pageSize(500, 100),
        types
      },
      success: EventPage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List outbound events in order and without gaps, in the format of webhook deliveries")
      .annotate(
        OpenApi.Description,
        "Store `next_after` after processing a page, and send it as `after` next time. No event is skipped or repeated."
      )
      .annotate(Gate, gate("eventFeed.list", { limiter: "admin" })),
    HttpApiEndpoint.post("createTicket", "/tenants/:tenant_id/events/ticket", {
      params: TenantPath,
      headers: IdempotencyKey,
      success: StreamTicket.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a ticket with which a browser's EventSource opens the event stream once")
      .annotate(
        OpenApi.Description,
        "`EventSource` cannot send the header Authorization, so it sends the ticket in the query. A ticket is valid for 60 seconds and for one connection, and has the rights of the credential that created it. Create a new ticket for each connection, and continue with `after`."
      )
      .annotate(Gate, gate("eventFeed.createTicket", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("stream", "/tenants/:tenant_id/events/stream", {
      params: TenantPath,
      query: {
        after: Schema.optionalKey(Sequence).annotate({
          description:
            "The sequence number of the last event that the caller has processed; default: only new events are sent"
        }),
        ticket: Schema.optionalKey(Schema.String).annotate({
          description: "A ticket of `POST …/events/ticket` instead of the header Authorization"
        }),
        follow: Schema.optionalKey(Schema.Literals(["true", "false"])).annotate({
          description: "false: the stream ends after all existing events are sent"
        }),
        types,
        presence: Schema.optionalKey(Schema.Literals(["true", "false"])).annotate({
          description:
            "true: the stream also carries `conversation.presence`, a report of presence without id. It is not stored, so it is not repeated after a reconnect. Default: false"
        })
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
      .annotate(
        OpenApi.Description,
        "Each server-sent event has the sequence number as its id, so a reconnecting client continues where it stopped. Heartbeats keep the connection open."
      )
      .annotate(Gate, gate("eventFeed.stream", { limiter: "admin" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Event feed", description: "Outbound events for clients that poll or stream" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
