import { Schema } from "effect"
import { ConfigChange as ConfigChangeNoun } from "@leadloom/core/domain/tenant/ConfigChange"
import { configJson } from "@leadloom/core/domain/tenant/TenantConfig"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound, PreconditionFailed } from "../errors.ts"
import { IdempotencyKey, Metadata, TenantPath, text } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"

/** The settings of a tenant for the handling of its messages. */
export const TenantConfig = configJson.schema

export const StoredConfig = Schema.Struct({
  tenant_id: Schema.String,
  version: Schema.Int,
  config: TenantConfig
}).annotate({ identifier: "StoredConfig" })

const Preset = Schema.Struct({
  name: Schema.String,
  title: Schema.String,
  description: Schema.String,
  notes: Schema.Array(Schema.String).annotate({
    description:
      "The steps that the tenant must take, and the facts that the tenant must add to the configuration, because no preset can contain them"
  }),
  config: TenantConfig
}).annotate({ identifier: "Preset" })

const Difference = Schema.Struct({
  path: Schema.String.annotate({ description: "Joined with dots; rules and guardrails go by their id" }),
  before: Schema.optionalKey(Schema.Json).annotate({
    description: "Absent: the value was added. Long values are truncated"
  }),
  after: Schema.optionalKey(Schema.Json).annotate({ description: "Absent: the value was removed" }),
  summary: Schema.String
}).annotate({ identifier: "ConfigDifference" })

export const { schema: ConfigChange, toJson: changeToJson } = wire(ConfigChangeNoun, "ConfigChange", {
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
}).annotate({ identifier: "ScaffoldConfig" })

/** The version on which a change is based, as an `ETag`. */
export const IfMatch = {
  "if-match": Schema.optionalKey(Schema.String.check(Schema.isMaxLength(255))).annotate({
    description:
      "The ETag of the version that the caller has read. If the server has a newer version, the status is 412"
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
    success: Schema.Struct({ presets: Schema.Array(Preset) }).annotate({ identifier: "PresetList" })
  })
    .annotate(OpenApi.Summary, "List the presets with their complete configurations")
    .annotate(Gate, gate("config.presets", { limiter: "admin" })),
  HttpApiEndpoint.get("get", "/config/:tenant_id", {
    params: TenantPath,
    headers: IfNoneMatch,
    success: StoredConfig,
    error: NotFound
  })
    .annotate(OpenApi.Summary, "Read the configuration; its ETag is its version")
    .annotate(Gate, gate("config.get", { limiter: "admin" })),
  HttpApiEndpoint.get("audit", "/config/:tenant_id/audit", {
    params: TenantPath,
    query: {
      cursor: Schema.optionalKey(Schema.String),
      limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })))
    },
    success: Schema.Struct({
      entries: Schema.Array(ConfigChange),
      next_cursor: Schema.NullOr(Schema.String)
    }).annotate({ identifier: "ConfigAudit" }),
    error: [BadRequest, NotFound]
  })
    .annotate(OpenApi.Summary, "List the versions of the configuration with author, time and changes, newest first")
    .annotate(Gate, gate("config.audit", { limiter: "admin" })),
  HttpApiEndpoint.get("version", "/config/:tenant_id/versions/:version", {
    params: { ...TenantPath, version: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 })) },
    success: Schema.Struct({
      ...StoredConfig.fields,
      change: Schema.NullOr(ConfigChange).annotate({ description: "null: this is the tenant's first version" })
    }).annotate({ identifier: "ConfigVersion" }),
    error: [BadRequest, NotFound]
  })
    .annotate(OpenApi.Summary, "Read an earlier version of the configuration")
    .annotate(Gate, gate("config.version", { limiter: "admin" }))
)

export const ConfigGroup = reading
  .add(
    HttpApiEndpoint.put("replace", "/config/:tenant_id", {
      params: TenantPath,
      headers: IfMatch,
      payload: TenantConfig,
      success: StoredConfig,
      error: changing
    })
      .annotate(OpenApi.Summary, "Replace the configuration after validation")
      .annotate(Gate, gate("config.replace", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/config/:tenant_id", {
      params: TenantPath,
      headers: IfMatch,
      payload: Metadata.annotate({ identifier: "ConfigPatch" }),
      success: StoredConfig,
      error: changing
    })
      .annotate(OpenApi.Summary, "Change parts of the configuration with a JSON merge patch (RFC 7396)")
      .annotate(Gate, gate("config.update", { limiter: "admin" })),
    HttpApiEndpoint.post("scaffold", "/config/:tenant_id/scaffold", {
      params: TenantPath,
      headers: { ...IfMatch, ...IdempotencyKey },
      payload: Scaffold,
      success: StoredConfig,
      error: [...changing, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Replace the configuration with a preset, except for time zone, country and form")
      .annotate(Gate, gate("config.scaffold", { limiter: "admin", idempotency: "unit" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Config", description: "Settings for the handling of a tenant's messages" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
