import { callDirections, callStatuses } from "@leadloom/core/domain/call/Call"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import {
  BadRequest,
  CallNotAllowed,
  Conflict,
  keyErrors,
  NotFound,
  ProviderError,
  ServiceUnavailable
} from "../errors.ts"
import { IdempotencyKey, TenantPath, text, Timestamp } from "../schema/Field.ts"

const Status = Schema.Literals(callStatuses)
const Direction = Schema.Literals(callDirections)
const Number = Schema.NullOr(Schema.String)

export const Call = Schema.Struct({
  call_session_id: Schema.String,
  contact_id: Schema.String,
  lead_id: Schema.NullOr(Schema.String),
  direction: Direction,
  status: Status.annotate({
    description:
      "in_progress: agent and contact speak with each other. unknown: nobody knows whether the provider placed it, and it is not dialled again by itself"
  }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Why it came to nothing" }),
  from: Number.annotate({ description: "E.164; null: hidden" }),
  to: Number,
  agent_phone: Number,
  transferred_to: Number,
  provider: Schema.String,
  started_at: Timestamp,
  answered_at: Schema.NullOr(Timestamp),
  ended_at: Schema.NullOr(Timestamp),
  duration_seconds: Schema.NullOr(Schema.Int),
  recording: Schema.Literals(["none", "wanted", "ready", "gone"]).annotate({
    description: "wanted: the call is recorded, and the recording not there yet; gone: it was deleted"
  }),
  recording_seconds: Schema.NullOr(Schema.Int),
  message_id: Schema.NullOr(Schema.String).annotate({ description: "The message of the conversation, once it is over" })
}).annotate({ identifier: "CallRecord" })

export const CallPage = Schema.Struct({
  calls: Schema.Array(Call),
  next_cursor: Schema.NullOr(Schema.String)
}).annotate({ identifier: "CallPage" })

const Phone = text(64)

export const PlaceCall = Schema.Struct({
  contact_id: Schema.optionalKey(Schema.String),
  phone: Schema.optionalKey(Phone).annotate({
    description: "In place of contact_id: the contact of this number, made where there is none"
  }),
  agent_phone: Schema.optionalKey(Phone).annotate({
    description: "Who speaks, and whose phone rings first. Default: voice.forward_to of the configuration"
  }),
  record: Schema.optionalKey(Schema.Boolean).annotate({ description: "Default: voice.record of the configuration" })
})
  .check(
    Schema.makeFilter((requested) => (requested.contact_id === undefined) !== (requested.phone === undefined), {
      message: "Give contact_id or phone, and not both"
    })
  )
  .annotate({ identifier: "PlaceCall" })

export const TransferCall = Schema.Struct({ to: Phone }).annotate({ identifier: "TransferCall" })

/** What may come of asking the provider to place a call or to pass one on. */
const carrying = [
  BadRequest,
  NotFound,
  Conflict,
  CallNotAllowed,
  ...keyErrors,
  ProviderError,
  ServiceUnavailable
] as const

const reading = HttpApiGroup.make("calls").add(
  HttpApiEndpoint.get("list", "/tenants/:tenant_id/calls", {
    params: TenantPath,
    query: {
      contact_id: Schema.optionalKey(Schema.String),
      status: Schema.optionalKey(Status),
      direction: Schema.optionalKey(Direction),
      limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
      cursor: Schema.optionalKey(Schema.String)
    },
    success: CallPage,
    error: [BadRequest, NotFound]
  })
    .annotate(OpenApi.Summary, "List calls, newest first")
    .annotate(Gate, gate("calls.list", { limiter: "admin" })),
  HttpApiEndpoint.get("recording", "/tenants/:tenant_id/calls/:contact_id/recording", {
    params: { ...TenantPath, contact_id: Schema.String },
    success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "audio/mpeg" })),
    error: [NotFound, ServiceUnavailable]
  })
    .annotate(OpenApi.Summary, "The newest recording of a contact's calls, as sound")
    .annotate(Gate, gate("calls.recording", { limiter: "admin" }))
)

export const CallsGroup = reading
  .add(
    HttpApiEndpoint.post("outbound", "/tenants/:tenant_id/calls/outbound", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: PlaceCall,
      success: Call.pipe(HttpApiSchema.status(201)),
      error: carrying
    })
      .annotate(OpenApi.Summary, "Call a contact: the agent's phone rings first, then the contact's")
      .annotate(Gate, gate("calls.outbound", { limiter: "admin", idempotency: "stored" })),
    HttpApiEndpoint.post("transfer", "/tenants/:tenant_id/calls/:call_session_id/transfer", {
      params: { ...TenantPath, call_session_id: Schema.String },
      headers: IdempotencyKey,
      payload: TransferCall,
      success: Call,
      error: carrying
    })
      .annotate(OpenApi.Summary, "Connect the contact of a call in progress with somebody else")
      .annotate(Gate, gate("calls.transfer", { limiter: "admin", idempotency: "steps" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Calls", description: "Telephone calls with contacts" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
