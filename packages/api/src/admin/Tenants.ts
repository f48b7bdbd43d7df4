import { Source as SourceNoun } from "@leadloom/core/domain/access/Source"
import { TenantHead } from "@leadloom/core/domain/tenant/Tenant"
// Endpoints for operators and administrators: tenants, credentials, configuration, billing, webhooks and the CRM
// connection. Endpoints for the daily work with leads are in `../workspace`. Tests: `packages/server/test`.
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { IdempotencyKey, TenantPath, text } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"
import { Plan } from "./Usage.ts"

export const { schema: Tenant, toJson: tenantToJson } = wire(TenantHead, "Tenant", {
  omit: ["archivedAt", "configVersion"],
  schemas: { plan: Plan }
})

export const CreateTenant = Schema.Struct({
  tenant_id: Schema.String.annotate({ description: "An id chosen by the operator: [a-z0-9][a-z0-9_-]{1,62}" }),
  name: text(200),
  domain: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "The domain of the tenant's own addresses, for example example.com"
  }),
  preset: Schema.optionalKey(text(64)).annotate({ description: "The name of the configuration preset to start from" }),
  hipaa: Schema.optionalKey(Schema.Boolean),
  plan: Schema.optionalKey(Plan).annotate({ description: "Default: trial" })
}).annotate({ identifier: "CreateTenant" })

export const UpdateTenant = Schema.Struct({
  name: Schema.optionalKey(text(200)),
  plan: Schema.optionalKey(Plan)
}).annotate({ identifier: "UpdateTenant" })

export const { schema: Source, toJson: sourceToJson } = wire(SourceNoun, "Source", { omit: ["hash"] })

export const CreateSource = Schema.Struct({ source_id: text(64) }).annotate({ identifier: "CreateSource" })

export const CreatedSource = Schema.Struct({
  source_id: Schema.String,
  key: Schema.String.annotate({ description: "Shown only once. Send it as a Bearer credential or in X-Source-Key." })
}).annotate({ identifier: "CreatedSource" })

const SourceList = Schema.Struct({ sources: Schema.Array(Source) }).annotate({ identifier: "SourceList" })
const SourcePath = { ...TenantPath, source_id: Schema.String }

export const TenantsGroup = HttpApiGroup.make("tenants")
  .add(
    HttpApiEndpoint.post("create", "/admin/tenants", {
      headers: IdempotencyKey,
      payload: CreateTenant,
      success: Tenant.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a tenant")
      .annotate(Gate, gate("tenants.create", { limiter: "admin", idempotency: "steps" })),
    HttpApiEndpoint.get("list", "/admin/tenants", {
      success: Schema.Struct({ tenants: Schema.Array(Tenant) }).annotate({ identifier: "TenantList" })
    })
      .annotate(OpenApi.Summary, "List the tenants")
      .annotate(Gate, gate("tenants.list", { limiter: "admin" })),
    HttpApiEndpoint.get("get", "/admin/tenants/:tenant_id", { params: TenantPath, success: Tenant, error: NotFound })
      .annotate(OpenApi.Summary, "Read a tenant")
      .annotate(Gate, gate("tenants.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/admin/tenants/:tenant_id", {
      params: TenantPath,
      payload: UpdateTenant,
      success: Tenant,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "Change a tenant's name or plan; the usage of the current month is kept")
      .annotate(Gate, gate("tenants.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("archive", "/admin/tenants/:tenant_id", {
      params: TenantPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Archive a tenant. Its requests are rejected, and its data is kept")
      .annotate(Gate, gate("tenants.archive", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Tenants", description: "Tenants of this deployment" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")

export const SourcesGroup = HttpApiGroup.make("sources")
  .add(
    HttpApiEndpoint.get("list", "/admin/tenants/:tenant_id/sources", {
      params: TenantPath,
      success: SourceList,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "List a tenant's event sources")
      .annotate(Gate, gate("sources.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/admin/tenants/:tenant_id/sources", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateSource,
      success: CreatedSource.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create an event source; its key is shown once")
      .annotate(Gate, gate("sources.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.delete("remove", "/admin/tenants/:tenant_id/sources/:source_id", {
      params: SourcePath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Remove an event source; its key stops working immediately")
      .annotate(Gate, gate("sources.remove", { limiter: "admin" })),
    HttpApiEndpoint.get("listGlobal", "/admin/sources", { success: SourceList })
      .annotate(OpenApi.Summary, "List the event sources that are valid for every tenant")
      .annotate(Gate, gate("sources.listGlobal", { limiter: "admin" })),
    HttpApiEndpoint.post("createGlobal", "/admin/sources", {
      headers: IdempotencyKey,
      payload: CreateSource,
      success: CreatedSource.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create an event source that reaches every tenant")
      .annotate(Gate, gate("sources.createGlobal", { limiter: "admin", idempotency: "steps" })),
    HttpApiEndpoint.delete("removeGlobal", "/admin/sources/:source_id", {
      params: { source_id: Schema.String },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Remove an event source that is valid for every tenant")
      .annotate(Gate, gate("sources.removeGlobal", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Sources", description: "Sources of custom events and their keys" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
