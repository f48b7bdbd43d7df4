import { verifications } from "@leadloom/core/internal/domain/tenant/PublicForm"
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
  name: Text.annotate({ description: "The full name" }),
  first_name: Text.annotate({ description: "The first name, used without `name`" }),
  last_name: Text.annotate({ description: "The last name, used without `name`" }),
  email: Text.annotate({
    description:
      "An email address. At least one of email, phone and contact must contain an email address or a phone number"
  }),
  phone: Text.annotate({
    description: "A phone number with a country code, or a number without one in the tenant's country"
  }),
  contact: Text.annotate({ description: "An email address or a phone number" }),
  company: Text.annotate({ description: "The business of the visitor" }),
  subject: Text.annotate({ description: "The subject of the enquiry" }),
  message: Text.annotate({ description: "The text of the enquiry" }),
  consent: Schema.optionalKey(Schema.Union([Schema.Boolean, Schema.String, Schema.Null])).annotate({
    description: "Whether the visitor ticked the consent box"
  }),
  consent_text: Text.annotate({
    description: "The text next to the consent box. It is stored with the time and a hash of the network address"
  }),
  submission_id: Text.annotate({
    description: "The id of the submission; a repetition with the same content has no further effect"
  }),
  proof: Text.annotate({ description: "The challenge, a full stop and its solution; or the Turnstile token" })
}).annotate({ identifier: "PublicLead", description: "Additional fields are stored as metadata" })

export const PublicLeadAccepted = Schema.Struct({
  status: Schema.Literal("accepted").annotate({
    description: "Always `accepted`, also for a submission that the honeypot discards"
  }),
  thank_you_url: Schema.NullOr(Schema.String).annotate({
    description: "The page to show next; null: the tenant has set none"
  })
}).annotate({ identifier: "PublicLeadAccepted", description: "The confirmation of a submission" })

export const FormChallenge = Schema.Struct({
  verification: Schema.Literals(verifications).annotate({ description: "The proof that the form requires" }),
  challenge: Schema.NullOr(Schema.String).annotate({ description: "null: no proof of work is required" }),
  difficulty: Schema.NullOr(Schema.Int).annotate({
    description: "The required number of leading zero bits of SHA-256 over the challenge, a full stop and a number"
  }),
  expires_at: Schema.NullOr(Timestamp).annotate({
    description: "The time at which the challenge expires (ISO 8601 in UTC); null: there is no challenge"
  })
}).annotate({ identifier: "FormChallenge", description: "The requirements of a form" })

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
      .annotate(
        OpenApi.Description,
        "Answers 404 until the tenant's configuration enables the form. CORS allows the tenant's origins. Additional fields are stored as metadata."
      )
      .annotate(Gate, gate("publicLeads.submit", { limiter: "public", idempotency: "stored", naturalKey: true })),
    HttpApiEndpoint.get("challenge", "/public/leads/:tenant_id/challenge", {
      params: TenantPath,
      success: FormChallenge,
      error: [...refusals]
    })
      .annotate(OpenApi.Summary, "Read the requirements of a form, including its challenge")
      .annotate(OpenApi.Description, "A challenge is valid for 30 minutes and for one submission.")
      .annotate(Gate, gate("publicLeads.challenge", { limiter: "public" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Public leads", description: "Forms on the tenants' websites" }))
  .middleware(RequestValidation)
  .prefix("/api/v1")
