import { syncModes, CrmInstall as InstallNoun } from "@leadloom/core/internal/domain/crm/Location"
import { FirstSync } from "@leadloom/core/internal/domain/crm/FirstSync"
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
import { locationId } from "../schema/Ids.ts"

const Sync = Schema.Literals(syncModes).annotate({
  identifier: "CrmSync",
  message: `Expected one of ${syncModes.join(", ")}`,
  description:
    "off: no synchronisation; to_crm: changes on this server are copied to the CRM; both: changes on each side are copied to the other side"
})

const Count = Schema.Int

const steps = { theirs: "from_crm", ours: "to_crm", rest: "finishing" } as const

export const { schema: CrmFirstSync, toJson: firstSyncToJson } = wire(FirstSync, "CrmFirstSync", {
  description: "The progress of the first synchronisation of all contacts of a location",
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
    crm_seen: computed(
      Count.annotate({ description: "Contacts of the CRM that were examined" }),
      ({ counts }) => counts.theirs
    ),
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
}).annotate({ identifier: "CrmInstall", description: "The app's installation in a CRM location of the tenant" })

/** Encodes an installation with its first sync. */
export const installToJson = (record: InstallNoun, firstSync: FirstSync | null): typeof CrmInstall.Type => ({
  ...install.toJson(record),
  first_sync: orNull(firstSync, firstSyncToJson)
})

export const CrmAuthUrl = Schema.Struct({
  url: Schema.String.annotate({ description: "The URL to open in a browser; valid once" }),
  expires_at: Timestamp.annotate({ description: "The time at which the URL expires (ISO 8601 in UTC)" })
}).annotate({
  identifier: "CrmAuthUrl",
  description: "The page of the CRM on which the owner grants access"
})

export const CrmCallback = Schema.Struct({
  code: text(4_096).annotate({ description: "The authorization code" }),
  state: text(256).annotate({ description: "The state parameter of the URL that this server created" })
}).annotate({
  identifier: "CrmCallback",
  description: "The parameters with which the CRM redirected the owner's browser"
})

const InstallPath = { ...TenantPath, location_id: locationId }

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
      .annotate(OpenApi.Description, "Answers 503 on a server without the CRM's OAuth configuration.")
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
      .annotate(OpenApi.Description, "Send the parameters with which the CRM redirected the owner's browser.")
      .annotate(Gate, gate("crm.callback", { limiter: "admin", idempotency: "steps" })),
    HttpApiEndpoint.get("listInstalls", "/tenants/:tenant_id/crm/installs", {
      params: TenantPath,
      success: Schema.Struct({
        installs: Schema.Array(CrmInstall).annotate({ description: "The installations, oldest first" })
      }).annotate({ identifier: "CrmInstallList", description: "The CRM locations of the tenant" })
    })
      .annotate(OpenApi.Summary, "List the connected CRM locations of this tenant, oldest first")
      .annotate(OpenApi.Description, "Shows the state of each installation and of its first sync.")
      .annotate(Gate, gate("crm.listInstalls", { limiter: "admin" })),
    HttpApiEndpoint.patch("updateInstall", "/tenants/:tenant_id/crm/installs/:location_id", {
      params: InstallPath,
      payload: Schema.Struct({ sync: Sync }).annotate({
        identifier: "CrmInstallToSet",
        description: "The setting of an installation to change"
      }),
      success: CrmInstall,
      error: [BadRequest, HipaaRestricted, NotFound]
    })
      .annotate(OpenApi.Summary, "Set the sync mode of a location")
      .annotate(OpenApi.Description, "A new mode other than `off` starts the first sync of all contacts again.")
      .annotate(Gate, gate("crm.updateInstall", { limiter: "admin" })),
    HttpApiEndpoint.post("syncInstall", "/tenants/:tenant_id/crm/installs/:location_id/sync", {
      params: InstallPath,
      headers: IdempotencyKey,
      success: CrmInstall.pipe(HttpApiSchema.status(202)),
      error: [NotFound, Conflict, ProviderError, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Repeat the first sync of all contacts of a location")
      .annotate(OpenApi.Description, "The sync runs in the background; the installation shows its progress.")
      .annotate(Gate, gate("crm.syncInstall", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.delete("removeInstall", "/tenants/:tenant_id/crm/installs/:location_id", {
      params: InstallPath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Delete the tokens of a location; all requests to it stop")
      .annotate(OpenApi.Description, "Contacts that were copied stay on both sides.")
      .annotate(Gate, gate("crm.removeInstall", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "CRM", description: "The CRM with which contacts are synchronised" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
