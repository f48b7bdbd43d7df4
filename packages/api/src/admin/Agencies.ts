import { CrmInstall } from "@leadloom/core/domain/crm/Location"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { CrmAuthUrl, CrmCallback } from "./Crm.ts"
import { BadRequest, NotFound, ProviderError, ServiceUnavailable, keyErrors } from "../errors.ts"
import { IdempotencyKey } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"

export const { schema: Agency, toJson: agencyToJson } = wire(CrmInstall, "Agency", {
  pick: ["locationId", "status", "reason", "scopes", "installedAt", "updatedAt"],
  names: { locationId: "company_id" }
})

export const AgencyLocation = Schema.Struct({
  location_id: Schema.String,
  name: Schema.NullOr(Schema.String),
  installed: Schema.Boolean.annotate({ description: "Whether the app is installed in this location" }),
  tenant_id: Schema.NullOr(Schema.String).annotate({
    description: "The tenant assigned to this location. To assign one: PUT /admin/locations"
  })
}).annotate({ identifier: "AgencyLocation" })

const AgencyPath = { company_id: Schema.String }

const LocationsQuery = {
  limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
  cursor: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^\d{1,9}$/u, { message: "Expected the next_cursor of an earlier page" }))
  )
}

export const AgenciesGroup = HttpApiGroup.make("agencies")
  .add(
    HttpApiEndpoint.get("authUrl", "/admin/crm/auth-url", {
      success: CrmAuthUrl,
      error: ServiceUnavailable
    })
      .annotate(
        OpenApi.Summary,
        "Get the URL at which the agency's owner grants access; the URL is valid once, for ten minutes"
      )
      .annotate(Gate, gate("agencies.authUrl", { limiter: "admin" })),
    HttpApiEndpoint.post("callback", "/admin/crm/callback", {
      headers: IdempotencyKey,
      payload: CrmCallback,
      success: Agency.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, ProviderError, ServiceUnavailable, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Finish the installation of an agency and open its locations that are assigned to tenants"
      )
      .annotate(Gate, gate("agencies.callback", { limiter: "admin", idempotency: "steps" })),
    HttpApiEndpoint.get("list", "/admin/crm/agencies", {
      success: Schema.Struct({ agencies: Schema.Array(Agency) }).annotate({ identifier: "AgencyList" })
    })
      .annotate(OpenApi.Summary, "List connected agencies, oldest first")
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
      .annotate(OpenApi.Summary, "List the current locations of an agency in the CRM, with their tenants")
      .annotate(Gate, gate("agencies.locations", { limiter: "admin" })),
    HttpApiEndpoint.delete("remove", "/admin/crm/agencies/:company_id", {
      params: AgencyPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Delete the tokens of an agency and, shortly afterwards, those of its locations")
      .annotate(Gate, gate("agencies.remove", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Agencies", description: "CRM agencies and their locations" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
