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

/** A form as a script sends it. As a browser sends it by itself, it has the same fields. */
export const PublicLead = open({
  name: Text,
  first_name: Text,
  last_name: Text,
  email: Text.annotate({ description: "An email address or a phone number is needed, here, in phone or in contact" }),
  phone: Text.annotate({ description: "With a country code, or of the tenant's country" }),
  contact: Text.annotate({ description: "An email address or a phone number" }),
  company: Text,
  subject: Text,
  message: Text,
  consent: Schema.optionalKey(Schema.Union([Schema.Boolean, Schema.String, Schema.Null])),
  consent_text: Text.annotate({
    description: "What stood beside the box; kept with the time and a hash of the address"
  }),
  submission_id: Text.annotate({ description: "The same id with the same content is one submission" }),
  proof: Text.annotate({ description: "The challenge, a full stop and its solution; or the token of Turnstile" })
}).annotate({ identifier: "PublicLead", description: "Fields that are not named here are kept as metadata" })

export const PublicLeadAccepted = Schema.Struct({
  status: Schema.Literal("accepted"),
  thank_you_url: Schema.NullOr(Schema.String)
}).annotate({ identifier: "PublicLeadAccepted" })

export const FormChallenge = Schema.Struct({
  verification: Schema.Literals(verifications),
  challenge: Schema.NullOr(Schema.String).annotate({ description: "null: nothing has to be solved" }),
  difficulty: Schema.NullOr(Schema.Int).annotate({
    description: "Zero bits that the SHA-256 of the challenge, a full stop and a number has to begin with"
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
      .annotate(
        OpenApi.Summary,
        "Submit the form of a tenant; also as a browser does by itself, then answered with 303"
      )
      .annotate(Gate, gate("publicLeads.submit", { limiter: "public", idempotency: "stored" })),
    HttpApiEndpoint.get("challenge", "/public/leads/:tenant_id/challenge", {
      params: TenantPath,
      success: FormChallenge,
      error: [...refusals]
    })
      .annotate(OpenApi.Summary, "Read what a form has to bring along to be taken")
      .annotate(Gate, gate("publicLeads.challenge", { limiter: "public" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Public leads", description: "Forms on the websites of tenants" }))
  .middleware(RequestValidation)
  .prefix("/api/v1")
