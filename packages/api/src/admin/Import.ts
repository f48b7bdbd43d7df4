import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, NotFound, keyErrors } from "../errors.ts"
import { IdempotencyKey, TenantPath } from "../schema/Field.ts"

/** Mails one import request may carry. */
export const maxMailsPerImport = 100

export const ImportMail = Schema.Struct({
  name: Schema.String.annotate({ description: "How the caller knows this mail; comes back with its result" }),
  raw: Schema.String.annotate({ description: "The whole mail (RFC 5322) in base64" })
}).annotate({ identifier: "ImportMail" })

export const ImportRequest = Schema.Struct({
  historical: Schema.Boolean.annotate({
    description: "true: old mail, stored and threaded but never answered; false: as if it had just arrived"
  }),
  mails: Schema.Array(ImportMail).check(Schema.isMinLength(1), Schema.isMaxLength(maxMailsPerImport))
}).annotate({ identifier: "ImportRequest" })

export const ImportResult = Schema.Struct({
  name: Schema.String,
  outcome: Schema.Literals(["message", "duplicate_of", "auto", "bounce", "own", "quarantined", "failed"]),
  message_id: Schema.NullOr(Schema.String),
  contact_id: Schema.NullOr(Schema.String),
  lead_id: Schema.NullOr(Schema.String),
  thread_id: Schema.NullOr(Schema.String),
  signal_id: Schema.NullOr(Schema.String),
  detail: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ImportResult" })

export const ImportGroup = HttpApiGroup.make("import")
  .add(
    // A mail is recognised by what it is, so every repetition is harmless; the key says that the caller knows.
    HttpApiEndpoint.post("email", "/import/:tenant_id/email", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: ImportRequest,
      success: Schema.Struct({ results: Schema.Array(ImportResult) }).annotate({ identifier: "ImportResults" }),
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Take in raw mails, up to 100 at a time; copies are recognised")
      .annotate(Gate, gate("import.email", { limiter: "none", email: true, idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Import", description: "Bringing in mail from elsewhere" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
