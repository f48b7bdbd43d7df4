import { Erasure as ErasureNoun } from "@leadloom/core/internal/domain/privacy/Erasure"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, NotFound, ServiceUnavailable, keyErrors } from "../errors.ts"
import { TenantPath, IdempotencyKey, cursor, nextCursor, pageSize } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"
import { contactId } from "../schema/Ids.ts"

/** An export: a tar archive of JSON Lines files and emails. */
const archive = HttpApiSchema.StreamUint8Array({ contentType: "application/x-tar" })

export const { schema: Erasure, toJson: erasureToJson } = wire(ErasureNoun, "Erasure", {
  description: "The receipt of an erasure. It contains no personal data",
  pick: ["erasureId", "contactId", "requestedBy", "requestedAt", "completedAt", "erased", "receiptHash"]
})

const Taken = Schema.Struct({
  imported: Schema.Int.annotate({ description: "Rows that were added" }),
  present: Schema.Int.annotate({ description: "Rows that already existed and stay unchanged" }),
  erased: Schema.Int.annotate({ description: "Rows of erased contacts, which are not restored" })
}).annotate({ identifier: "ArchivePart", description: "The result of an import for one kind of record" })

const ContactPath = { ...TenantPath, contact_id: contactId }

export const DataRightsGroup = HttpApiGroup.make("dataRights")
  .add(
    HttpApiEndpoint.get("exportContact", "/tenants/:tenant_id/contacts/:contact_id/export", {
      params: ContactPath,
      success: archive,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Export all data of a contact as a tar archive of JSON Lines files and emails")
      .annotate(OpenApi.Description, "The download is a stream. It is recorded in the audit trail.")
      .annotate(Gate, gate("dataRights.exportContact", { limiter: "admin", audited: true })),
    HttpApiEndpoint.post("erase", "/tenants/:tenant_id/contacts/:contact_id/erase", {
      params: ContactPath,
      headers: IdempotencyKey,
      payload: Schema.Struct({
        confirm: Schema.String.annotate({
          description: "The id of the contact, repeated to prevent an erasure by accident"
        })
      }).annotate({ identifier: "EraseContact", description: "The confirmation of an erasure" }),
      success: Erasure,
      error: [BadRequest, NotFound, Conflict, ServiceUnavailable, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Erase a contact and all its data permanently; a repeated request continues an interrupted erasure"
      )
      .annotate(
        OpenApi.Description,
        "Messages, leads, tasks, files and search entries of the contact disappear. The receipt proves the erasure without personal data."
      )
      .annotate(Gate, gate("dataRights.erase", { limiter: "admin", idempotency: "repeatable" })),
    HttpApiEndpoint.get("listErasures", "/tenants/:tenant_id/erasures", {
      params: TenantPath,
      query: {
        cursor,
        limit: pageSize(250, 50)
      },
      success: Schema.Struct({
        erasures: Schema.Array(Erasure).annotate({ description: "The receipts, newest first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "ErasurePage", description: "A page of erasure receipts" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the receipts of erased contacts, newest first")
      .annotate(OpenApi.Description, "The receipts contain no personal data.")
      .annotate(Gate, gate("dataRights.listErasures", { limiter: "admin" })),
    HttpApiEndpoint.get("exportTenant", "/tenants/:tenant_id/export", {
      params: TenantPath,
      success: archive,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Export all data of the tenant as a tar archive of JSON Lines files and emails")
      .annotate(
        OpenApi.Description,
        "The download is a stream. It is recorded in the audit trail. The archive can be imported into another deployment."
      )
      .annotate(Gate, gate("dataRights.exportTenant", { limiter: "admin", audited: true })),
    HttpApiEndpoint.post("importArchive", "/tenants/:tenant_id/import", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: archive,
      success: Schema.Struct({
        kinds: Schema.Record(Schema.String, Taken).annotate({
          description: "The results by kind of record, for example `contacts` and `messages`"
        })
      }).annotate({ identifier: "ArchiveTaken", description: "The result of an import" }),
      error: [BadRequest, NotFound, Conflict, ServiceUnavailable, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Import an export with the same ids and content; the messages are treated as history and receive no replies"
      )
      .annotate(
        OpenApi.Description,
        "The body is read as a stream. Rows that exist already stay unchanged, so an interrupted import can be repeated."
      )
      .annotate(Gate, gate("dataRights.importArchive", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Data rights", description: "Export, import and erasure of personal data" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
