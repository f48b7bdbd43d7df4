import { Schema } from "effect"
import { ConfigChange as ConfigChangeNoun, maxCommentLength } from "@leadloom/core/internal/domain/tenant/ConfigChange"
import { configJson } from "@leadloom/core/internal/domain/tenant/TenantConfig"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, Forbidden, keyErrors, NotFound, PreconditionFailed } from "../errors.ts"
import { IdempotencyKey, IfMatch, Metadata, TenantPath, text, cursor, nextCursor, pageSize } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"
import { tenantId } from "../schema/Ids.ts"

/** The settings of a tenant for the handling of its messages. */
export const TenantConfig = configJson.schema

export const StoredConfig = Schema.Struct({
  tenant_id: tenantId,
  version: Schema.Int.annotate({ description: "The number of the version; it increases by 1 with each saved change" }),
  config: TenantConfig.pipe(Schema.annotateKey({ description: "The complete configuration" }))
}).annotate({ identifier: "StoredConfig", description: "A saved version of the configuration" })

const Preset = Schema.Struct({
  name: Schema.String.annotate({ description: "The name for `preset` in requests" }),
  title: Schema.String.annotate({ description: "The industry, for people" }),
  description: Schema.String.annotate({ description: "The situations for which the preset is made" }),
  notes: Schema.Array(Schema.String).annotate({
    description:
      "The steps that the tenant must take, and the facts that the tenant must add to the configuration, because no preset can contain them"
  }),
  config: TenantConfig.pipe(Schema.annotateKey({ description: "The complete configuration" }))
}).annotate({ identifier: "Preset", description: "A configuration for one industry, to start from" })

const Difference = Schema.Struct({
  path: Schema.String.annotate({ description: "Joined with dots; rules and guardrails go by their id" }),
  before: Schema.optionalKey(Schema.Json).annotate({
    description: "Absent: the value was added. Long values are truncated"
  }),
  after: Schema.optionalKey(Schema.Json).annotate({ description: "Absent: the value was removed" }),
  summary: Schema.String.annotate({ description: "The change as a sentence for people" })
}).annotate({ identifier: "ConfigDifference", description: "One changed value of the configuration" })

export const { schema: ConfigChange, toJson: changeToJson } = wire(ConfigChangeNoun, "ConfigChange", {
  description: "One change of the configuration: author, time and differences",
  omit: ["tenantId"],
  names: { differences: "changes" },
  schemas: { differences: Schema.Array(Difference) }
})

const Scaffold = Schema.Struct({
  preset: text(64).annotate({ description: "A name from GET /api/v1/config/presets" }),
  overwrite: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "Replace the configuration even if a person has changed it; the replaced version stays in the history. Default: false"
  })
}).annotate({ identifier: "ScaffoldConfig", description: "The preset to apply" })

export const CommentQuery = {
  comment: Schema.optionalKey(text(maxCommentLength)).annotate({
    description: "Why the change is made, for the history; at most 500 characters"
  })
}

export const IfNoneMatch = {
  "if-none-match": Schema.optionalKey(Schema.String.check(Schema.isMaxLength(255))).annotate({
    description: "The ETag of a version that the caller has. If this version is still current, the status is 304"
  })
}

const changing = [BadRequest, NotFound, Conflict, PreconditionFailed] as const

