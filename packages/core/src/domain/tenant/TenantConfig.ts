import type { CallbackHours } from "../assistant/CallbackTime.ts"
import { defaultThresholds, type Thresholds } from "../lead/Score.ts"
import { closedForm, type PublicForm } from "./PublicForm.ts"
import type { Guardrail } from "../guardrail/Guardrail.ts"
import type { Rule } from "../rule/Rule.ts"

/** The tenant's information about its business for the language model. */
export interface AssistantConfig {
  /** Instructions for the style and content of replies. If empty, the defaults apply. */
  readonly instructions: string
  /** Facts about the business that replies may contain: services, area, opening hours. May be empty. */
  readonly knowledge: string
  /** The lower-case hosts to which an automatic reply may link, in addition to the tenant's domain. */
  readonly linkHosts: ReadonlyArray<string>
}

/** The settings for inbound and outbound calls. */
export interface VoiceConfig {
  /** The number in E.164 to which calls are forwarded. If it is null, callers hear only the greeting. */
  readonly forwardTo: string | null
  /** The greeting that callers hear. If it is empty, calls are forwarded immediately. */
  readonly greeting: string
  /** True if calls are recorded. The tenant must inform callers where the law requires it. */
  readonly record: boolean
  /** True if each missed call creates a callback task. */
  readonly missedCallTask: boolean
  readonly callbackHours: CallbackHours
}

export interface TenantConfig {
  /** The IANA time zone of the business. */
  readonly timeZone: string
  /** The country (ISO 3166-1 alpha-2) of phone numbers without a country code. */
  readonly defaultCountry: string
  /**
   * The classifier of messages. `keywords`: the built-in deterministic classifier. `model`: the server's language
   * model. `off`: none. Messages have no classification with `off`, and with `model` on a server without a language
   * model.
   */
  readonly classifier: "off" | "keywords" | "model"
  /**
   * `off`: no reply is written. `draft`: the reply waits for the approval of a person. `auto`: the reply is sent if a
   * channel is connected; otherwise it waits for a person.
   */
  readonly replyMode: "off" | "draft" | "auto"
  /**
   * The wait window in seconds: the time that a queued message waits for more messages of the same contact, so that one
   * reply answers all of them.
   */
  readonly replyWaitSeconds: number
  /**
   * The length of a takeover in hours: the time after a message from a person of the tenant in which automatic replies
   * pause. 0 disables takeovers.
   */
  readonly takeoverHours: number
  readonly assistant: AssistantConfig
  readonly publicForm: PublicForm
  readonly voice: VoiceConfig
  readonly guardrails: ReadonlyArray<Guardrail>
  readonly thresholds: Thresholds
  /** The weights of score factors by name. A missing weight is 1. */
  readonly scoreWeights: Readonly<Record<string, number>>
  readonly rules: ReadonlyArray<Rule>
}

/** The default settings for calls. */
export const defaultVoice: VoiceConfig = {
  forwardTo: null,
  greeting: "",
  record: false,
  missedCallTask: true,
  callbackHours: { from: "09:00", to: "18:00", days: ["mon", "tue", "wed", "thu", "fri"] }
}

/** The configuration of a new tenant without a preset. */
export const defaultConfig: TenantConfig = {
  timeZone: "UTC",
  defaultCountry: "US",
  classifier: "model",
  replyMode: "draft",
  replyWaitSeconds: 0,
  takeoverHours: 24,
  assistant: { instructions: "", knowledge: "", linkHosts: [] },
  publicForm: closedForm,
  voice: defaultVoice,
  guardrails: [],
  thresholds: defaultThresholds,
  scoreWeights: {},
  rules: []
}

/** Completes a configuration that any version of this software has saved. Missing fields get their defaults. */
export const completeConfig = (saved: Partial<TenantConfig>): TenantConfig => ({ ...defaultConfig, ...saved })
