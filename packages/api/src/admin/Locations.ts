import { sessionModes, CrmLocation } from "@leadloom/core/internal/domain/crm/Location"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, NotFound } from "../errors.ts"
import { nextCursor, optionalPage } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"
import { locationId } from "../schema/Ids.ts"

/** A location id of a CRM. Its characters need no encoding in a path. */
export const LocationId = Schema.String.check(
  Schema.isPattern(/^[\w.:-]{1,128}$/u, {
    message: "Expected up to 128 letters, digits, dots, colons, dashes and underscores"
  })
)

const SessionMode = Schema.Literals(sessionModes).annotate({
  message: `Expected one of ${sessionModes.join(", ")}`,
  description:
    "The callers who receive a session for the location: every caller (open), callers with the CRM's encrypted proof (sso), or none (off)"
})

export const { schema: Location, toJson: locationToJson } = wire(CrmLocation, "Location", {
  description: "The assignment of a CRM location to a tenant",
  schemas: { sessions: SessionMode }
})

export const PutLocation = Schema.Struct({
  location_id: LocationId.annotate({
    description: "The CRM's id of the location; up to 128 letters, digits, dots, colons, dashes and underscores"
  }),
  tenant_id: Schema.String.check(Schema.isNonEmpty()).annotate({
    description: "The tenant that receives the location's actions and sessions"
  }),
  sessions: SessionMode
}).annotate({ identifier: "PutLocation", description: "The assignment of a CRM location to a tenant" })

export const LocationsGroup = HttpApiGroup.make("locations")
  .add(
    HttpApiEndpoint.get("list", "/admin/locations", {
      query: optionalPage,
      success: Schema.Struct({
        locations: Schema.Array(Location).annotate({ description: "The locations and their tenants" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "LocationList", description: "The assigned locations" }),
      error: BadRequest
    })
      .annotate(OpenApi.Summary, "List CRM locations and their tenants")
      .annotate(
        OpenApi.Description,
        "A location links a CRM account to a tenant, for workflow actions and embedded sessions."
      )
      .annotate(Gate, gate("locations.list", { limiter: "admin" })),
    HttpApiEndpoint.put("put", "/admin/locations", {
      payload: PutLocation,
      success: Location,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Assign a location to a tenant and set its session mode")
      .annotate(OpenApi.Description, "Creates or changes the assignment. `sessions` has no default.")
      .annotate(Gate, gate("locations.put", { limiter: "admin" })),
    HttpApiEndpoint.delete("remove", "/admin/locations/:location_id", {
      params: { location_id: locationId },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Remove a location. The location then provides no sessions and runs no actions")
      .annotate(OpenApi.Description, "The tenant and its data stay.")
      .annotate(Gate, gate("locations.remove", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Locations", description: "CRM accounts and their tenants" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
