import type { Tier } from "../lead/Score.ts"
import type { Classification } from "../classification/Classification.ts"
import {
  runInOneStretch,
  type Budget,
  BudgetExceeded,
  makeBudget,
  type Pieces,
  textLimits,
  unlimited
} from "../budget/Budget.ts"
import { weekdays } from "../rule/Fact.ts"
import { type GuardEvaluation, guardOutcomes, type Guardrail, type GuardVerdict } from "./Guardrail.ts"
import { lookForLink } from "./Links.ts"
import type { Cause } from "../reason/Reason.ts"
import { lookSteps } from "./PlainText.ts"
import { type GuardPhrase, type GuardWords, containsPhrase, readingWords, readPhrase, wordSteps } from "./Phrases.ts"
import { lookForPrice } from "./Prices.ts"
import { type Look, looking } from "./TextLook.ts"
import type { TimeFacts } from "../time/TimeFacts.ts"

/** A reply to check, and the data that guardrails compare. */
export interface GuardSubject {
  readonly text: string
  readonly classification: Classification | null
  readonly tier: Tier
  /** The assistant's messages to the contact in the last 24 hours. */
  readonly repliesToday: number
  /** The current time in the tenant's time zone. */
  readonly time: TimeFacts
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

const weekdayBefore = (weekday: string): string =>
  weekdays[(weekdays.findIndex((day) => day === weekday) + 6) % 7] ?? weekday

/**
 * Returns true when the time is within the window of quiet hours. A window with equal `from` and `to` covers the whole
 * day.
 */
export const isQuiet = (
  { days, from, to }: { readonly from: string; readonly to: string; readonly days?: ReadonlyArray<string> },
  { minuteOfDay, weekday }: TimeFacts
): boolean => {
  const [begin, end] = [minuteOf(from), minuteOf(to)]
  const begins = (day: string): boolean => days?.includes(day) ?? true
  if (begin < end) return begins(weekday) && minuteOfDay >= begin && minuteOfDay < end
  return (begins(weekday) && minuteOfDay >= begin) || (begins(weekdayBefore(weekday)) && minuteOfDay < end)
}

/** The kinds of guardrails that check the text of a reply. Other kinds check data about the message. */
const textKinds = ["blocked_phrases", "no_links", "no_prices"] as const
type TextGuardrail = Extract<Guardrail, { readonly kind: (typeof textKinds)[number] }>

const looksAtText = (guardrail: Guardrail): guardrail is TextGuardrail =>
  textKinds.some((kind) => kind === guardrail.kind)

/** A guardrail prepared for many checks. */
export interface CompiledGuardrail {
  readonly guardrail: Guardrail
  /** The normalised phrases with their original spelling. Empty for kinds of guardrails without phrases. */
  readonly phrases: ReadonlyArray<{ readonly phrase: string; readonly read: GuardPhrase }>
}

/** Compiles the enabled guardrails. */
export const compileGuardrails = (guardrails: ReadonlyArray<Guardrail>): ReadonlyArray<CompiledGuardrail> =>
  guardrails
    .filter(({ enabled }) => enabled !== false)
    .map((guardrail) => ({
      guardrail,
      phrases:
        guardrail.kind !== "blocked_phrases"
          ? []
          : guardrail.phrases.flatMap((phrase) => {
              const read = readPhrase(phrase)
              return read === null ? [] : [{ phrase, read }]
            })
    }))

/** The steps of searching one character for links or prices. */
const shapeSteps = 32

/** A text that is being checked. Each search in it runs at most once, regardless of the number of guardrails. */
interface GuardedText {
  readonly text: string
  readonly budget: Budget
  words: GuardWords | null
  hasLink: boolean | null
  hasPrice: boolean | null
}

const guardedText = (text: string, budget: Budget): GuardedText => ({
  text,
  budget,
  words: null,
  hasLink: null,
  hasPrice: null
})

const lookInto = ({ budget, text }: GuardedText, look: Look): Pieces<boolean> =>
  looking(text, look, budget, lookSteps(text, shapeSteps))

const reasonInText = function* (
  guardrail: TextGuardrail,
  { phrases }: CompiledGuardrail,
  of: GuardedText
): Pieces<Cause | null> {
  switch (guardrail.kind) {
    case "blocked_phrases": {
      for (const { phrase, read } of phrases) {
        of.words ??= yield* readingWords(of.text, of.budget)
        if (containsPhrase(of.words, read, of.budget)) return { code: "blocked_phrase", phrase }
        yield
      }
      return null
    }
    case "no_links":
      of.hasLink ??= yield* lookInto(of, lookForLink)
      return of.hasLink ? { code: "contains_link" } : null
    case "no_prices":
      of.hasPrice ??= yield* lookInto(of, lookForPrice)
      return of.hasPrice ? { code: "contains_price" } : null
  }
}

/** Returns the reason why a guardrail holds a reply. Returns null when the guardrail allows the reply. */
const reasonToHold = function* (
  compiled: CompiledGuardrail,
  of: GuardSubject,
  text: GuardedText
): Pieces<Cause | null> {
  const { guardrail } = compiled
  switch (guardrail.kind) {
    case "quiet_hours":
      return isQuiet(guardrail, of.time) ? { code: "guardrail_hours", from: guardrail.from, to: guardrail.to } : null
    case "max_replies_per_contact_per_day":
      return of.repliesToday >= guardrail.max
        ? { code: "too_many_replies", count: of.repliesToday, max: guardrail.max }
        : null
    case "min_confidence": {
      const confidence = of.classification?.confidence ?? null
      if (confidence === null) return { code: "not_classified" }
      return confidence < guardrail.min ? { code: "low_confidence", confidence, min: guardrail.min } : null
    }
    case "require_approval_for_tiers":
      return guardrail.tiers.includes(of.tier) ? { code: "held_tier", tier: of.tier } : null
    case "blocked_intents": {
      const intent = of.classification?.intent ?? null
      const isBlocked = guardrail.intents.some((blocked) => blocked.trim().toLowerCase() === intent?.toLowerCase())
      return intent !== null && isBlocked ? { code: "blocked_intent", intent } : null
    }
    default:
      return yield* reasonInText(guardrail, compiled, text)
  }
}

const evaluationOf = (guardrail: Guardrail, reason: Cause | null): GuardEvaluation => {
  const { id: guardrailId, kind } = guardrail
  if (reason === null) return { guardrailId, kind, outcome: "allow", reason: { code: "guardrail_passed" } }
  const outcome = kind === "require_approval_for_tiers" ? "require_approval" : guardrail.outcome
  return { guardrailId, kind, outcome: outcome ?? "require_approval", reason }
}

const verdictOf = (evaluations: ReadonlyArray<GuardEvaluation>): GuardVerdict => ({
  outcome: guardOutcomes.findLast((known) => evaluations.some(({ outcome }) => outcome === known)) ?? "allow",
  evaluations
})

/**
 * Checks a reply against all guardrails in pieces. The verdict is the strictest outcome. Without guardrails, it is
 * `allow`.
 */
export const evaluating = function* (
  guardrails: ReadonlyArray<CompiledGuardrail>,
  subject: GuardSubject,
  budget: Budget
): Pieces<GuardVerdict> {
  const text = guardedText(subject.text, budget)
  const evaluations: Array<GuardEvaluation> = []
  for (const compiled of guardrails) {
    evaluations.push(evaluationOf(compiled.guardrail, yield* reasonToHold(compiled, subject, text)))
    yield
  }
  return verdictOf(evaluations)
}

/** Checks a reply against all guardrails without interruption. Throws `BudgetExceeded`. */
export const evaluateCompiled = (
  guardrails: ReadonlyArray<CompiledGuardrail>,
  subject: GuardSubject,
  budget: Budget
): GuardVerdict => runInOneStretch(evaluating(guardrails, subject, budget))

/** Compiles guardrails and checks a reply without interruption and without a budget. */
export const evaluateGuardrails = (guardrails: ReadonlyArray<Guardrail>, subject: GuardSubject): GuardVerdict =>
  evaluateCompiled(compileGuardrails(guardrails), subject, unlimited())

const reasonOrTooMuch = function* (
  guardrail: TextGuardrail,
  compiled: CompiledGuardrail,
  of: GuardedText
): Pieces<Cause | null> {
  try {
    return yield* reasonInText(guardrail, compiled, of)
  } catch (cause) {
    if (cause instanceof BudgetExceeded) return { code: "check_over_budget" }
    throw cause
  }
}

/**
 * Checks a text that a person is about to send. Only guardrails that check texts apply. The check runs in pieces. When
 * a guardrail's check exceeds the budget, the guardrail holds the text, so no unchecked text is sent.
 */
export const evaluatingText = function* (
  guardrails: ReadonlyArray<Guardrail>,
  text: string,
  budget: Budget
): Pieces<GuardVerdict> {
  const guarded = guardedText(text, budget)
  const evaluations: Array<GuardEvaluation> = []
  for (const compiled of compileGuardrails(guardrails.filter(looksAtText))) {
    const { guardrail } = compiled
    if (!looksAtText(guardrail)) continue
    evaluations.push(evaluationOf(guardrail, yield* reasonOrTooMuch(guardrail, compiled, guarded)))
    yield
  }
  return verdictOf(evaluations)
}

/** Checks a text that a person is about to send, like `evaluatingText`, but without interruption. */
export const evaluateText = (
  guardrails: ReadonlyArray<Guardrail>,
  text: string,
  budget: Budget = makeBudget(textLimits)
): GuardVerdict => runInOneStretch(evaluatingText(guardrails, text, budget))

/**
 * Returns the maximum number of steps that the check of a text takes. For the search of phrases, characters that
 * normalisation adds are not included.
 */
export const maxTextSteps = (guardrails: ReadonlyArray<Guardrail>, text: string): number =>
  guardrails.reduce(
    (sum, guardrail) =>
      sum + (guardrail.kind === "blocked_phrases" ? guardrail.phrases.length : 0) * (24 + text.length),
    lookSteps(text, 2 * shapeSteps + wordSteps)
  )
