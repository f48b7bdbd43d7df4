import type { CallbackHours } from "../assistant/CallbackTime.ts"
import { defaultThresholds, type Thresholds } from "../lead/Score.ts"
import { closedForm, type PublicForm } from "./PublicForm.ts"
import type { Guardrail } from "../guardrail/Guardrail.ts"
import type { Rule } from "../rule/Rule.ts"

/** What a language model is told about the business it answers for. */
export interface AssistantConfig {
  /** How to write and what to keep to; empty: in the usual way. */
  readonly instructions: string
  /** What may be said about the business: services, area, opening hours; empty: nothing is known. */
  readonly knowledge: string
  /** Hosts that a reply may link to by itself, beside the tenant's domain. Lower case. */
  readonly linkHosts: ReadonlyArray<string>
}

/** What happens with calls. */
export interface VoiceConfig {
  /** Where calls to the tenant's numbers go, E.164; null: nowhere, callers hear the greeting alone. */
  readonly forwardTo: string | null
  /** What callers hear first; empty: they are put through at once. */
  readonly greeting: string
  /** Calls are recorded. Whoever turns this on sees to it that callers know, where the law asks for it. */
  readonly record: boolean
  /** A call that nobody took makes a task to call back. */
  readonly missedCallTask: boolean
  readonly callbackHours: CallbackHours
}

/** Everything a tenant may set about how its messages are handled. */
export interface TenantConfig {
  /** IANA time zone of the business, for facts about time. */
  readonly timeZone: string
  /** ISO 3166-1 alpha-2 country that a phone number without a country code belongs to. */
  readonly defaultCountry: string
  /**
   * `model` asks the server's language model, and leaves the classification null where there is none; `keywords` is the
   * built-in deterministic classifier; `off` leaves the classification null.
   */
  readonly classifier: "off" | "keywords" | "model"
  /** `off` writes no reply; `draft` waits for an agent; `auto` sends when a channel is connected, else drafts. */
  readonly replyMode: "off" | "draft" | "auto"
  /** Seconds that a queued message waits for more from the same contact, so that one reply answers all of them. */
  readonly replyWaitSeconds: number
  /** Hours after a person of the tenant wrote to a contact in which nothing goes to it by itself; 0: no such time. */
  readonly takeoverHours: number
  readonly assistant: AssistantConfig
  readonly publicForm: PublicForm
  readonly voice: VoiceConfig
  readonly guardrails: ReadonlyArray<Guardrail>
  readonly thresholds: Thresholds
  /** Factor name to multiplier; a factor not named counts once. */
  readonly scoreWeights: Readonly<Record<string, number>>
  readonly rules: ReadonlyArray<Rule>
}

/** Calls as they are handled where nobody has said anything about them. */
export const defaultVoice: VoiceConfig = {
  forwardTo: null,
  greeting: "",
  record: false,
  missedCallTask: true,
  callbackHours: { from: "09:00", to: "18:00", days: ["mon", "tue", "wed", "thu", "fri"] }
}

/** What a tenant starts with when it names no preset. */
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

/** A configuration as it was saved, by whatever version: what that version did not know yet is as by default. */
export const completeConfig = (saved: Partial<TenantConfig>): TenantConfig => ({ ...defaultConfig, ...saved })
