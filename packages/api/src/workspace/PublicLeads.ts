import { verifications } from "@leadloom/core/domain/tenant/PublicForm"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Gate, gate, RequestValidation } from "../Access.ts"
import {
  BadRequest,
  Forbidden,
  NotFound,
  PayloadTooLarge,
  RateLimited,
  ServiceUnavailable,
  keyErrors
} from "../errors.ts"
import { IdempotencyKey, open, TenantPath, Timestamp } from "../schema/Field.ts"

const Text = Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite, Schema.Null]))

/** A form submitted by a script. A plain browser submission has the same fields. */
export const PublicLead = open({
  name: Text,
  first_name: Text,
  last_name: Text,
  email: Text.annotate({
    description:
      "An email address. At least one of email, phone and contact must contain an email address or a phone number"
  }),
  phone: Text.annotate({
    description: "A phone number with a country code, or a number without one in the tenant's country"
  }),
  contact: Text.annotate({ description: "An email address or a phone number" }),
  company: Text,
  subject: Text,
  message: Text,
  consent: Schema.optionalKey(Schema.Union([Schema.Boolean, Schema.String, Schema.Null])),
  consent_text: Text.annotate({
    description: "The text next to the consent box. It is stored with the time and a hash of the network address"
  }),
  submission_id: Text.annotate({
    description: "The id of the submission; a repetition with the same content has no further effect"
  }),
  proof: Text.annotate({ description: "The challenge, a full stop and its solution; or the Turnstile token" })
}).annotate({ identifier: "PublicLead", description: "Additional fields are stored as metadata" })

export const PublicLeadAccepted = Schema.Struct({
  status: Schema.Literal("accepted"),
  thank_you_url: Schema.NullOr(Schema.String)
}).annotate({ identifier: "PublicLeadAccepted" })

export const FormChallenge = Schema.Struct({
  verification: Schema.Literals(verifications),
  challenge: Schema.NullOr(Schema.String).annotate({ description: "null: no proof of work is required" }),
  difficulty: Schema.NullOr(Schema.Int).annotate({
    description: "The required number of leading zero bits of SHA-256 over the challenge, a full stop and a number"
  }),
  expires_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "FormChallenge" })

const refusals = [Forbidden, NotFound, RateLimited, ServiceUnavailable] as const

export const PublicLeadsGroup = HttpApiGroup.make("publicLeads")
  .add(
    HttpApiEndpoint.post("submit", "/public/leads/:tenant_id", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: PublicLead,
      success: PublicLeadAccepted,
      error: [BadRequest, PayloadTooLarge, ...refusals, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Submit the form of a tenant; a browser without JavaScript receives a redirect (303)")
      .annotate(Gate, gate("publicLeads.submit", { limiter: "public", idempotency: "stored", naturalKey: true })),
    HttpApiEndpoint.get("challenge", "/public/leads/:tenant_id/challenge", {
      params: TenantPath,
      success: FormChallenge,
      error: [...refusals]
    })
      .annotate(OpenApi.Summary, "Read the requirements of a form, including its challenge")
      .annotate(Gate, gate("publicLeads.challenge", { limiter: "public" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Public leads", description: "Forms on the tenants' websites" }))
  .middleware(RequestValidation)
  .prefix("/api/v1")
