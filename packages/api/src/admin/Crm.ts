import { syncModes } from "@leadloom/core/domain/crm/Location"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import {
  BadRequest,
  Conflict,
  HipaaRestricted,
  NotFound,
  ProviderError,
  ServiceUnavailable,
  keyErrors
} from "../errors.ts"
import { IdempotencyKey, TenantPath, text, Timestamp } from "../schema/Field.ts"

const Sync = Schema.Literals(syncModes).annotate({
  identifier: "CrmSync",
  message: `Expected one of ${syncModes.join(", ")}`,
  description: "Nothing (off), changes made here go to the CRM (to_crm), changes of either side go to the other (both)"
})

const Count = Schema.Int

export const CrmFirstSync = Schema.Struct({
  state: Schema.Literals(["running", "done", "stopped"]),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Why it is stopped" }),
  step: Schema.Literals(["from_crm", "to_crm", "finishing"]).annotate({
    description:
      "Whose contacts are gone through: the CRM's (from_crm), then this server's (to_crm); finishing: what was found is still being brought together"
  }),
  crm_total: Schema.NullOr(Count).annotate({ description: "How many contacts the CRM says it has" }),
  crm_seen: Count,
  seen: Count.annotate({ description: "Contacts of this server that were looked at" }),
  created: Count.annotate({ description: "Contacts made here" }),
  matched: Count.annotate({ description: "Contacts of the CRM recognised here by email or phone" }),
  sent: Count.annotate({ description: "Contacts of this server that the CRM had not heard of, or not lately" }),
  skipped: Count.annotate({
    description: "Left alone: neither email nor phone, archived here, or deleted in the CRM"
  }),
  started_at: Timestamp,
  updated_at: Timestamp,
  finished_at: Schema.NullOr(Timestamp)
}).annotate({ identifier: "CrmFirstSync" })

export const CrmInstall = Schema.Struct({
  location_id: Schema.String,
  company_id: Schema.NullOr(Schema.String),
  status: Schema.Literals(["installed", "signed_out", "uninstalled"]).annotate({
    description: "signed_out: the CRM takes our tokens no longer, install the app again"
  }),
  reason: Schema.NullOr(Schema.String).annotate({ description: "Why it is signed out" }),
  sync: Sync,
  first_sync: Schema.NullOr(CrmFirstSync).annotate({
    description: "How far all contacts have been brought together; null: sync has always been off"
  }),
  scopes: Schema.Array(Schema.String),
  installed_at: Timestamp,
  updated_at: Timestamp
}).annotate({ identifier: "CrmInstall" })

export const CrmAuthUrl = Schema.Struct({ url: Schema.String, expires_at: Timestamp }).annotate({
  identifier: "CrmAuthUrl"
})

export const CrmCallback = Schema.Struct({ code: text(4_096), state: text(256) }).annotate({
  identifier: "CrmCallback"
})

const InstallPath = { ...TenantPath, location_id: Schema.String }

export const CrmGroup = HttpApiGroup.make("crm")
  .add(
    HttpApiEndpoint.get("authUrl", "/tenants/:tenant_id/crm/auth-url", {
      params: TenantPath,
      success: CrmAuthUrl,
      error: [NotFound, ServiceUnavailable]
    })
      .annotate(OpenApi.Summary, "Where the owner of a location lets this server in; good once, for ten minutes")
      .annotate(Gate, gate("crm.authUrl", { limiter: "admin" })),
    HttpApiEndpoint.post("callback", "/tenants/:tenant_id/crm/callback", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CrmCallback,
      success: CrmInstall.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ProviderError, ServiceUnavailable, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Finish an install with what came back; the location becomes the tenant's")
      .annotate(Gate, gate("crm.callback", { limiter: "admin", idempotency: "steps" })),
    HttpApiEndpoint.get("listInstalls", "/tenants/:tenant_id/crm/installs", {
      params: TenantPath,
      success: Schema.Struct({ installs: Schema.Array(CrmInstall) }).annotate({ identifier: "CrmInstallList" })
    })
      .annotate(OpenApi.Summary, "List the locations that the CRM lets this tenant into, oldest first")
      .annotate(Gate, gate("crm.listInstalls", { limiter: "admin" })),
    HttpApiEndpoint.patch("updateInstall", "/tenants/:tenant_id/crm/installs/:location_id", {
      params: InstallPath,
      payload: Schema.Struct({ sync: Sync }).annotate({ identifier: "CrmInstallToSet" }),
      success: CrmInstall,
      error: [BadRequest, HipaaRestricted, NotFound]
    })
      .annotate(OpenApi.Summary, "Say what happens to contacts of a location")
      .annotate(Gate, gate("crm.updateInstall", { limiter: "admin" })),
    HttpApiEndpoint.post("syncInstall", "/tenants/:tenant_id/crm/installs/:location_id/sync", {
      params: InstallPath,
      headers: IdempotencyKey,
      success: CrmInstall.pipe(HttpApiSchema.status(202)),
      error: [NotFound, Conflict, ProviderError, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Bring all contacts of a location and of this server together once more")
      .annotate(Gate, gate("crm.syncInstall", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.delete("removeInstall", "/tenants/:tenant_id/crm/installs/:location_id", {
      params: InstallPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Forget the tokens of a location: nothing is asked or told there any more")
      .annotate(Gate, gate("crm.removeInstall", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "CRM", description: "The CRM that contacts are brought together with" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
