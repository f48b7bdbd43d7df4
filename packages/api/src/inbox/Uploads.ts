import { maxFilenameLength, Upload as UploadNoun } from "@leadloom/core/internal/domain/upload/Upload"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, FileInfected, keyErrors, NotFound, PayloadTooLarge, ServiceUnavailable } from "../errors.ts"
import { IdempotencyKey, TenantPath, text } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"

export const { schema: Upload, toJson: uploadToJson } = wire(UploadNoun, "Upload", {
  description: "A file that waits for a message",
  pick: ["uploadId", "filename", "contentType", "size", "expiresAt"]
})

export const UploadsGroup = HttpApiGroup.make("uploads")
  .add(
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/uploads", {
      params: TenantPath,
      headers: IdempotencyKey,
      query: {
        filename: text(maxFilenameLength).annotate({ description: "The name of the file for the recipients" }),
        content_type: Schema.optionalKey(text(200)).annotate({
          description: "The media type for the recipients, for example image/png. Default: application/octet-stream"
        })
      },
      payload: HttpApiSchema.StreamUint8Array({ contentType: "application/octet-stream" }),
      success: Upload.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, PayloadTooLarge, FileInfected, ServiceUnavailable, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Upload a file of at most 25 MiB for a later message")
      .annotate(
        OpenApi.Description,
        "The body is the file itself, with the content type application/octet-stream. It is stored while it arrives, and scanned if the operator has configured a scanner. Send the id in `attachments` of a message, a draft or a scheduled message. A file that no message contains is deleted after 24 hours."
      )
      .annotate(Gate, gate("uploads.create", { limiter: "admin", email: true, idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Uploads", description: "Files for messages" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
