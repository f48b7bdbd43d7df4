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
}).annotate({ identifier: "ImportMail", description: "One raw email to import" })

export const ImportRequest = Schema.Struct({
  historical: Schema.Boolean.annotate({
    description:
      "true: the email is history. It is stored and threaded, but never answered. false: the email is handled like new email"
  }),
  mails: Schema.Array(ImportMail)
    .check(Schema.isMinLength(1), Schema.isMaxLength(maxMailsPerImport))
    .annotate({ description: "1 to 100 emails" })
}).annotate({ identifier: "ImportRequest", description: "Emails to import" })

export const ImportResult = Schema.Struct({
  name: Schema.String.annotate({ description: "The caller's name for this email" }),
  outcome: Schema.Literals(["message", "duplicate_of", "auto", "bounce", "own", "quarantined", "failed"]).annotate({
    description:
      "message: stored as a message; duplicate_of: a copy of a stored message; auto: an automatic reply or list mail; bounce: a delivery failure; own: the tenant's own email; quarantined: kept apart, because it could not be assigned safely; failed: not stored"
  }),
  message_id: Schema.NullOr(Schema.String).annotate({
    description: "The stored message, or the message that this email is a copy of; null: no message"
  }),
  contact_id: Schema.NullOr(Schema.String).annotate({ description: "The contact of the message; null: none" }),
  lead_id: Schema.NullOr(Schema.String).annotate({ description: "The lead of the message; null: none" }),
  thread_id: Schema.NullOr(Schema.String).annotate({ description: "The email thread of the message; null: none" }),
  signal_id: Schema.NullOr(Schema.String).annotate({
    description: "The signal that the pipeline processes; null: the pipeline does not run"
  }),
  detail: Schema.NullOr(Schema.String).annotate({
    description: "Remarks on the email or the reason for a failure; null: none"
  })
}).annotate({ identifier: "ImportResult", description: "The result for one email" })

export const ImportGroup = HttpApiGroup.make("import")
  .add(
    // The content identifies each email, so a repeated request has no further effect. The endpoint accepts
    // `Idempotency-Key`, but does not need it.
    HttpApiEndpoint.post("email", "/import/:tenant_id/email", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: ImportRequest,
      success: Schema.Struct({
        results: Schema.Array(ImportResult).annotate({
          description: "One result per email, in the order of the request"
        })
      }).annotate({ identifier: "ImportResults", description: "The results of an import" }),
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Import up to 100 raw emails per request; duplicates are recognised")
      .annotate(OpenApi.Description, "Each email is handled on its own: one failure does not reject the others.")
      .annotate(Gate, gate("import.email", { limiter: "none", email: true, idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Import", description: "Import of email from other systems" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
