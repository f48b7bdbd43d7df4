import { CrmInstall } from "@leadloom/core/internal/domain/crm/Location"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { CrmAuthUrl, CrmCallback } from "./Crm.ts"
import { BadRequest, NotFound, ProviderError, ServiceUnavailable, keyErrors } from "../errors.ts"
import { IdempotencyKey, nextCursor, optionalPage, pageSize } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"
import { locationId } from "../schema/Ids.ts"

export const { schema: Agency, toJson: agencyToJson } = wire(CrmInstall, "Agency", {
  description: "The app's installation in a CRM agency, which grants access to its locations",
  pick: ["locationId", "status", "reason", "scopes", "installedAt", "updatedAt"],
  names: { locationId: "company_id" },
  schemas: { locationId: Schema.String.annotate({ description: "The CRM's id of the agency" }) }
})

export const AgencyLocation = Schema.Struct({
  location_id: locationId,
  name: Schema.NullOr(Schema.String).annotate({ description: "The name of the location in the CRM; null: not given" }),
  installed: Schema.Boolean.annotate({ description: "Whether the app is installed in this location" }),
  tenant_id: Schema.NullOr(Schema.String).annotate({
    description: "The tenant assigned to this location. To assign one: PUT /admin/locations"
  })
}).annotate({
  identifier: "AgencyLocation",
  description: "A location of the agency as the CRM lists it, with its assignment on this server"
})

const AgencyPath = { company_id: Schema.String.annotate({ description: "The CRM's id of the agency" }) }

const LocationsQuery = {
  limit: pageSize(100, 20).annotate({ description: "The locations per page, 1 to 100. Default: 20" }),
  cursor: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^\d{1,9}$/u, { message: "Expected the next_cursor of an earlier page" }))
  ).annotate({ description: "The `next_cursor` of the previous page. Default: the first page" })
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
      .annotate(OpenApi.Description, "Answers 503 on a server without the CRM's OAuth configuration.")
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
      .annotate(OpenApi.Description, "Send the parameters with which the CRM redirected the owner's browser.")
      .annotate(Gate, gate("agencies.callback", { limiter: "admin", idempotency: "steps" })),
    HttpApiEndpoint.get("list", "/admin/crm/agencies", {
      query: optionalPage,
      success: Schema.Struct({
        agencies: Schema.Array(Agency).annotate({ description: "The agencies, oldest first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "AgencyList", description: "The connected agencies" }),
      error: BadRequest
    })
      .annotate(OpenApi.Summary, "List connected agencies, oldest first")
      .annotate(OpenApi.Description, "An agency's grant opens all its locations that are assigned to tenants.")
      .annotate(Gate, gate("agencies.list", { limiter: "admin" })),
    HttpApiEndpoint.get("locations", "/admin/crm/agencies/:company_id/locations", {
      params: AgencyPath,
      query: LocationsQuery,
      success: Schema.Struct({
        locations: Schema.Array(AgencyLocation).annotate({ description: "The locations in the order of the CRM" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "AgencyLocationList", description: "A page of an agency's locations" }),
      error: [BadRequest, NotFound, ProviderError, ServiceUnavailable]
    })
      .annotate(OpenApi.Summary, "List the current locations of an agency in the CRM, with their tenants")
      .annotate(OpenApi.Description, "Asks the CRM, so the list is current.")
      .annotate(Gate, gate("agencies.locations", { limiter: "admin" })),
    HttpApiEndpoint.delete("remove", "/admin/crm/agencies/:company_id", {
      params: AgencyPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Delete the tokens of an agency and, shortly afterwards, those of its locations")
      .annotate(OpenApi.Description, "Requests to the CRM with these tokens stop.")
      .annotate(Gate, gate("agencies.remove", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Agencies", description: "CRM agencies and their locations" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
