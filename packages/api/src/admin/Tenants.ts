import { Source as SourceNoun } from "@leadloom/core/internal/domain/access/Source"
import { type Tenant as TenantNoun, TenantHead } from "@leadloom/core/internal/domain/tenant/Tenant"
// Endpoints for operators and administrators: tenants, credentials, configuration, billing, webhooks and the CRM
// connection. Endpoints for the daily work are in
// `../inbox`, `../contact` and `../workspace`. Tests: `packages/server/test`.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { IdempotencyKey, nextCursor, optionalPage, TenantPath, text } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"
import { Plan } from "./Usage.ts"

const head = wire(TenantHead, null, { omit: ["archivedAt", "configVersion"], schemas: { plan: Plan } })

export const Tenant = Schema.Struct({
  ...head.schema.fields,
  time_zone: Schema.String.annotate({
    description: "The IANA time zone of the configuration, for example Europe/Berlin"
  })
}).annotate({
  identifier: "Tenant",
  description: "A tenant: one business with its own data, configuration and credentials"
})

/** Encodes a tenant with the time zone of its configuration. */
export const tenantToJson = (tenant: TenantNoun): typeof Tenant.Type => ({
  ...head.toJson(tenant),
  time_zone: tenant.config.timeZone
})

export const CreateTenant = Schema.Struct({
  tenant_id: Schema.String.annotate({ description: "An id chosen by the operator: [a-z0-9][a-z0-9_-]{1,62}" }),
  name: text(200).annotate({ description: "The display name of the business; 1 to 200 characters" }),
  domain: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "The domain of the tenant's own addresses, for example example.com"
  }),
  preset: Schema.optionalKey(text(64)).annotate({ description: "The name of the configuration preset to start from" }),
  hipaa: Schema.optionalKey(Schema.Boolean).annotate({
    description: "true: the tenant cannot use email. Default: false"
  }),
  plan: Schema.optionalKey(Plan).pipe(Schema.annotateKey({ description: "Default: trial" }))
}).annotate({ identifier: "CreateTenant", description: "A new tenant" })

export const UpdateTenant = Schema.Struct({
  name: Schema.optionalKey(text(200)).annotate({
    description: "The display name of the business; 1 to 200 characters"
  }),
  plan: Schema.optionalKey(Plan).pipe(Schema.annotateKey({ description: "The plan whose limits apply from now on" })),
  domain: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description:
      "The domain of the tenant's own addresses; null: none. Domains of public mail providers are rejected. Connected accounts stay connected"
  }),
  hipaa: Schema.optionalKey(Schema.Boolean).annotate({ description: "true: the tenant cannot use email from now on" }),
  time_zone: Schema.optionalKey(text(64)).annotate({
    description: "An IANA time zone such as Europe/Berlin. A change saves a new version of the configuration"
  }),
  locale: Schema.optionalKey(Schema.NullOr(text(35))).annotate({
    description: "A BCP 47 tag such as de-DE; null: not stated"
  })
}).annotate({ identifier: "UpdateTenant", description: "The fields to change. Absent fields stay" })

export const { schema: Source, toJson: sourceToJson } = wire(SourceNoun, "Source", {
  description: "An event source, without its key",
  pick: ["sourceId", "tenantId", "prefix", "createdAt"]
})

export const CreateSource = Schema.Struct({
  source_id: text(64).annotate({ description: "The id in the URL of the source's events; at most 64 characters" })
}).annotate({ identifier: "CreateSource", description: "A new event source" })

export const CreatedSource = Schema.Struct({
  source_id: Schema.String.annotate({ description: "The id of the source" }),
  key: Schema.String.annotate({ description: "Shown only once. Send it as a Bearer credential or in X-Source-Key." })
}).annotate({ identifier: "CreatedSource", description: "A new event source with its key, which is shown only once" })

const SourceList = Schema.Struct({
  sources: Schema.Array(Source).annotate({ description: "The sources and the first characters of their keys" }),
  next_cursor: nextCursor
}).annotate({ identifier: "SourceList", description: "Event sources" })
const SourcePath = { ...TenantPath, source_id: Schema.String.annotate({ description: "The id of the source" }) }

