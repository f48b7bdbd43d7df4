import type { Tier } from "../lead/Tier.ts"
import type { Classification } from "./Classification.ts"
import { weekdays } from "./Fact.ts"
import { type GuardEvaluation, guardOutcomes, type Guardrail, type GuardVerdict } from "./Guardrail.ts"
import type { TimeFacts } from "./TimeFacts.ts"
import { hasPhrase, indexWords, phraseOf } from "./Words.ts"

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

/** A web address, with or without a scheme, also written so that no program makes a link of it. */
const link =
  /https?:\/\/|\bwww\.|\b[\p{L}\p{N}-]+\s?(?:\.|\[\.\]|\(dot\))\s?(?:com|net|org|info|io|co|biz|app|dev|me|ly)\b/iu

/** An amount of money: a currency's sign or name before or after a number. */
const price =
  /[$€£¥₹₽₩₺]\s?\d|\d[\d.,]*\s?(?:[$€£¥₹₽₩₺]|(?:usd|eur|gbp|cad|aud|chf|dollars?|euros?|pounds?|bucks|cents?|francs?)\b)|\b(?:usd|eur|gbp|cad|aud|chf)\s?\d/iu

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

/** Why a guardrail holds on to a reply; null when it lets it pass. */
const reasonToHold = (guardrail: Guardrail, of: GuardSubject): string | null => {
  switch (guardrail.kind) {
    case "blocked_phrases": {
      const index = indexWords(of.text)
      const found = guardrail.phrases.find((phrase) => hasPhrase(index, phraseOf(phrase)))
      return found === undefined ? null : `the reply says "${found}"`
    }
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
      return intent !== null && guardrail.intents.includes(intent) ? `the message is about ${intent}` : null
    }
    case "no_links":
      return link.test(of.text) ? "the reply holds a web address" : null
    case "no_prices":
      return price.test(of.text) ? "the reply names an amount of money" : null
  }
}

const evaluate = (guardrail: Guardrail, of: GuardSubject): GuardEvaluation => {
  const { id: guardrailId, kind } = guardrail
  const reason = reasonToHold(guardrail, of)
  if (reason === null) return { guardrailId, kind, outcome: "allow", reason: "nothing to hold on to" }
  const outcome = kind === "require_approval_for_tiers" ? "require_approval" : guardrail.outcome
  return { guardrailId, kind, outcome: outcome ?? "require_approval", reason }
}

/** Asks every guardrail that is switched on about a reply. The strictest answer is the verdict; without any, `allow`. */
export const evaluateGuardrails = (guardrails: ReadonlyArray<Guardrail>, subject: GuardSubject): GuardVerdict => {
  const evaluations = guardrails
    .filter(({ enabled }) => enabled !== false)
    .map((guardrail) => evaluate(guardrail, subject))
  const outcome = guardOutcomes.findLast((known) => evaluations.some((one) => one.outcome === known)) ?? "allow"
  return { outcome, evaluations }
}
