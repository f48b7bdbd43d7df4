import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Channel } from "../../../src/domain/Channel.ts"
import { scoreFactorNames, type ScoreFacts, scoreMessage } from "../../../src/domain/lead/Score.ts"
import {
  type Classification,
  knownIntents,
  sentiments,
  urgencies
} from "../../../src/domain/classification/Classification.ts"
import * as Vocabulary from "../../../src/domain/classification/Vocabulary.ts"

const plain: ScoreFacts = {
  text: "We met at the fair last Saturday.",
  subject: null,
  channel: "email",
  auto: false,
  hasName: false,
  hasEmail: false,
  hasPhone: false,
  returning: false,
  classification: null
}
const classified = (over: Partial<Classification>): Classification => ({
  intent: "other",
  urgency: "medium",
  sentiment: "neutral",
  summary: "",
  confidence: 1,
  ...over
})
const pointsOf = (facts: Partial<ScoreFacts>, weights?: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(
    scoreMessage({ ...plain, ...facts }, undefined, weights).factors.map(({ name, points }) => [name, points])
  )

/** Sentences of relevant words, so that the properties reach every cue. */
const words = fc.constantFrom(
  "hello",
  "roof",
  "?",
  ...Object.values(Vocabulary).flatMap((phrases) => phrases.slice(0, 3).map((phrase) => phrase.text))
)
const anyFacts: fc.Arbitrary<ScoreFacts> = fc.record({
  text: fc.array(words, { maxLength: 30 }).map((list) => list.join(" ")),
  subject: fc.option(words),
  channel: fc.constantFrom<Channel>("email", "sms", "voice", "chat", "webhook"),
  auto: fc.boolean(),
  hasName: fc.boolean(),
  hasEmail: fc.boolean(),
  hasPhone: fc.boolean(),
  returning: fc.boolean(),
  classification: fc.option(
    fc.record({
      intent: fc.constantFrom(...knownIntents, "unheard_of", "toString"),
      urgency: fc.constantFrom("low", "medium", "high"),
      sentiment: fc.constantFrom("negative", "neutral", "positive"),
      summary: fc.constant(""),
      confidence: fc.double({ min: 0, max: 1, noNaN: true })
    })
  )
})
const anyThresholds = fc.record({ hot: fc.double({ min: 0, max: 100, noNaN: true }), warm: fc.integer({ max: 100 }) })
const anyWeights = fc.dictionary(fc.constantFrom(...scoreFactorNames), fc.double())

describe("scoreMessage", () => {
  it("is the sum of its factors, an integer from 0 to 100, for any facts, thresholds and weights", () => {
    fc.assert(
      fc.property(anyFacts, anyThresholds, anyWeights, (facts, thresholds, weights) => {
        const { score, factors } = scoreMessage(facts, thresholds, weights)
        expect(factors.reduce((sum, factor) => sum + factor.points, 0)).toBe(score)
        expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true)
        expect(factors.every((factor) => Number.isInteger(factor.points) && factor.points !== 0)).toBe(true)
        expect(new Set(factors.map((factor) => factor.name)).size).toBe(factors.length)
      }),
      { numRuns: 500 }
    )
  })

  it("returns the same score for the same facts", () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        expect(scoreMessage(facts)).toEqual(scoreMessage(structuredClone(facts)))
      })
    )
  })

  it("keeps automatic mail cold and shows the deduction", () => {
    fc.assert(
      fc.property(anyFacts, anyThresholds, anyWeights, (facts, thresholds, weights) => {
        const { score, tier, recommendedActions } = scoreMessage({ ...facts, auto: true }, thresholds, weights)
        expect(tier).toBe("cold")
        expect(score).toBeLessThan(Math.max(1, thresholds.warm))
        expect(recommendedActions).toEqual(["do_not_reply"])
      })
    )
    const text = "I want to buy today, how much is it? Please call me back"
    const hot = { ...plain, text, hasPhone: true }
    expect(scoreMessage(hot).tier).toBe("hot")
    const { score, factors } = scoreMessage({ ...hot, auto: true })
    expect(score).toBe(39)
    expect(factors.find((factor) => factor.name === "auto_mail")?.points).toBeLessThan(-30)
  })

  it("scores an urgent buyer with a phone number as hot, a curious one as warm and small talk as cold", () => {
    const buyer = { text: "Our roof leaks. Can I get a quote today? I need a roofer.", hasPhone: true, hasName: true }
    expect(scoreMessage({ ...plain, ...buyer })).toEqual({
      score: 90,
      tier: "hot",
      factors: [
        { name: "inbound", points: 20 },
        { name: "buying_words", points: 20 },
        { name: "price_question", points: 15 },
        { name: "urgency", points: 15 },
        { name: "question", points: 5 },
        { name: "has_phone", points: 10 },
        { name: "has_name", points: 5 }
      ],
      recommendedActions: ["call_now", "send_quote"]
    })
    const curious = scoreMessage({ ...plain, text: "I am interested in your services.", hasEmail: true })
    expect(curious).toMatchObject({ score: 45, tier: "warm", recommendedActions: ["reply_today"] })
    const idle = scoreMessage(plain)
    expect(idle).toMatchObject({
      score: 20,
      tier: "cold",
      recommendedActions: ["ask_for_contact_details", "nurture"]
    })
  })

  it("gives an opt-out priority over everything else", () => {
    const text = "Great prices! But please stop emailing me, I want to buy nothing today"
    expect(scoreMessage({ ...plain, text, hasPhone: true, returning: true })).toMatchObject({
      tier: "cold",
      recommendedActions: ["honour_opt_out", "do_not_reply"]
    })
  })

  it.each<[string, Partial<ScoreFacts>, number]>([
    ["appointment_words", { text: "could we schedule something" }, 15],
    ["price_question", { subject: "Price list" }, 15],
    ["price_question", { classification: classified({ intent: "pricing" }) }, 15],
    ["urgency", { text: "please answer, there is no rush" }, -5],
    ["question", { text: "where are you؟" }, 5],
    ["has_email", { hasEmail: true }, 5],
    ["channel", { channel: "voice" }, 10],
    ["channel", { channel: "sms" }, 5],
    ["returning_contact", { returning: true }, 10],
    ["detailed", { text: "word ".repeat(25) }, 5],
    ["very_short", { text: "ok" }, -10],
    ["refusal", { text: "sorry, I am not interested" }, -40],
    ["spam_words", { text: "we sell backlinks and seo" }, -50],
    ["intent", { classification: classified({ intent: "purchase", confidence: 0.5 }) }, 13],
    ["urgency", { classification: classified({ urgency: "high", confidence: 0.5 }) }, 8],
    ["sentiment", { classification: classified({ sentiment: "negative" }) }, -5]
  ])("gives %s for %j", (name, facts, points) => {
    expect(pointsOf(facts)[name]).toBe(points)
  })

  it("adds the points of each intent and mood of a confident classification", () => {
    const worth = knownIntents.map((intent) => [
      intent,
      pointsOf({ classification: classified({ intent }) })["intent"] ?? 0
    ])
    expect(Object.fromEntries(worth)).toEqual({
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
    })
    const moods = sentiments.map(
      (sentiment) => pointsOf({ classification: classified({ sentiment }) })["sentiment"] ?? 0
    )
    expect(moods).toEqual([-5, 0, 5])
    const hurry = urgencies.map((urgency) => pointsOf({ classification: classified({ urgency }) })["urgency"] ?? 0)
    expect(hurry).toEqual([-5, 0, 15])
  })

  it.each<[string, Partial<ScoreFacts>]>([
    ["buying_words", { text: "sorry, I am not interested" }],
    ["buying_words", { text: "I want to buy", classification: classified({}) }],
    ["appointment_words", { text: "an appointment", classification: classified({}) }],
    ["urgency", { text: "today", classification: classified({}) }],
    ["spam_words", { text: "is seo included?" }],
    ["detailed", { text: "word ".repeat(24) }],
    ["very_short", { text: "three short words" }]
  ])("does not give %s for %j", (name, facts) => {
    expect(pointsOf(facts)[name]).toBeUndefined()
  })

  it("multiplies a factor by the tenant's weight, never below zero", () => {
    const facts = { hasPhone: true }
    expect(pointsOf(facts, { has_phone: 2.25 })["has_phone"]).toBe(23)
    expect(pointsOf(facts, { has_phone: 0 })["has_phone"]).toBeUndefined()
    expect(pointsOf(facts, { has_phone: -3 })["has_phone"]).toBeUndefined()
    expect(pointsOf(facts, { has_phone: Number.NaN })["has_phone"]).toBe(10)
    expect(pointsOf(facts, { has_phone: Number.POSITIVE_INFINITY })["limit"]).toBe(-920)
    expect(pointsOf(facts, { other: 9 })["has_phone"]).toBe(10)
  })
})
