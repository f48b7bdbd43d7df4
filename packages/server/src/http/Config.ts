import { Api } from "@leadloom/api/Api"
import type * as Wire from "@leadloom/api/Config"
import { Tenants } from "@leadloom/core/port/Tenants"
import { saveConfig } from "@leadloom/core/tenant/SaveConfig"
import type { Tenant } from "@leadloom/core/tenant/Tenant"
import { defaultConfig, type TenantConfig } from "@leadloom/core/tenant/TenantConfig"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "./errors.ts"

/** A field that is left out is as by default. */
const fromJson = (json: typeof Wire.TenantConfig.Type): TenantConfig => ({
  timeZone: json.time_zone,
  defaultCountry: json.default_country,
  classifier: json.classifier,
  replyMode: json.reply_mode,
  replyWaitSeconds: json.reply_wait_seconds ?? defaultConfig.replyWaitSeconds,
  takeoverHours: json.takeover_hours ?? defaultConfig.takeoverHours,
  assistant:
    json.assistant === undefined
      ? defaultConfig.assistant
      : {
          instructions: json.assistant.instructions,
          knowledge: json.assistant.knowledge,
          linkHosts: json.assistant.link_hosts
        },
  guardrails: json.guardrails ?? [],
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
    reply_wait_seconds: config.replyWaitSeconds,
    takeover_hours: config.takeoverHours,
    assistant: {
      instructions: config.assistant.instructions,
      knowledge: config.assistant.knowledge,
      link_hosts: config.assistant.linkHosts
    },
    guardrails: config.guardrails,
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
