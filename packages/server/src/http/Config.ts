import { Api } from "@leadloom/api/Api"
import type * as Wire from "@leadloom/api/Config"
import { Tenants } from "@leadloom/core/port/Tenants"
import { saveConfig } from "@leadloom/core/tenant/SaveConfig"
import type { Tenant } from "@leadloom/core/tenant/Tenant"
import type { TenantConfig } from "@leadloom/core/tenant/TenantConfig"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "./errors.ts"

const fromJson = (json: typeof Wire.TenantConfig.Type): TenantConfig => ({
  timeZone: json.time_zone,
  defaultCountry: json.default_country,
  classifier: json.classifier,
  replyMode: json.reply_mode,
  thresholds: json.tiers,
  scoreWeights: json.score_weights,
  rules: json.rules
})

const toJson = ({ config, configVersion, tenantId }: Tenant): typeof Wire.StoredConfig.Type => ({
  tenant_id: tenantId,
  version: configVersion,
  config: {
    time_zone: config.timeZone,
    default_country: config.defaultCountry,
    classifier: config.classifier,
    reply_mode: config.replyMode,
    tiers: config.thresholds,
    score_weights: config.scoreWeights,
    rules: config.rules
  }
})

/** A tenant's configuration. */
export const layer = HttpApiBuilder.group(Api, "config", (handlers) =>
  handlers.handleAll({
    get: Effect.fnUntraced(function* ({ params }) {
      const tenants = yield* Tenants
      return toJson(yield* answer(tenants.get(params.tenant_id)))
    }),
    replace: Effect.fnUntraced(function* ({ params, payload }) {
      return toJson(yield* answer(saveConfig(params.tenant_id, fromJson(payload))))
    })
  })
)
