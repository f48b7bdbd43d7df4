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
    name: Optional,
    email: Optional,
    phone: Optional,
    company: Optional,
    metadata: Schema.optionalKey(Metadata)
  }),
  event_type: Optional,
  content: Schema.optionalKey(
    open({
      body: Optional,
      subject: Optional,
      channel: Schema.optionalKey(Channel),
      direction: Schema.optionalKey(Schema.Literals(["inbound", "outbound"])),
      type: Optional,
      metadata: Schema.optionalKey(Metadata)
    })
  ),
  context: Schema.optionalKey(Metadata),
  timestamp: Optional
}).annotate({ identifier: "CustomEvent" })

export const EventAccepted = Schema.Struct({
  event_id: Schema.String,
  status: Schema.Literal("accepted")
}).annotate({ identifier: "EventAccepted" })

export const EventSkipped = Schema.Struct({
  status: Schema.Literal("skipped"),
  reason: Schema.Literal("state_store_unavailable")
}).annotate({ identifier: "EventSkipped" })

export const EventProcessed = Schema.Struct({
  event_id: Schema.String,
  status: Schema.Literal("processed"),
  classification: Schema.Null,
  matched_rules: Schema.Int,
  actions_triggered: Schema.Array(Schema.String)
}).annotate({ identifier: "EventProcessed" })

export const EventsGroup = HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.post("send", "/events/:tenant_id/:source_id", {
      params: { ...TenantPath, source_id: Schema.String },
      query: { mode: Schema.optionalKey(Schema.Literals(["sync"])) },
      headers: IdempotencyKey,
      payload: CustomEvent,
      success: Schema.Union([EventAccepted, EventSkipped, EventProcessed]),
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Send a custom event. With mode=sync, the server only evaluates the routing rules and stores nothing"
      )
      .annotate(Gate, gate("events.send", { limiter: "none", idempotency: "stored", naturalKey: true }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Events", description: "Custom events from sources" }))
  .middleware(RequestValidation)
  .middleware(SourceAuthorization)
  .prefix("/api/v1")
