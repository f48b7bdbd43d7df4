import { Schema } from "effect"
import type { Channel } from "../Channel.ts"
import { LeadId, MessageId, ScoreId, SignalId } from "../Id.ts"
import { Classification, type KnownIntent } from "../classification/Classification.ts"
import {
  booking,
  pricing,
  purchase,
  refusal,
  spam,
  unhurried,
  unsubscribe,
  urgent
} from "../classification/Vocabulary.ts"
import { countPhrases, countWords, indexWords, type Phrase, type WordIndex } from "../classification/Words.ts"
import { Time } from "../Field.ts"

/** The tiers, best first. */
export const tiers = ["hot", "warm", "cold"] as const

/** A coarse rating of a lead. */
export type Tier = (typeof tiers)[number]

const Threshold = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))

/** The minimum scores of the two upper tiers. `hot` is compared first, even when it is not above `warm`. */
export class Thresholds extends Schema.Opaque<Thresholds>()(
  Schema.Struct({
    hot: Threshold.annotate({ description: "The lowest score of the tier `hot`; 0 to 100" }),
    warm: Threshold.annotate({ description: "The lowest score of the tier `warm`; 0 to 100. Lower scores are `cold`" })
  })
) {}

/** The thresholds of a tenant that has set none. */
export const defaultThresholds: Thresholds = { hot: 70, warm: 40 }

/** Returns the tier of a score from 0 to 100. */
export const tierOf = (score: number, thresholds: Thresholds = defaultThresholds): Tier => {
  if (score >= thresholds.hot) return "hot"
  return score >= thresholds.warm ? "warm" : "cold"
}

/** The input of scoring. */
export interface ScoreFacts {
  readonly text: string
  readonly subject: string | null
  readonly channel: Channel
  /** True for automatic mail, whose tier is always `cold`. */
  readonly auto: boolean
  readonly hasName: boolean
  readonly hasEmail: boolean
  readonly hasPhone: boolean
  /** True when the contact was known before this message. */
  readonly returning: boolean
  /** Null when the message has no classification. */
  readonly classification: Classification | null
}

/** One component of a score. */
export class ScoreFactor extends Schema.Opaque<ScoreFactor>()(
  Schema.Struct({
    name: Schema.String.annotate({
      description: "The cue in the message, for example `price_question`; `auto_mail` and `limit` are corrections"
    }),
    /** A whole number, possibly negative. */
    points: Schema.Finite.annotate({ description: "The points of this factor, a whole number, possibly negative" })
  })
) {}

/** The score of a message with its reasons. */
export class Score extends Schema.Opaque<Score>()(
  Schema.Struct({
    /** 0 to 100, the sum of the factors. */
    score: Schema.Finite.annotate({ description: "0 to 100, the sum of the factors" }),
    tier: Schema.Literals(tiers).annotate({ description: "The score compared with the tenant's thresholds" }),
    factors: Schema.Array(ScoreFactor).annotate({
      description: "The components of the score. Their points add up to the score"
    }),
    /** Recommended next steps, most urgent first. The function `recommend` defines their names. */
    recommendedActions: Schema.Array(Schema.String).annotate({
      description:
        "Recommended next steps, most urgent first, for example `call_now` or `send_quote`. Nothing is executed"
    })
  })
) {}

/** The analysed facts of one message. */
interface Reading {
  readonly facts: ScoreFacts
  readonly words: WordIndex
  readonly wordCount: number
  readonly wantsPrice: boolean
  readonly wantsDate: boolean
  readonly refuses: boolean
  readonly unsubscribes: boolean
}

const intentPoints: Readonly<Record<KnownIntent, number>> = {
  pricing: 20,
  booking: 25,
  purchase: 25,
  information: 5,
  support: 0,
  complaint: -5,
  cancellation: -15,
  unsubscribe: -60,
  spam: -60,
  other: 0
}
const urgencyPoints: Readonly<Record<Classification["urgency"], number>> = { high: 15, medium: 0, low: -5 }
const sentimentPoints: Readonly<Record<Classification["sentiment"], number>> = { positive: 5, neutral: 0, negative: -5 }
const channelPoints: Readonly<Record<Channel, number>> = { voice: 10, sms: 5, chat: 5, email: 0, webhook: 0 }

const intentScore = (intent: string): number =>
  Object.entries(intentPoints).find(([known]) => known === intent)?.[1] ?? 0

const has = (reading: Reading, phrases: ReadonlyArray<Phrase>): boolean => countPhrases(reading.words, phrases) > 0

/**
 * A heuristic that gives points. If there is a classification, it replaces the search for words about the same topic.
 */
interface Cue {
  readonly name: string
  readonly points: (reading: Reading) => number
}

const when = (applies: boolean, points: number): number => (applies ? points : 0)

