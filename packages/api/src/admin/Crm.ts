import { syncModes, CrmInstall as InstallNoun } from "@leadloom/core/domain/crm/Location"
import { FirstSync } from "@leadloom/core/domain/crm/FirstSync"
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
import { computed, orNull, wire } from "../schema/Wire.ts"

const Sync = Schema.Literals(syncModes).annotate({
  identifier: "CrmSync",
  message: `Expected one of ${syncModes.join(", ")}`,
  description:
    "off: no synchronisation; to_crm: changes on this server are copied to the CRM; both: changes on each side are copied to the other side"
})

const Count = Schema.Int

const steps = { theirs: "from_crm", ours: "to_crm", rest: "finishing" } as const

export const { schema: CrmFirstSync, toJson: firstSyncToJson } = wire(FirstSync, "CrmFirstSync", {
  pick: ["state", "reason", "total", "startedAt", "updatedAt", "finishedAt"],
  names: { total: "crm_total" },
  computed: {
    step: computed(
      Schema.Literals(["from_crm", "to_crm", "finishing"]).annotate({
        description:
          "The current step: from_crm (reads the contacts of the CRM), to_crm (reads the contacts of this server) or finishing (waits for the queued synchronisation of contacts)"
      }),
      ({ step }) => steps[step]
    ),
    crm_seen: computed(Count, ({ counts }) => counts.theirs),
    seen: computed(
      Count.annotate({ description: "Contacts of this server that were examined" }),
      ({ counts }) => counts.ours
    ),
    created: computed(
      Count.annotate({ description: "Contacts that were created on this server" }),
      ({ counts }) => counts.created
    ),
    matched: computed(
      Count.annotate({
        description:
          "Contacts of the CRM for which a contact with the same email address or phone number exists on this server"
      }),
      ({ counts }) => counts.found
    ),
    sent: computed(
      Count.annotate({
        description:
          "Contacts of this server that are queued for synchronisation, because they are missing or outdated in the CRM"
      }),
      ({ counts }) => counts.sent
    ),
    skipped: computed(
      Count.annotate({
        description:
          "Contacts that were skipped, because they have neither email address nor phone number, are archived on this server, or are deleted in the CRM"
      }),
      ({ counts }) => counts.left
    )
  }
})

const install = wire(InstallNoun, "CrmInstall", {
  pick: ["locationId", "companyId", "status", "reason", "sync", "scopes", "installedAt", "updatedAt"],
  schemas: { sync: Sync }
})

export const CrmInstall = Schema.Struct({
  ...install.schema.fields,
  first_sync: Schema.NullOr(CrmFirstSync).annotate({
    description: "The progress of the first sync of all contacts; null: sync has always been off"
  })
}).annotate({ identifier: "CrmInstall" })

/** Encodes an installation with its first sync. */
export const installToJson = (record: InstallNoun, firstSync: FirstSync | null): typeof CrmInstall.Type => ({
  ...install.toJson(record),
  first_sync: orNull(firstSync, firstSyncToJson)
})

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
      .annotate(
        OpenApi.Summary,
        "Get the URL at which the location's owner grants access; the URL is valid once, for ten minutes"
      )
      .annotate(Gate, gate("crm.authUrl", { limiter: "admin" })),
    HttpApiEndpoint.post("callback", "/tenants/:tenant_id/crm/callback", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CrmCallback,
      success: CrmInstall.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ProviderError, ServiceUnavailable, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Finish an installation with the authorization code and assign the location to the tenant"
      )
      .annotate(Gate, gate("crm.callback", { limiter: "admin", idempotency: "steps" })),
    HttpApiEndpoint.get("listInstalls", "/tenants/:tenant_id/crm/installs", {
      params: TenantPath,
      success: Schema.Struct({ installs: Schema.Array(CrmInstall) }).annotate({ identifier: "CrmInstallList" })
    })
      .annotate(OpenApi.Summary, "List the connected CRM locations of this tenant, oldest first")
      .annotate(Gate, gate("crm.listInstalls", { limiter: "admin" })),
    HttpApiEndpoint.patch("updateInstall", "/tenants/:tenant_id/crm/installs/:location_id", {
      params: InstallPath,
      payload: Schema.Struct({ sync: Sync }).annotate({ identifier: "CrmInstallToSet" }),
      success: CrmInstall,
      error: [BadRequest, HipaaRestricted, NotFound]
    })
      .annotate(OpenApi.Summary, "Set the sync mode of a location")
      .annotate(Gate, gate("crm.updateInstall", { limiter: "admin" })),
    HttpApiEndpoint.post("syncInstall", "/tenants/:tenant_id/crm/installs/:location_id/sync", {
      params: InstallPath,
      headers: IdempotencyKey,
      success: CrmInstall.pipe(HttpApiSchema.status(202)),
      error: [NotFound, Conflict, ProviderError, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Repeat the first sync of all contacts of a location")
      .annotate(Gate, gate("crm.syncInstall", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.delete("removeInstall", "/tenants/:tenant_id/crm/installs/:location_id", {
      params: InstallPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Delete the tokens of a location; all requests to it stop")
      .annotate(Gate, gate("crm.removeInstall", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "CRM", description: "The CRM with which contacts are synchronised" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
