import { Erasure as ErasureNoun } from "@leadloom/core/domain/privacy/Erasure"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, NotFound, ServiceUnavailable, keyErrors } from "../errors.ts"
import { TenantPath, IdempotencyKey } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"

/** An export: a tar archive of JSON Lines files and emails. */
const archive = HttpApiSchema.StreamUint8Array({ contentType: "application/x-tar" })

export const { schema: Erasure, toJson: erasureToJson } = wire(ErasureNoun, "Erasure", {
  pick: ["erasureId", "contactId", "requestedBy", "requestedAt", "completedAt", "erased", "receiptHash"]
})

const Taken = Schema.Struct({
  imported: Schema.Int.annotate({ description: "Rows that were added" }),
  present: Schema.Int.annotate({ description: "Rows that already existed and stay unchanged" }),
  erased: Schema.Int.annotate({ description: "Rows of erased contacts, which are not restored" })
}).annotate({ identifier: "ArchivePart" })

const ContactPath = { ...TenantPath, contact_id: Schema.String }

export const DataRightsGroup = HttpApiGroup.make("dataRights")
  .add(
    HttpApiEndpoint.get("exportContact", "/tenants/:tenant_id/contacts/:contact_id/export", {
      params: ContactPath,
      success: archive,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Export all data of a contact as a tar archive of JSON Lines files and emails")
      .annotate(Gate, gate("dataRights.exportContact", { limiter: "admin", audited: true })),
    HttpApiEndpoint.post("erase", "/tenants/:tenant_id/contacts/:contact_id/erase", {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: Schema.Struct({
        confirm: Schema.String.annotate({
          description: "The id of the contact, repeated to prevent an erasure by accident"
        })
      }).annotate({ identifier: "EraseContact" }),
      success: Erasure,
      error: [BadRequest, NotFound, Conflict, ServiceUnavailable, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Erase a contact and all its data permanently; a repeated request continues an interrupted erasure"
      )
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
      .annotate(OpenApi.Summary, "List the receipts of erased contacts, newest first")
      .annotate(Gate, gate("dataRights.listErasures", { limiter: "admin" })),
    HttpApiEndpoint.get("exportTenant", "/tenants/:tenant_id/export", {
      params: TenantPath,
      success: archive,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Export all data of the tenant as a tar archive of JSON Lines files and emails")
      .annotate(Gate, gate("dataRights.exportTenant", { limiter: "admin", audited: true })),
    HttpApiEndpoint.post("importArchive", "/tenants/:tenant_id/import", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: archive,
      success: Schema.Struct({ kinds: Schema.Record(Schema.String, Taken) }).annotate({ identifier: "ArchiveTaken" }),
      error: [BadRequest, NotFound, Conflict, ServiceUnavailable, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Import an export with the same ids and content; the messages are treated as history and receive no replies"
      )
      .annotate(Gate, gate("dataRights.importArchive", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Data rights", description: "Export, import and erasure of personal data" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
