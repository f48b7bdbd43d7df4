import { Schema } from "effect"
import { Guardrail, maxGuardrails } from "@leadloom/core/domain/guardrail/Guardrail"
import { maxRules, Rule } from "@leadloom/core/domain/rule/Rule"
import { verifications } from "@leadloom/core/domain/tenant/PublicForm"
import { ConfigChange as ConfigChangeNoun } from "@leadloom/core/domain/tenant/ConfigChange"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound, PreconditionFailed } from "../errors.ts"
import { IdempotencyKey, Metadata, TenantPath, text } from "../schema/Field.ts"
import { wire } from "../schema/Wire.ts"

const Threshold = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

const LinkHost = Schema.String.check(
  Schema.isPattern(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/u, { message: "Expected a lower-case host name" })
)

/** The instructions and knowledge that a language model receives about the business. */
export const Assistant = Schema.Struct({
  instructions: Schema.String.check(Schema.isMaxLength(4_000)).annotate({
    description: "Instructions on style and tone"
  }),
  knowledge: Schema.String.check(Schema.isMaxLength(20_000)).annotate({
    description: "The facts that replies may contain"
  }),
  link_hosts: Schema.Array(LinkHost).check(Schema.isMaxLength(50)).annotate({
    description: "The hosts that a generated reply may link to"
  })
}).annotate({ identifier: "Assistant" })

const FieldName = Schema.String.check(Schema.isPattern(/^[\p{L}\p{N}_.:[\]-]{1,100}$/u, { message: "Expected a name" }))

/** The public form of a tenant. */
export const PublicForm = Schema.Struct({
  enabled: Schema.Boolean.annotate({ description: "false: POST /api/v1/public/leads/{tenant_id} answers 404" }),
  allowed_origins: Schema.Array(text(255)).check(Schema.isMaxLength(50)).annotate({
    description: "The origins of the pages that may submit the form, for example https://www.acme.com"
  }),
  honeypot: Schema.optionalKey(FieldName).annotate({
    description:
      "A field that people cannot see. A submission with a value for this field is discarded, but receives the same response as a valid one"
  }),
  thank_you_url: Schema.optionalKey(Schema.NullOr(text(2_048))).annotate({
    description: "The redirect target of a browser without JavaScript; null: a default thank-you page"
  }),
  fields: Schema.optionalKey(Schema.Array(FieldName).check(Schema.isMaxLength(100))).annotate({
    description: "The names of further fields that are stored as metadata; empty: all fields are stored"
  }),
  verification: Schema.optionalKey(Schema.Literals(verifications)).annotate({
    description: "The check that a person filled in the form"
  })
}).annotate({ identifier: "PublicForm" })

const Clock = Schema.String.check(
  Schema.isPattern(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, { message: "Expected a time like 09:30" })
)

/** The settings of a tenant for telephone calls. */
export const Voice = Schema.Struct({
  forward_to: Schema.NullOr(
    Schema.String.check(Schema.isPattern(/^\+[1-9]\d{6,14}$/u, { message: "Expected a number like +15551234567" }))
  ).annotate({
    description:
      "The telephone that rings for calls to the tenant's numbers. It also rings for calls to contacts if the request has no agent_phone"
  }),
  greeting: Schema.String.check(Schema.isMaxLength(1_000)).annotate({
    description: "The text that callers hear first"
  }),
  record: Schema.Boolean,
  missed_call_task: Schema.Boolean.annotate({
    description: "Whether a missed call creates a task to call the contact"
  }),
  callback_hours: Schema.Struct({
    from: Clock,
    to: Clock,
    days: Schema.Array(Schema.Literals(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])).check(
      Schema.isMinLength(1),
      Schema.isMaxLength(7)
    )
  }).annotate({ description: "The hours in which the business calls contacts back, in its time zone" })
}).annotate({ identifier: "Voice" })

/** The settings of a tenant for the handling of its messages. */
export const TenantConfig = Schema.Struct({
  time_zone: Schema.String.annotate({ description: "IANA time zone, for example Europe/Berlin" }),
  default_country: Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/u)).annotate({
    description: "The ISO 3166-1 country of phone numbers without a country code"
  }),
  classifier: Schema.Literals(["off", "keywords", "model"]),
  reply_mode: Schema.Literals(["off", "draft", "auto"]),
  reply_wait_seconds: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 600 }))),
  takeover_hours: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 720 }))),
  assistant: Schema.optionalKey(Assistant),
  public_form: Schema.optionalKey(PublicForm),
  voice: Schema.optionalKey(Voice),
  guardrails: Schema.optionalKey(Schema.Array(Guardrail).check(Schema.isMaxLength(maxGuardrails))),
  tiers: Schema.Struct({ hot: Threshold, warm: Threshold }),
  score_weights: Schema.Record(Schema.String, Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 10 }))),
  rules: Schema.Array(Rule).check(Schema.isMaxLength(maxRules))
}).annotate({ identifier: "TenantConfig" })

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