const reading = HttpApiGroup.make("config").add(
  HttpApiEndpoint.get("presets", "/config/presets", {
    success: Schema.Struct({
      presets: Schema.Array(Preset).annotate({ description: "The presets, one per industry" })
    }).annotate({ identifier: "PresetList", description: "The presets of this server" })
  })
    .annotate(OpenApi.Summary, "List the presets with their complete configurations")
    .annotate(
      OpenApi.Description,
      "A preset is a starting point for one industry. `POST /api/v1/config/{tenant_id}/scaffold` applies it."
    )
    .annotate(Gate, gate("config.presets", { limiter: "admin" })),
  HttpApiEndpoint.get("get", "/config/:tenant_id", {
    params: TenantPath,
    headers: IfNoneMatch,
    success: StoredConfig,
    error: NotFound
  })
    .annotate(OpenApi.Summary, "Read the configuration; its ETag is its version")
    .annotate(
      OpenApi.Description,
      "Send the ETag in `If-None-Match` to receive 304 while the version is current, and in `If-Match` of a change."
    )
    .annotate(Gate, gate("config.get", { limiter: "admin" })),
  HttpApiEndpoint.get("audit", "/config/:tenant_id/audit", {
    params: TenantPath,
    query: {
      cursor,
      limit: pageSize(100, 20)
    },
    success: Schema.Struct({
      entries: Schema.Array(ConfigChange).annotate({ description: "The changes, newest first" }),
      next_cursor: nextCursor
    }).annotate({ identifier: "ConfigAudit", description: "A page of the configuration's history" }),
    error: [BadRequest, NotFound]
  })
    .annotate(OpenApi.Summary, "List the versions of the configuration with author, time and changes, newest first")
    .annotate(OpenApi.Description, "Each change of the configuration creates a version; old versions stay.")
    .annotate(Gate, gate("config.audit", { limiter: "admin" })),
  HttpApiEndpoint.get("version", "/config/:tenant_id/versions/:version", {
    params: {
      ...TenantPath,
      version: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 })).annotate({
        description: "The number of the version, from 1"
      })
    },
    success: Schema.Struct({
      ...StoredConfig.fields,
      change: Schema.NullOr(ConfigChange).annotate({ description: "null: this is the tenant's first version" })
    }).annotate({
      identifier: "ConfigVersion",
      description: "An earlier version of the configuration with the change that created it"
    }),
    error: [BadRequest, NotFound]
  })
    .annotate(OpenApi.Summary, "Read an earlier version of the configuration")
    .annotate(OpenApi.Description, "Useful to compare versions or to restore one with PUT.")
    .annotate(Gate, gate("config.version", { limiter: "admin" }))
)

export const ConfigGroup = reading
  .add(
    HttpApiEndpoint.put("replace", "/config/:tenant_id", {
      params: TenantPath,
      headers: IfMatch,
      query: CommentQuery,
      payload: TenantConfig,
      success: StoredConfig,
      error: [...changing, Forbidden]
    })
      .annotate(OpenApi.Summary, "Replace the configuration after validation")
      .annotate(
        OpenApi.Description,
        "Invalid rules, guardrails and templates are rejected with 400 and the path of each invalid part. The change applies to new messages. Only an administrator may change `link_tracking` (otherwise 403)."
      )
      .annotate(Gate, gate("config.replace", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/config/:tenant_id", {
      params: TenantPath,
      headers: IfMatch,
      query: CommentQuery,
      payload: Metadata.annotate({
        identifier: "ConfigPatch",
        description:
          "A JSON merge patch (RFC 7396): a value replaces the current one, null removes it, and absent fields stay. Lists are replaced as a whole"
      }),
      success: StoredConfig,
      error: [...changing, Forbidden]
    })
      .annotate(OpenApi.Summary, "Change parts of the configuration with a JSON merge patch (RFC 7396)")
      .annotate(
        OpenApi.Description,
        "The result is validated like a complete configuration. A list such as `rules` is replaced as a whole."
      )
      .annotate(Gate, gate("config.update", { limiter: "admin" })),
    HttpApiEndpoint.post("scaffold", "/config/:tenant_id/scaffold", {
      params: TenantPath,
      headers: { ...IfMatch, ...IdempotencyKey },
      payload: Scaffold,
      success: StoredConfig,
      error: [...changing, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Replace the configuration with a preset, except for time zone, country and form")
      .annotate(
        OpenApi.Description,
        "A configuration that a person has changed is replaced only with `overwrite`; otherwise the status is 409."
      )
      .annotate(Gate, gate("config.scaffold", { limiter: "admin", idempotency: "unit" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Config", description: "Settings for the handling of a tenant's messages" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
