import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Gate, gate, RequestValidation, SourceAuthorization } from "../Access.ts"
import { BadRequest, NotFound, keyErrors } from "../errors.ts"
import { Channel, IdempotencyKey, Metadata, open, TenantPath } from "../schema/Field.ts"

const Id = Schema.Union([Schema.String, Schema.Finite])
const Optional = Schema.optionalKey(Schema.NullOr(Schema.String))

/** A custom event. Additional fields are ignored. */
export const CustomEvent = open({
  entity: open({
    id: Schema.optionalKey(Schema.NullOr(Id)).annotate({ description: "Stored as an external id of the contact" }),
    name: Optional.annotate({ description: "The name; null: unknown" }),
    email: Optional.annotate({ description: "The email address; null: unknown" }),
    phone: Optional.annotate({
      description: "The phone number with its country code, or a national number of the tenant's country; null: unknown"
    }),
    company: Optional.annotate({ description: "The business; null: unknown" }),
    metadata: Schema.optionalKey(Metadata).annotate({ description: "Free-form values, at most 32 levels deep" })
  }).annotate({ description: "The person or business that the event is about" }),
  event_type: Optional.annotate({
    description: "The kind of the event. It is the text of the message if `content.body` is absent; null: none"
  }),
  content: Schema.optionalKey(
    open({
      body: Optional.annotate({ description: "The text of the message; null: `event_type` is used" }),
      subject: Optional.annotate({ description: "The subject of the message; null: none" }),
      channel: Schema.optionalKey(Channel),
      direction: Schema.optionalKey(Schema.Literals(["inbound", "outbound"])).annotate({
        description: "`inbound`: the contact wrote the message. Default: inbound"
      }),
      type: Optional.annotate({ description: "A further label of the sender; null: none" }),
      metadata: Schema.optionalKey(Metadata).annotate({
        description:
          "Free-form values, at most 32 levels deep. `message_id` identifies the event if the request has no Idempotency-Key"
      })
    })
  ).annotate({ description: "The message of the event" }),
  context: Schema.optionalKey(Metadata).annotate({ description: "Additional context, stored with the message" }),
  timestamp: Optional.annotate({ description: "The time of the event (ISO 8601). Default and null: now" })
}).annotate({
  identifier: "CustomEvent",
  description: "A custom event of a source. The source is in the URL. Additional fields are ignored"
})

export const EventAccepted = Schema.Struct({
  event_id: Schema.String.annotate({ description: "The id of the event, also the `signal_id` of its pipeline run" }),
  status: Schema.Literal("accepted").annotate({
    description: "The event is stored. Acceptance does not prove that the pipeline has finished"
  })
}).annotate({ identifier: "EventAccepted", description: "The response of the default mode" })

export const EventSkipped = Schema.Struct({
  status: Schema.Literal("skipped").annotate({ description: "The event is not stored" }),
  reason: Schema.Literal("state_store_unavailable").annotate({
    description: "The database did not answer; send the event again"
  })
}).annotate({ identifier: "EventSkipped", description: "The response while the database is unavailable" })

export const EventProcessed = Schema.Struct({
  event_id: Schema.String.annotate({ description: "An id for this evaluation; nothing is stored under it" }),
  status: Schema.Literal("processed").annotate({ description: "The rules were evaluated" }),
  classification: Schema.Null.annotate({ description: "Always null, because this mode classifies nothing" }),
  matched_rules: Schema.Int.annotate({ description: "The number of matched rules" }),
  actions_triggered: Schema.Array(Schema.String).annotate({
    description: "The types of the actions that the rules would request. They are not executed"
  })
}).annotate({ identifier: "EventProcessed", description: "The response of mode=sync" })

export const EventsGroup = HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.post("send", "/events/:tenant_id/:source_id", {
      params: {
        ...TenantPath,
        source_id: Schema.String.annotate({ description: "The source whose key authenticates the request" })
      },
      query: {
        mode: Schema.optionalKey(Schema.Literals(["sync"])).annotate({
          description:
            "`sync`: evaluate the routing rules and store nothing. Default: store the event and process it in the background"
        })
      },
      headers: IdempotencyKey,
      payload: CustomEvent,
      success: Schema.Union([EventAccepted, EventSkipped, EventProcessed]),
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Send a custom event. With mode=sync, the server only evaluates the routing rules and stores nothing"
      )
      .annotate(
        OpenApi.Description,
        "The event is stored and processed in the background. `accepted` does not prove that the pipeline has finished. Events have no rate limit."
      )
      .annotate(Gate, gate("events.send", { limiter: "none", idempotency: "stored", naturalKey: true }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Events", description: "Custom events from sources" }))
  .middleware(RequestValidation)
  .middleware(SourceAuthorization)
  .prefix("/api/v1")
