import type * as Wire from "@leadloom/api/admin/Config"
import { closedForm, type PublicForm } from "@leadloom/core/domain/tenant/PublicForm"
import { defaultConfig, type TenantConfig, type VoiceConfig } from "@leadloom/core/domain/tenant/TenantConfig"

const voiceFromJson = (json: typeof Wire.Voice.Type): VoiceConfig => ({
  forwardTo: json.forward_to,
  greeting: json.greeting,
  record: json.record,
  missedCallTask: json.missed_call_task,
  callbackHours: json.callback_hours
})

const isDay = (day: string): day is (typeof Wire.Voice.Type)["callback_hours"]["days"][number] =>
  /^(?:mon|tue|wed|thu|fri|sat|sun)$/u.test(day)

const voiceToJson = (voice: VoiceConfig): typeof Wire.Voice.Type => ({
  forward_to: voice.forwardTo,
  greeting: voice.greeting,
  record: voice.record,
  missed_call_task: voice.missedCallTask,
  callback_hours: { ...voice.callbackHours, days: voice.callbackHours.days.filter(isDay) }
})

const formFromJson = (json: typeof Wire.PublicForm.Type): PublicForm => ({
  enabled: json.enabled,
  allowedOrigins: json.allowed_origins,
  honeypot: json.honeypot ?? closedForm.honeypot,
  thankYouUrl: json.thank_you_url ?? closedForm.thankYouUrl,
  fields: json.fields ?? closedForm.fields,
  verification: json.verification ?? closedForm.verification
})

const formToJson = (form: PublicForm): typeof Wire.PublicForm.Type => ({
  enabled: form.enabled,
  allowed_origins: form.allowedOrigins,
  honeypot: form.honeypot,
  thank_you_url: form.thankYouUrl,
  fields: form.fields,
  verification: form.verification
})

/** Decodes a configuration. A missing field receives its default. */
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
  publicForm: json.public_form === undefined ? closedForm : formFromJson(json.public_form),
  voice: json.voice === undefined ? defaultConfig.voice : voiceFromJson(json.voice),
  guardrails: json.guardrails ?? [],
  thresholds: json.tiers,
  scoreWeights: json.score_weights,
  rules: json.rules
})

/** Encodes a configuration. */
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
  public_form: formToJson(config.publicForm),
  voice: voiceToJson(config.voice),
  guardrails: config.guardrails,
  tiers: config.thresholds,
  score_weights: config.scoreWeights,
  rules: config.rules
})
