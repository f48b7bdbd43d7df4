import { AuditEntry as AuditNoun } from "@leadloom/core/internal/domain/access/AuditEntry"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, NotFound } from "../errors.ts"
import { TenantPath, text, cursor, nextCursor, pageSize } from "../schema/Field.ts"
import { computed, wire } from "../schema/Wire.ts"

export const { schema: AuditEntry, toJson: auditToJson } = wire(AuditNoun, "AuditEntry", {
  description: "A privileged action: who did it, when, from where and with which effect",
  id: "auditId",
  omit: ["tenantId"],
  names: { at: "timestamp" },
  schemas: {
    change: Schema.NullOr(
      Schema.Struct({
        before: Schema.Json.annotate({ description: "The values before the change" }),
        after: Schema.Json.annotate({ description: "The values after the change" })
      })
    ).annotate({
      description:
        "The changed values; null when the name of the action describes the change completely. Never contains a secret."
    })
  },
  computed: {
    tenant_id: computed(
      Schema.NullOr(Schema.String).annotate({
        description: "null: the action concerns the deployment, not one tenant"
      }),
      ({ tenantId }) => (tenantId === "" ? null : tenantId)
    )
  }
})

const AuditPage = Schema.Struct({
  entries: Schema.Array(AuditEntry).annotate({ description: "The entries, newest first" }),
  next_cursor: nextCursor
}).annotate({ identifier: "AuditPage", description: "A page of the audit trail" })

const query = {
  actor: Schema.optionalKey(text(255)).annotate({
    description: "Only actions of this caller, for example `admin` or `user:<subject>`; the whole name"
  }),
  action: Schema.optionalKey(text(64)).annotate({
    description: "Only actions of this name, for example `apiKeys.create`"
  }),
  cursor,
  limit: pageSize(250, 50)
}

export const AuditGroup = HttpApiGroup.make("audit")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/audit", {
      params: TenantPath,
      query,
      success: AuditPage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List privileged actions in this tenant, newest first")
      .annotate(OpenApi.Description, "Includes changes of credentials, configuration, billing, exports and erasures.")
      .annotate(Gate, gate("audit.list", { limiter: "admin" })),
    HttpApiEndpoint.get("listDeployment", "/admin/audit", { query, success: AuditPage, error: BadRequest })
      .annotate(OpenApi.Summary, "List privileged actions on the deployment as a whole, newest first")
      .annotate(OpenApi.Description, "Actions that concern no single tenant, for example on global sources.")
      .annotate(Gate, gate("audit.listDeployment", { limiter: "admin" }))
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Audit",
      description: "Every privileged action, with its actor, time and network address"
    })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