const cues: ReadonlyArray<Cue> = [
  { name: "inbound", points: () => 20 },
  { name: "intent", points: ({ facts: { classification: c } }) => (c ? c.confidence * intentScore(c.intent) : 0) },
  { name: "buying_words", points: (r) => when(r.facts.classification === null && !r.refuses && has(r, purchase), 20) },
  { name: "appointment_words", points: (r) => when(r.facts.classification === null && r.wantsDate, 15) },
  { name: "price_question", points: (r) => when(r.wantsPrice, 15) },
  {
    name: "urgency",
    points: (r) => {
      const { classification } = r.facts
      if (classification) return classification.confidence * urgencyPoints[classification.urgency]
      if (has(r, unhurried)) return urgencyPoints.low
      return when(has(r, urgent), urgencyPoints.high)
    }
  },
  {
    name: "sentiment",
    points: ({ facts: { classification: c } }) => (c ? c.confidence * sentimentPoints[c.sentiment] : 0)
  },
  { name: "question", points: (r) => when(/[?？¿؟]/u.test(r.facts.text), 5) },
  { name: "has_phone", points: (r) => when(r.facts.hasPhone, 10) },
  { name: "has_email", points: (r) => when(r.facts.hasEmail, 5) },
  { name: "has_name", points: (r) => when(r.facts.hasName, 5) },
  { name: "channel", points: (r) => channelPoints[r.facts.channel] },
  { name: "returning_contact", points: (r) => when(r.facts.returning, 10) },
  { name: "detailed", points: (r) => when(r.wordCount >= 25, 5) },
  { name: "very_short", points: (r) => when(r.wordCount < 3, -10) },
  { name: "refusal", points: (r) => when(r.refuses, -40) },
  { name: "unsubscribe", points: (r) => when(r.unsubscribes, -60) },
  { name: "spam_words", points: (r) => when(countPhrases(r.words, spam) >= 2, -50) }
]

/** The names of the factors for which a tenant can set a weight. */
export const scoreFactorNames: ReadonlyArray<string> = cues.map((cue) => cue.name)

const readFacts = (facts: ScoreFacts): Reading => {
  const words = indexWords(`${facts.subject ?? ""} ${facts.text}`)
  return {
    facts,
    words,
    wordCount: countWords(words.words),
    wantsPrice: countPhrases(words, pricing) > 0 || facts.classification?.intent === "pricing",
    wantsDate: countPhrases(words, booking) > 0 || facts.classification?.intent === "booking",
    refuses: countPhrases(words, refusal) > 0,
    unsubscribes: countPhrases(words, unsubscribe) > 0
  }
}

const recommend = ({ facts, wantsPrice, wantsDate, unsubscribes }: Reading, tier: Tier): ReadonlyArray<string> => {
  if (facts.auto) return ["do_not_reply"]
  if (unsubscribes || facts.classification?.intent === "unsubscribe") return ["honour_opt_out", "do_not_reply"]
  const actions: Array<string> = []
  if (tier === "hot") actions.push(facts.hasPhone ? "call_now" : "reply_now")
  if (tier === "warm") actions.push("reply_today")
  if (wantsPrice) actions.push("send_quote")
  if (wantsDate) actions.push("offer_appointment")
  if (!facts.hasEmail && !facts.hasPhone) actions.push("ask_for_contact_details")
  if (tier === "cold") actions.push("nurture")
  return actions
}

/** The maximum weight. Scores are limited to 100, so a higher weight has no effect. */
const maxWeight = 100

const weightOf = (weights: Readonly<Record<string, number>>, name: string): number => {
  const weight = Object.hasOwn(weights, name) ? weights[name] : 1
  return weight === undefined || Number.isNaN(weight) ? 1 : Math.min(maxWeight, Math.max(0, weight))
}

/**
 * Scores a message with heuristics. Equal input gives an equal score, and the points of the factors add up to the
 * score. The points of each cue are multiplied by the tenant's weight for it (default 1, minimum 0) and rounded. Two
 * factors have no weight: `auto_mail` keeps automatic mail below `warm`, and `limit` keeps the sum within 0 to 100. The
 * word lists are English. Messages in other languages get points from the other cues or from a classification.
 */
export const scoreMessage = (
  facts: ScoreFacts,
  thresholds: Thresholds = defaultThresholds,
  weights: Readonly<Record<string, number>> = {}
): Score => {
  const reading = readFacts(facts)
  const factors: Array<ScoreFactor> = []
  let score = 0
  const add = (name: string, points: number): void => {
    if (points === 0) return
    factors.push({ name, points })
    score += points
  }
  for (const { name, points } of cues) add(name, Math.round(points(reading) * weightOf(weights, name)))
  if (facts.auto) add("auto_mail", Math.min(0, Math.ceil(thresholds.warm) - 1 - score))
  add("limit", Math.min(100, Math.max(0, score)) - score)
  const tier = facts.auto ? "cold" : tierOf(score, thresholds)
  return { score, tier, factors, recommendedActions: recommend(reading, tier) }
}

/** One stored score of a lead. Later scores do not replace it. */
export class ScoreRecord extends Schema.Opaque<ScoreRecord>()(
  Schema.Struct({
    ...Score.fields,
    scoreId: ScoreId.annotate({
      description: "Id of this scoring; earlier and later scores of the lead have their own ids"
    }),
    tenantId: Schema.String,
    leadId: LeadId.annotate({ description: "The scored lead" }),
    messageId: Schema.NullOr(MessageId).annotate({ description: "The message that was scored" }),
    signalId: Schema.NullOr(SignalId).annotate({
      description: "The pipeline run; null: the score was requested directly"
    }),
    /** Null when the tenant has no classifier. */
    classification: Schema.NullOr(Classification).annotate({
      description: "The classification that the score used; null: the tenant has no classifier"
    }),
    createdAt: Time.annotate({ description: "The time of the scoring (ISO 8601 in UTC)" })
  })
) {}
