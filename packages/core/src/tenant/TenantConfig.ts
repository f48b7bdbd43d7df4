import { defaultThresholds, type Thresholds } from "../lead/Tier.ts"
import type { Rule } from "../pipeline/Rule.ts"

/** Everything a tenant may set about how its messages are handled. */
export interface TenantConfig {
  /** IANA time zone of the business, for facts about time. */
  readonly timeZone: string
  /** ISO 3166-1 alpha-2 country that a phone number without a country code belongs to. */
  readonly defaultCountry: string
  /** `keywords` is the built-in deterministic classifier; `off` leaves the classification null. */
  readonly classifier: "off" | "keywords"
  /** `off` writes no reply; `draft` waits for an agent; `auto` sends when a channel is connected, else drafts. */
  readonly replyMode: "off" | "draft" | "auto"
  readonly thresholds: Thresholds
  /** Factor name to multiplier; a factor not named counts once. */
  readonly scoreWeights: Readonly<Record<string, number>>
  readonly rules: ReadonlyArray<Rule>
}

/** What a tenant starts with when it names no preset. */
export const defaultConfig: TenantConfig = {
  timeZone: "UTC",
  defaultCountry: "US",
  classifier: "off",
  replyMode: "draft",
  thresholds: defaultThresholds,
  scoreWeights: {},
  rules: []
}
