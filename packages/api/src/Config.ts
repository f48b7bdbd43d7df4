import { Schema } from "effect"
import { Rule } from "@leadloom/core/pipeline/Rule"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authorization, Gate, type GateDeclaration, RequestValidation } from "./Access.ts"
import { BadRequest, Conflict, NotFound } from "./errors.ts"
import { TenantPath } from "./Field.ts"

const Threshold = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

/** Everything a tenant may set about how its messages are handled. */
export const TenantConfig = Schema.Struct({
  time_zone: Schema.String.annotate({ description: "IANA time zone, for example Europe/Berlin" }),
  default_country: Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/u)).annotate({
    description: "ISO 3166-1 country of phone numbers without a country code"
  }),
  classifier: Schema.Literals(["off", "keywords"]),
  reply_mode: Schema.Literals(["off", "draft", "auto"]),
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
