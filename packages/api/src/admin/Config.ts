import { Schema } from "effect"
import { Guardrail, maxGuardrails } from "@leadloom/core/domain/guardrail/Guardrail"
import { maxRules, Rule } from "@leadloom/core/domain/rule/Rule"
import { verifications } from "@leadloom/core/domain/tenant/PublicForm"
import { changeActions } from "@leadloom/core/domain/tenant/ConfigChange"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound, PreconditionFailed } from "../errors.ts"
import { IdempotencyKey, Metadata, TenantPath, text, Timestamp } from "../schema/Field.ts"

const Threshold = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

const LinkHost = Schema.String.check(
  Schema.isPattern(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/u, { message: "Expected a host name in lower case" })
)

/** What a language model is told about the business it answers for. */
export const Assistant = Schema.Struct({
  instructions: Schema.String.check(Schema.isMaxLength(4_000)).annotate({ description: "How to write" }),
  knowledge: Schema.String.check(Schema.isMaxLength(20_000)).annotate({ description: "What may be said" }),
  link_hosts: Schema.Array(LinkHost).check(Schema.isMaxLength(50)).annotate({
    description: "Hosts that a generated reply may link to"
  })
}).annotate({ identifier: "Assistant" })

const FieldName = Schema.String.check(Schema.isPattern(/^[\p{L}\p{N}_.:[\]-]{1,100}$/u, { message: "Expected a name" }))

/** The form that anybody may submit to a tenant. */
export const PublicForm = Schema.Struct({
  enabled: Schema.Boolean.annotate({ description: "false: POST /api/v1/public/leads/{tenant_id} answers 404" }),
  allowed_origins: Schema.Array(text(255)).check(Schema.isMaxLength(50)).annotate({
    description: "Origins of the pages that may submit it, for example https://www.acme.com"
  }),
  honeypot: Schema.optionalKey(FieldName).annotate({
    description: "A field that people do not see: who fills it in is answered as everybody and forgotten"
  }),
  thank_you_url: Schema.optionalKey(Schema.NullOr(text(2_048))).annotate({
    description: "Where a browser goes that submits without a script; null: to a page that says thank you"
  }),
  fields: Schema.optionalKey(Schema.Array(FieldName).check(Schema.isMaxLength(100))).annotate({
    description: "Further fields that are kept as metadata; empty: all that come"
  }),
  verification: Schema.optionalKey(Schema.Literals(verifications)).annotate({
    description: "How a form shows that a person has filled it in"
  })
}).annotate({ identifier: "PublicForm" })

const Clock = Schema.String.check(
  Schema.isPattern(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, { message: "Expected a time like 09:30" })
)

/** What happens with calls. */
export const Voice = Schema.Struct({
  forward_to: Schema.NullOr(
    Schema.String.check(Schema.isPattern(/^\+[1-9]\d{6,14}$/u, { message: "Expected a number like +15551234567" }))
  ).annotate({ description: "Where calls to the tenant's numbers go, and who speaks in calls to contacts" }),
  greeting: Schema.String.check(Schema.isMaxLength(1_000)).annotate({ description: "What callers hear first" }),
  record: Schema.Boolean,
  missed_call_task: Schema.Boolean.annotate({ description: "A call that nobody took makes a task to call back" }),
  callback_hours: Schema.Struct({
    from: Clock,
    to: Clock,
    days: Schema.Array(Schema.Literals(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])).check(
      Schema.isMinLength(1),
      Schema.isMaxLength(7)
    )
  }).annotate({ description: "When people call back, in the time zone of the business" })
}).annotate({ identifier: "Voice" })

/** Everything a tenant may set about how its messages are handled. */
export const TenantConfig = Schema.Struct({
  time_zone: Schema.String.annotate({ description: "IANA time zone, for example Europe/Berlin" }),
  default_country: Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/u)).annotate({
    description: "ISO 3166-1 country of phone numbers without a country code"
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
  notes: Schema.Array(Schema.String).annotate({ description: "What has to be known or done beside the configuration" }),
  config: TenantConfig
}).annotate({ identifier: "Preset" })

const Difference = Schema.Struct({
  path: Schema.String.annotate({ description: "Joined with dots; rules and guardrails go by their id" }),
  before: Schema.optionalKey(Schema.Json).annotate({ description: "Absent: it was added. Long values are cut" }),
  after: Schema.optionalKey(Schema.Json).annotate({ description: "Absent: it was removed" }),
  summary: Schema.String
}).annotate({ identifier: "ConfigDifference" })

export const ConfigChange = Schema.Struct({
  version: Schema.Int,
  from_version: Schema.Int,
  action: Schema.Literals(changeActions),
  preset: Schema.NullOr(Schema.String),
  changed_by: Schema.String,
  changed_at: Timestamp,
  changes: Schema.Array(Difference),
  omitted: Schema.Int.annotate({ description: "Changes beyond those that are listed" })
}).annotate({ identifier: "ConfigChange" })

const Scaffold = Schema.Struct({
  preset: text(64).annotate({ description: "A name of GET /api/v1/config/presets" }),
  overwrite: Schema.optionalKey(Schema.Boolean).annotate({
    description: "Also when somebody has changed the configuration; it stays as a version. Default: false"
  })
}).annotate({ identifier: "ScaffoldConfig" })

/** The version that a change was made from, as its `ETag`. */
export const IfMatch = {
  "if-match": Schema.optionalKey(Schema.String.check(Schema.isMaxLength(255))).annotate({
    description: "The ETag of what was read: changes nothing that has been changed since (412)"
  })
}

export const IfNoneMatch = {
  "if-none-match": Schema.optionalKey(Schema.String.check(Schema.isMaxLength(255))).annotate({
    description: "The ETag of what is known already: 304 when it is still so"
  })
}

const changing = [BadRequest, NotFound, Conflict, PreconditionFailed] as const

const reading = HttpApiGroup.make("config").add(
  HttpApiEndpoint.get("presets", "/config/presets", {
    success: Schema.Struct({ presets: Schema.Array(Preset) }).annotate({ identifier: "PresetList" })
  })
    .annotate(OpenApi.Summary, "List the presets, each with its whole configuration")
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
    .annotate(OpenApi.Summary, "Who changed the configuration, when, and what: newest first")
    .annotate(Gate, gate("config.audit", { limiter: "admin" })),
  HttpApiEndpoint.get("version", "/config/:tenant_id/versions/:version", {
    params: { ...TenantPath, version: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 })) },
    success: Schema.Struct({
      ...StoredConfig.fields,
      change: Schema.NullOr(ConfigChange).annotate({ description: "null: the tenant began with this version" })
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
      .annotate(OpenApi.Summary, "Replace the configuration; it is checked before it is saved")
      .annotate(Gate, gate("config.replace", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/config/:tenant_id", {
      params: TenantPath,
      headers: IfMatch,
      payload: Metadata.annotate({ identifier: "ConfigPatch" }),
      success: StoredConfig,
      error: changing
    })
      .annotate(OpenApi.Summary, "Change parts of the configuration: a JSON merge patch (RFC 7396)")
      .annotate(Gate, gate("config.update", { limiter: "admin" })),
    HttpApiEndpoint.post("scaffold", "/config/:tenant_id/scaffold", {
      params: TenantPath,
      headers: { ...IfMatch, ...IdempotencyKey },
      payload: Scaffold,
      success: StoredConfig,
      error: [...changing, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Put a preset in place of the configuration; time zone, country and form stay")
      .annotate(Gate, gate("config.scaffold", { limiter: "admin", idempotency: "unit" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Config", description: "How a tenant's messages are handled" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
