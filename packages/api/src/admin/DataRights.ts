import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, NotFound, ServiceUnavailable, keyErrors } from "../errors.ts"
import { TenantPath, Timestamp, IdempotencyKey } from "../schema/Field.ts"

/** An export: a tar of JSON Lines and mails. */
const archive = HttpApiSchema.StreamUint8Array({ contentType: "application/x-tar" })

export const Erasure = Schema.Struct({
  erasure_id: Schema.String,
  contact_id: Schema.String.annotate({ description: "Nothing is found under it any more" }),
  requested_by: Schema.String,
  requested_at: Timestamp,
  completed_at: Schema.NullOr(Timestamp).annotate({ description: "null: broken off; ask for it again" }),
  erased: Schema.Record(Schema.String, Schema.Int).annotate({ description: "How many rows of each kind went" }),
  receipt_hash: Schema.NullOr(Schema.String).annotate({ description: "SHA-256 of the receipt, in hex" })
}).annotate({ identifier: "Erasure" })

const Taken = Schema.Struct({
  imported: Schema.Int.annotate({ description: "Were not here, and are now" }),
  present: Schema.Int.annotate({ description: "Were here already, and stay as they are" }),
  erased: Schema.Int.annotate({ description: "Belong to a contact who was erased here, and do not come back" })
}).annotate({ identifier: "ArchivePart" })

const ContactPath = { ...TenantPath, contact_id: Schema.String }

export const DataRightsGroup = HttpApiGroup.make("dataRights")
  .add(
    HttpApiEndpoint.get("exportContact", "/tenants/:tenant_id/contacts/:contact_id/export", {
      params: ContactPath,
      success: archive,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Everything kept of a contact, as a tar of JSON Lines and mails")
      .annotate(Gate, gate("dataRights.exportContact", { limiter: "admin", audited: true })),
    HttpApiEndpoint.post("erase", "/tenants/:tenant_id/contacts/:contact_id/erase", {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: Schema.Struct({
        confirm: Schema.String.annotate({ description: "The contact's id once more, against accidents" })
      }).annotate({ identifier: "EraseContact" }),
      success: Erasure,
      error: [BadRequest, NotFound, Conflict, ServiceUnavailable, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Erase a contact and everything kept of it for good; asking again goes on with it")
      .annotate(Gate, gate("dataRights.erase", { limiter: "admin", idempotency: "repeatable" })),
    HttpApiEndpoint.get("listErasures", "/tenants/:tenant_id/erasures", {
      params: TenantPath,
      query: {
        cursor: Schema.optionalKey(Schema.String),
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 250 })))
      },
      success: Schema.Struct({
        erasures: Schema.Array(Erasure),
        next_cursor: Schema.NullOr(Schema.String)
      }).annotate({ identifier: "ErasurePage" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Receipts of erased contacts, newest first")
      .annotate(Gate, gate("dataRights.listErasures", { limiter: "admin" })),
    HttpApiEndpoint.get("exportTenant", "/tenants/:tenant_id/export", {
      params: TenantPath,
      success: archive,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Everything kept of everybody, as a tar of JSON Lines and mails")
      .annotate(Gate, gate("dataRights.exportTenant", { limiter: "admin", audited: true })),
    HttpApiEndpoint.post("importArchive", "/tenants/:tenant_id/import", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: archive,
      success: Schema.Struct({ kinds: Schema.Record(Schema.String, Taken) }).annotate({ identifier: "ArchiveTaken" }),
      error: [BadRequest, NotFound, Conflict, ServiceUnavailable, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Take an export in: same ids, same content; as history, so nothing is answered")
      .annotate(Gate, gate("dataRights.importArchive", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Data rights", description: "Taking out, moving and erasing what is kept of people" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
