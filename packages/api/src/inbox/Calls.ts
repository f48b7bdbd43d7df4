import { callDirections, callStatuses, Call as CallNoun } from "@leadloom/core/internal/domain/call/Call"
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
import { IdempotencyKey, TenantPath, text, cursor, nextCursor, pageSize, unstated } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"
import { contactId } from "../schema/Ids.ts"

const Status = Schema.Literals(callStatuses)
const Direction = Schema.Literals(callDirections)

export const { schema: Call, toJson: callToJson } = wire(CallNoun, "CallRecord", {
  description: "A phone call with a contact",
  pick: [
    "callId",
    "contactId",
    "leadId",
    "provider",
    "direction",
    "fromNumber",
    "toNumber",
    "agentPhone",
    "transferredTo",
    "status",
    "reason",
    "startedAt",
    "answeredAt",
    "endedAt",
    "durationSeconds",
    "recording",
    "recordingSeconds",
    "messageId"
  ],
  names: { callId: "call_session_id", fromNumber: "from", toNumber: "to" }
})

export const CallPage = Schema.Struct({
  calls: Schema.Array(Call).annotate({ description: "The calls, newest first" }),
  next_cursor: nextCursor
}).annotate({ identifier: "CallPage", description: "A page of calls" })

const Phone = text(64)

export const PlaceCall = Schema.Struct({
  contact_id: Schema.optionalKey(Schema.String).annotate({
    description: "The contact to call. Exactly one of contact_id and phone is required"
  }),
  phone: Schema.optionalKey(Phone).annotate({
    description: "Instead of contact_id: the phone number of the contact. A missing contact is created"
  }),
  agent_phone: Schema.optionalKey(Phone).annotate({
    description: "The agent's phone, which rings first. Default: voice.forward_to of the configuration"
  }),
  record: Schema.optionalKey(Schema.Boolean).annotate({ description: "Default: voice.record of the configuration" })
})
  .check(
    Schema.makeFilter((requested) => (requested.contact_id === undefined) !== (requested.phone === undefined), {
      ...unstated,
      message: "Expected exactly one of contact_id and phone"
    })
  )
  .annotate({ identifier: "PlaceCall", description: "The call to place" })

export const TransferCall = Schema.Struct({
  to: Phone.annotate({
    description:
      "The phone number of the person who takes over; with its country code, or a national number of the tenant's country"
  })
}).annotate({ identifier: "TransferCall", description: "The person who takes over the call" })

/** The errors of requests for which the provider places or transfers a call. */
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
      contact_id: Schema.optionalKey(Schema.String).annotate({ description: "Only calls with this contact" }),
      status: Schema.optionalKey(Status).annotate({ description: "Only calls with this status" }),
      direction: Schema.optionalKey(Direction).annotate({
        description: "Only calls that the contact (`inbound`) or the tenant (`outbound`) started"
      }),
      limit: pageSize(100, 50),
      cursor
    },
    success: CallPage,
    error: [BadRequest, NotFound]
  })
    .annotate(OpenApi.Summary, "List calls, newest first")
    .annotate(OpenApi.Description, "Includes inbound, outbound and missed calls.")
    .annotate(Gate, gate("calls.list", { limiter: "admin" })),
  HttpApiEndpoint.get("recording", "/tenants/:tenant_id/calls/:contact_id/recording", {
    params: { ...TenantPath, contact_id: contactId },
    success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "audio/mpeg" })),
    error: [NotFound, ServiceUnavailable]
  })
    .annotate(OpenApi.Summary, "Download the newest recording of a contact's calls as audio")
    .annotate(OpenApi.Description, "Answers 404 if no call of the contact has a recording.")
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
      .annotate(
        OpenApi.Description,
        "Rules for calls apply: opt-outs, the blocklist and quiet hours. A violation is rejected with 422 `CALL_NOT_ALLOWED`."
      )
      .annotate(Gate, gate("calls.outbound", { limiter: "admin", idempotency: "stored" })),
    HttpApiEndpoint.post("transfer", "/tenants/:tenant_id/calls/:call_session_id/transfer", {
      params: {
        ...TenantPath,
        call_session_id: Schema.String.annotate({
          description: "Call id (`call_…`), the `call_session_id` of the call"
        })
      },
      headers: IdempotencyKey,
      payload: TransferCall,
      success: Call,
      error: carrying
    })
      .annotate(OpenApi.Summary, "Transfer the contact of a call in progress to another person")
      .annotate(OpenApi.Description, "Only a call in progress can be transferred; otherwise the status is 409.")
      .annotate(Gate, gate("calls.transfer", { limiter: "admin", idempotency: "steps" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Calls", description: "Phone calls with contacts" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
