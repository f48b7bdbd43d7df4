import type { CallbackHours } from "../assistant/CallbackTime.ts"
import { defaultThresholds, type Thresholds } from "../lead/Score.ts"
import { closedForm, type PublicForm } from "./PublicForm.ts"
import type { Guardrail } from "../guardrail/Guardrail.ts"
import type { Rule } from "../rule/Rule.ts"

/** The information about a business that a language model receives. */
export interface AssistantConfig {
  /** Instructions for style and content. Empty selects the defaults. */
  readonly instructions: string
  /** Facts about the business that replies may contain: services, area, opening hours. May be empty. */
  readonly knowledge: string
  /** Lower-case hosts, besides the tenant's domain, that an automatic reply may link to. */
  readonly linkHosts: ReadonlyArray<string>
}

/** The handling of calls. */
export interface VoiceConfig {
  /** The E.164 number that calls are forwarded to. Null: callers only hear the greeting. */
  readonly forwardTo: string | null
  /** The greeting for callers. Empty: calls are forwarded immediately. */
  readonly greeting: string
  /** Records calls. The tenant must inform callers where the law requires it. */
  readonly record: boolean
  /** Creates a callback task for each missed call. */
  readonly missedCallTask: boolean
  readonly callbackHours: CallbackHours
}

/** The configuration of a tenant. */
export interface TenantConfig {
  /** The IANA time zone of the business, for facts about time. */
  readonly timeZone: string
  /** The ISO 3166-1 alpha-2 country of phone numbers without a country code. */
  readonly defaultCountry: string
  /**
   * `keywords` uses the built-in deterministic classifier. `model` uses the server's language model. The classification
   * is null with `off`, and with `model` on a server without a language model.
   */
  readonly classifier: "off" | "keywords" | "model"
  /**
   * `off`: no reply is written. `draft`: the reply waits for a person. `auto`: the reply is sent if a channel is
   * connected, otherwise it waits for a person.
   */
  readonly replyMode: "off" | "draft" | "auto"
  /** The seconds that a queued message waits for more from the same contact, so that one reply answers all of them. */
  readonly replyWaitSeconds: number
  /** The hours after a message from a person of the tenant in which automatic replies pause. 0 disables the pause. */
  readonly takeoverHours: number
  readonly assistant: AssistantConfig
  readonly publicForm: PublicForm
  readonly voice: VoiceConfig
  readonly guardrails: ReadonlyArray<Guardrail>
  readonly thresholds: Thresholds
  /** Multipliers by factor name. The default is 1. */
  readonly scoreWeights: Readonly<Record<string, number>>
  readonly rules: ReadonlyArray<Rule>
}

/** The default handling of calls. */
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

/** Completes a configuration that was saved by any version of this software. Missing fields get their defaults. */
export const completeConfig = (saved: Partial<TenantConfig>): TenantConfig => ({ ...defaultConfig, ...saved })
