import type { Tier } from "../../lead/Tier.ts"
import type { Classification } from "../model/Classification.ts"
import { weekdays } from "../rule/Fact.ts"
import { type GuardEvaluation, guardOutcomes, type Guardrail, type GuardVerdict } from "./Guardrail.ts"
import { holdsLink } from "./Links.ts"
import { holdsPhrase, readPhrase, readWords } from "./Phrases.ts"
import { holdsPrice } from "./Prices.ts"
import type { TimeFacts } from "../rule/TimeFacts.ts"

/** A reply and what is known around it when it is weighed. */
export interface GuardSubject {
  /** The reply. */
  readonly text: string
  readonly classification: Classification | null
  readonly tier: Tier
  /** Messages of the assistant to the contact in the last 24 hours. */
  readonly repliesToday: number
  /** Now, in the tenant's time zone. */
  readonly time: TimeFacts
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const weekdayBefore = (weekday: string): string =>
  weekdays[(weekdays.findIndex((day) => day === weekday) + 6) % 7] ?? weekday

/** Whether a moment lies in a window of hours. `from` equal to `to` is the whole day. */
const isQuiet = (
  { days, from, to }: { readonly from: string; readonly to: string; readonly days?: ReadonlyArray<string> },
  { minuteOfDay, weekday }: TimeFacts
): boolean => {
  const [begin, end] = [minuteOf(from), minuteOf(to)]
  const begins = (day: string): boolean => days?.includes(day) ?? true
  if (begin < end) return begins(weekday) && minuteOfDay >= begin && minuteOfDay < end
  return (begins(weekday) && minuteOfDay >= begin) || (begins(weekdayBefore(weekday)) && minuteOfDay < end)
}

/** Guardrails that look at what the reply says; the others look at what is around it. */
const textKinds = ["blocked_phrases", "no_links", "no_prices"] as const
type TextGuardrail = Extract<Guardrail, { readonly kind: (typeof textKinds)[number] }>

const looksAtText = (guardrail: Guardrail): guardrail is TextGuardrail =>
  textKinds.some((kind) => kind === guardrail.kind)

const holdsAny = (text: string, phrases: ReadonlyArray<string>): string | null => {
  const words = readWords(text)
  const isThere = (phrase: string): boolean => {
    const read = readPhrase(phrase)
    return read !== null && holdsPhrase(words, read)
  }
  return phrases.find(isThere) ?? null
}

const reasonInText = (guardrail: TextGuardrail, text: string): string | null => {
  switch (guardrail.kind) {
    case "blocked_phrases": {
      const found = holdsAny(text, guardrail.phrases)
      return found === null ? null : `the reply says "${found}"`
    }
    case "no_links":
      return holdsLink(text) ? "the reply holds a web address" : null
    case "no_prices":
      return holdsPrice(text) ? "the reply names an amount of money" : null
  }
}

/** Why a guardrail holds on to a reply; null when it lets it pass. */
const reasonToHold = (guardrail: Guardrail, of: GuardSubject): string | null => {
  switch (guardrail.kind) {
    case "quiet_hours":
      return isQuiet(guardrail, of.time) ? `it is between ${guardrail.from} and ${guardrail.to}` : null
    case "max_replies_per_contact_per_day":
      return of.repliesToday >= guardrail.max
        ? `the contact got ${of.repliesToday} replies in 24 hours; ${guardrail.max} are allowed`
        : null
    case "min_confidence": {
      const confidence = of.classification?.confidence ?? null
      if (confidence === null) return "nothing classified the message"
      return confidence < guardrail.min ? `the confidence is ${confidence}, less than ${guardrail.min}` : null
    }
    case "require_approval_for_tiers":
      return guardrail.tiers.includes(of.tier) ? `the lead is ${of.tier}` : null
    case "blocked_intents": {
      const intent = of.classification?.intent ?? null
      const isBlocked = guardrail.intents.some((blocked) => blocked.trim().toLowerCase() === intent?.toLowerCase())
      return intent !== null && isBlocked ? `the message is about ${intent}` : null
    }
    default:
      return reasonInText(guardrail, of.text)
  }
}

const evaluationOf = (guardrail: Guardrail, reason: string | null): GuardEvaluation => {
  const { id: guardrailId, kind } = guardrail
  if (reason === null) return { guardrailId, kind, outcome: "allow", reason: "nothing to hold on to" }
  const outcome = kind === "require_approval_for_tiers" ? "require_approval" : guardrail.outcome
  return { guardrailId, kind, outcome: outcome ?? "require_approval", reason }
}

const verdictOf = (evaluations: ReadonlyArray<GuardEvaluation>): GuardVerdict => ({
  outcome: guardOutcomes.findLast((known) => evaluations.some(({ outcome }) => outcome === known)) ?? "allow",
  evaluations
})

const isOn = ({ enabled }: Guardrail): boolean => enabled !== false

/** Asks every guardrail that is switched on about a reply. The strictest answer is the verdict; without any, `allow`. */
export const evaluateGuardrails = (guardrails: ReadonlyArray<Guardrail>, subject: GuardSubject): GuardVerdict =>
  verdictOf(guardrails.filter(isOn).map((guardrail) => evaluationOf(guardrail, reasonToHold(guardrail, subject))))

/** Asks those of them that look at what a reply says about a text that a person is about to send. */
export const evaluateText = (guardrails: ReadonlyArray<Guardrail>, text: string): GuardVerdict =>
  verdictOf(
    guardrails
      .filter(isOn)
      .filter(looksAtText)
      .map((guardrail) => evaluationOf(guardrail, reasonInText(guardrail, text)))
  )