export const TenantsGroup = HttpApiGroup.make("tenants")
  .add(
    HttpApiEndpoint.post("create", "/admin/tenants", {
      headers: IdempotencyKey,
      payload: CreateTenant,
      success: Tenant.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a tenant")
      .annotate(
        OpenApi.Description,
        "Creates an active tenant with the default configuration or a preset. The id cannot be changed later."
      )
      .annotate(Gate, gate("tenants.create", { limiter: "admin", idempotency: "steps" })),
    HttpApiEndpoint.get("list", "/admin/tenants", {
      query: optionalPage,
      success: Schema.Struct({
        tenants: Schema.Array(Tenant).annotate({ description: "The tenants that are not archived" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "TenantList", description: "The tenants of the deployment" }),
      error: BadRequest
    })
      .annotate(OpenApi.Summary, "List the tenants")
      .annotate(OpenApi.Description, "Archived tenants are not listed.")
      .annotate(Gate, gate("tenants.list", { limiter: "admin" })),
    HttpApiEndpoint.get("get", "/admin/tenants/:tenant_id", { params: TenantPath, success: Tenant, error: NotFound })
      .annotate(OpenApi.Summary, "Read a tenant")
      .annotate(OpenApi.Description, "Answers 404 for an unknown and for an archived tenant.")
      .annotate(Gate, gate("tenants.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/admin/tenants/:tenant_id", {
      params: TenantPath,
      payload: UpdateTenant,
      success: Tenant,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change a tenant; the usage of the current month is kept")
      .annotate(
        OpenApi.Description,
        "A new plan applies immediately. A domain that belongs to another tenant is a conflict (409)."
      )
      .annotate(Gate, gate("tenants.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("archive", "/admin/tenants/:tenant_id", {
      params: TenantPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Archive a tenant. Its requests are rejected, and its data is kept")
      .annotate(OpenApi.Description, "Credentials of the tenant stop working. The data stays in the database.")
      .annotate(Gate, gate("tenants.archive", { limiter: "admin" })),
    HttpApiEndpoint.post("restore", "/admin/tenants/:tenant_id/restore", {
      params: TenantPath,
      headers: IdempotencyKey,
      success: Tenant,
      error: [NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Restore an archived tenant. Its credentials work again")
      .annotate(
        OpenApi.Description,
        "Has no effect on an active tenant. A domain or account that another tenant uses now stays with that tenant; for a domain the status is 409. A cancelled subscription stays cancelled."
      )
      .annotate(Gate, gate("tenants.restore", { limiter: "admin", archived: true, idempotency: "unit" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Tenants", description: "Tenants of this deployment" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")

export const SourcesGroup = HttpApiGroup.make("sources")
  .add(
    HttpApiEndpoint.get("list", "/admin/tenants/:tenant_id/sources", {
      params: TenantPath,
      query: optionalPage,
      success: SourceList,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List a tenant's event sources")
      .annotate(OpenApi.Description, "The keys themselves are never shown again.")
      .annotate(Gate, gate("sources.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/admin/tenants/:tenant_id/sources", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateSource,
      success: CreatedSource.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create an event source; its key is shown once")
      .annotate(
        OpenApi.Description,
        "A source sends custom events to `POST /api/v1/events/{tenant_id}/{source_id}` with its own key."
      )
      .annotate(Gate, gate("sources.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.delete("remove", "/admin/tenants/:tenant_id/sources/:source_id", {
      params: SourcePath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Remove an event source; its key stops working immediately")
      .annotate(OpenApi.Description, "Stored events of the source stay.")
      .annotate(Gate, gate("sources.remove", { limiter: "admin" })),
    HttpApiEndpoint.get("listGlobal", "/admin/sources", { query: optionalPage, success: SourceList, error: BadRequest })
      .annotate(OpenApi.Summary, "List the event sources that are valid for every tenant")
      .annotate(OpenApi.Description, "The key of such a source may send events to every tenant.")
      .annotate(Gate, gate("sources.listGlobal", { limiter: "admin" })),
    HttpApiEndpoint.post("createGlobal", "/admin/sources", {
      headers: IdempotencyKey,
      payload: CreateSource,
      success: CreatedSource.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create an event source that reaches every tenant")
      .annotate(OpenApi.Description, "The key is shown once. It may send events to every tenant.")
      .annotate(Gate, gate("sources.createGlobal", { limiter: "admin", idempotency: "steps" })),
    HttpApiEndpoint.delete("removeGlobal", "/admin/sources/:source_id", {
      params: { source_id: Schema.String.annotate({ description: "The id of the source" }) },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Remove an event source that is valid for every tenant")
      .annotate(OpenApi.Description, "Its key stops working immediately. Stored events stay.")
      .annotate(Gate, gate("sources.removeGlobal", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Sources", description: "Sources of custom events and their keys" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
