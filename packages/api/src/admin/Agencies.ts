import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { CrmAuthUrl, CrmCallback } from "./Crm.ts"
import { BadRequest, NotFound, ProviderError, ServiceUnavailable, keyErrors } from "../errors.ts"
import { IdempotencyKey, Timestamp } from "../schema/Field.ts"

export const Agency = Schema.Struct({
  company_id: Schema.String,
  status: Schema.Literals(["installed", "signed_out", "uninstalled"]).annotate({
    description: "signed_out: the CRM takes our tokens no longer, install the app again"
  }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Why it is signed out" }),
  scopes: Schema.Array(Schema.String),
  installed_at: Timestamp,
  updated_at: Timestamp
}).annotate({ identifier: "Agency" })

export const AgencyLocation = Schema.Struct({
  location_id: Schema.String,
  name: Schema.NullOr(Schema.String),
  installed: Schema.Boolean.annotate({ description: "The app is installed there" }),
  tenant_id: Schema.NullOr(Schema.String).annotate({
    description: "The tenant that it stands for: PUT /admin/locations"
  })
}).annotate({ identifier: "AgencyLocation" })

const AgencyPath = { company_id: Schema.String }

const LocationsQuery = {
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
  cursor: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^\d{1,9}$/u, { message: "Expected the next_cursor of another page" }))
  )
}

export const AgenciesGroup = HttpApiGroup.make("agencies")
  .add(
    HttpApiEndpoint.get("authUrl", "/admin/crm/auth-url", {
      success: CrmAuthUrl,
      error: ServiceUnavailable
    })
      .annotate(OpenApi.Summary, "Where an agency lets this server into its locations; good once, for ten minutes")
      .annotate(Gate, gate("agencies.authUrl", { limiter: "admin" })),
    HttpApiEndpoint.post("callback", "/admin/crm/callback", {
      headers: IdempotencyKey,
      payload: CrmCallback,
      success: Agency.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, ProviderError, ServiceUnavailable, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Finish an agency's install; its locations that stand for tenants are opened")
      .annotate(Gate, gate("agencies.callback", { limiter: "admin", idempotency: "steps" })),
    HttpApiEndpoint.get("list", "/admin/crm/agencies", {
      success: Schema.Struct({ agencies: Schema.Array(Agency) }).annotate({ identifier: "AgencyList" })
    })
      .annotate(OpenApi.Summary, "List the agencies that let this server in, oldest first")
      .annotate(Gate, gate("agencies.list", { limiter: "admin" })),
    HttpApiEndpoint.get("locations", "/admin/crm/agencies/:company_id/locations", {
      params: AgencyPath,
      query: LocationsQuery,
      success: Schema.Struct({
        locations: Schema.Array(AgencyLocation),
        next_cursor: Schema.NullOr(Schema.String)
      }).annotate({ identifier: "AgencyLocationList" }),
      error: [BadRequest, NotFound, ProviderError, ServiceUnavailable]
    })
      .annotate(OpenApi.Summary, "List the locations of an agency, by what the CRM says now, and their tenants")
      .annotate(Gate, gate("agencies.locations", { limiter: "admin" })),
    HttpApiEndpoint.delete("remove", "/admin/crm/agencies/:company_id", {
      params: AgencyPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Forget the tokens of an agency, and soon those of its locations")
      .annotate(Gate, gate("agencies.remove", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Agencies", description: "Agencies of the CRM, and their locations" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
