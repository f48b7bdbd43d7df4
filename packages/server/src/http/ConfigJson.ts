import type * as Wire from "@leadloom/api/Config"
import { isoTime } from "@leadloom/api/Field"
import type { ConfigChange } from "@leadloom/core/tenant/ConfigChange"
import { defaultConfig, type TenantConfig } from "@leadloom/core/tenant/TenantConfig"

/** A configuration as it came over the wire. A field that is left out is as by default. */
export const configFromJson = (json: typeof Wire.TenantConfig.Type): TenantConfig => ({
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

/** A configuration as it is written on the wire. */
export const configToJson = (config: TenantConfig): typeof Wire.TenantConfig.Type => ({
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
})

/** Who made a version, and what is different in it. */
export const changeToJson = (change: ConfigChange): typeof Wire.ConfigChange.Type => ({
  version: change.version,
  from_version: change.fromVersion,
  action: change.action,
  preset: change.preset,
  changed_by: change.changedBy,
  changed_at: isoTime(change.changedAt),
  changes: change.differences,
  omitted: change.omitted
})
