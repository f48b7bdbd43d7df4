import { Schema } from "effect"
import { Guardrail, maxGuardrails } from "@leadloom/core/pipeline/Guardrail"
import { Rule } from "@leadloom/core/pipeline/Rule"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, type GateDeclaration, RequestValidation } from "./Access.ts"
import { BadRequest, Conflict, NotFound } from "./errors.ts"
import { TenantPath } from "./Field.ts"

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
  guardrails: Schema.optionalKey(Schema.Array(Guardrail).check(Schema.isMaxLength(maxGuardrails))),
  tiers: Schema.Struct({ hot: Threshold, warm: Threshold }),
  score_weights: Schema.Record(Schema.String, Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 10 }))),
  rules: Schema.Array(Rule)
}).annotate({ identifier: "TenantConfig" })

export const StoredConfig = Schema.Struct({
  tenant_id: Schema.String,
  version: Schema.Int,
  config: TenantConfig
}).annotate({ identifier: "StoredConfig" })

const gate: GateDeclaration = { operation: "manage", limiter: "admin" }

export const ConfigGroup = HttpApiGroup.make("config")
  .add(
    HttpApiEndpoint.get("get", "/config/:tenant_id", { params: TenantPath, success: StoredConfig, error: NotFound })
      .annotate(OpenApi.Summary, "Read the configuration")
      .annotate(Gate, gate),
    HttpApiEndpoint.put("replace", "/config/:tenant_id", {
      params: TenantPath,
      payload: TenantConfig,
      success: StoredConfig,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Replace the configuration; it is checked before it is saved")
      .annotate(Gate, gate)
  )
  .annotateMerge(OpenApi.annotations({ title: "Config", description: "How a tenant's messages are handled" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")
