import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, NotFound, keyErrors } from "../errors.ts"
import { IdempotencyKey, TenantPath } from "../schema/Field.ts"

/** The maximum number of emails in one import request. */
export const maxMailsPerImport = 100

export const ImportMail = Schema.Struct({
  name: Schema.String.annotate({
    description: "The caller's name for this email. The response uses it to name the result of this email"
  }),
  raw: Schema.String.annotate({ description: "The complete email (RFC 5322), encoded in base64" })
}).annotate({ identifier: "ImportMail" })

export const ImportRequest = Schema.Struct({
  historical: Schema.Boolean.annotate({
    description:
      "true: the email is history. It is stored and threaded, but never answered. false: the email is handled like new email"
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
    // The content identifies each email, so a repeated request has no further effect. The endpoint accepts
    // `Idempotency-Key`, but does not need it.
    HttpApiEndpoint.post("email", "/import/:tenant_id/email", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: ImportRequest,
      success: Schema.Struct({ results: Schema.Array(ImportResult) }).annotate({ identifier: "ImportResults" }),
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Import up to 100 raw emails per request; duplicates are recognised")
      .annotate(Gate, gate("import.email", { limiter: "none", email: true, idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Import", description: "Import of email from other systems" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
