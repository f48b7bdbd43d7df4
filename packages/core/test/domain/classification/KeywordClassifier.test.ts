import * as fc from "fast-check"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { Classification } from "../../../src/domain/classification/Classification.ts"
import { classifyByKeywords, keywordsVersion } from "../../../src/domain/classification/KeywordClassifier.ts"
import * as Vocabulary from "../../../src/domain/classification/Vocabulary.ts"

const intents: ReadonlyArray<readonly [intent: string, text: string]> = [
  ["pricing", "How much would a new roof cost? I would like a free estimate."],
  ["booking", "Can I get an appointment on Friday, or any other time slot?"],
  ["purchase", "We are ready to start and would like to order."],
  ["information", "Could you tell me more about your opening hours?"],
  ["support", "My heater stopped working, please help with this problem"],
  ["complaint", "This is unacceptable, I want my money back"],
  ["cancellation", "Please close my account and end my contract"],
  ["unsubscribe", "Please remove me from this"],
  ["spam", "We sell SEO and backlinks, rank higher"],
  ["other", "Is seo a sea creature"],
  ["other", "Grüße aus Köln"],
  ["other", ""]
]

describe.each([1, 2])("classifyByKeywords, version %i", (version) => {
  const classify = (text: string, subject: string | null = null) => classifyByKeywords({ text, subject }, version)

  it.each(intents)("finds %s in %j", (intent, text) => {
    expect(classify(text).intent).toBe(intent)
  })

  it("includes the subject", () => {
    expect(classify("See below", "Price list please").intent).toBe("pricing")
  })

  it("prefers an opt-out in a tie", () => {
    expect(classify("unsubscribe, or give me a discount").intent).toBe("unsubscribe")
  })

  it.each([
    ["high", "My basement is flooded"],
    ["high", "Answer me!!"],
    ["low", "Today or tomorrow, no rush"],
    ["medium", "I have a roof"]
  ])("finds %s urgency in %j", (urgency, text) => {
    expect(classify(text).urgency).toBe(urgency)
  })

  it.each([
    ["positive", "Great work, I love it"],
    ["negative", "The service was terrible"],
    ["negative", "I am not happy"],
    ["negative", "Still waiting. Thanks!"],
    ["positive", "That is not bad"],
    ["neutral", "The roof is red"]
  ])("finds a %s mood in %j", (sentiment, text) => {
    expect(classify(text).sentiment).toBe(sentiment)
  })

  it("is more confident when more words indicate the intent", () => {
    expect(classify("price").confidence).toBe(0.5)
    expect(classify("price, cost, fee").confidence).toBe(0.75)
    expect(classify("price, appointment").confidence).toBe(0.33)
    expect(classify("roof").confidence).toBe(0.2)
  })

  it("summarises with the first meaningful sentence, cut at a word", () => {
    expect(classify("Hi!\n\nMy roof is  leaking badly. Please come.").summary).toBe("My roof is leaking badly.")
    expect(classify("Hi", "Roof").summary).toBe("Roof")
    expect(classify("Hi").summary).toBe("Hi")
    expect(classify("Dear Ann and Bob. My roof is leaking.").summary).toBe("Dear Ann and Bob.")
    expect(classify("Dear Ann Lee. My roof is leaking.").summary).toBe("My roof is leaking.")
    expect(classify("x".repeat(140)).summary).toBe("x".repeat(140))
    expect(classify("x".repeat(141)).summary).toBe(`${"x".repeat(139)}…`)
    const { summary } = classify("word ".repeat(100))
    expect(summary).toMatch(/^(?:word )+word…$/u)
    expect(summary.length).toBeLessThanOrEqual(140)
  })

  it("always returns a valid classification, and the same one for the same message", () => {
    const words = fc.constantFrom(
      ...Object.values(Vocabulary).flatMap((phrases) => phrases.map((phrase) => phrase.text)),
      ".",
      "!",
      "not",
      "\n",
      "👍🏽"
    )
    const text = fc.oneof(
      fc.array(words).map((list) => list.join(" ")),
      fc.string({ unit: "binary", maxLength: 300 })
    )
    fc.assert(
      fc.property(text, fc.option(text), (body, subject) => {
        const classification = classifyByKeywords({ text: body, subject }, version)
        expect(Schema.is(Classification)(classification)).toBe(true)
        expect(classification.summary.length).toBeLessThanOrEqual(140)
        const cut = /\p{Cs}/u.test(classification.summary)
        expect(cut && !/\p{Cs}/u.test(`${body}${subject}`)).toBe(false)
        expect(classifyByKeywords({ text: body, subject }, version)).toEqual(classification)
      })
    )
  })
})

/** Frozen: runs that stored no version must be replayed with these results. */
const firstVersion: ReadonlyArray<readonly [text: string, ...found: ReadonlyArray<string | number>]> = [
  ["Terrible tooth pain since yesterday", "complaint", "medium", "negative", 0.5],
  ["Our roof leaks", "other", "medium", "neutral", 0.2],
  ["I do not want to cancel", "cancellation", "medium", "neutral", 0.5],
  ["Please cancel, we are flooded today and I need a quote", "cancellation", "high", "neutral", 0.25],
  ["Hiermit kündige ich", "other", "medium", "neutral", 0.2],
  ["Thanks for your help, no rush", "support", "low", "positive", 0.5]
]

/** Frozen from the release of version 2 on, like the table above. */
const secondVersion: typeof firstVersion = [
  ["Terrible tooth pain since yesterday", "support", "high", "negative", 0.83],
  ["Our roof leaks", "support", "high", "neutral", 0.8],
  ["I do not want to cancel", "other", "medium", "neutral", 0.2],
  ["Please cancel, we are flooded today and I need a quote", "cancellation", "high", "neutral", 0.29],
  ["Hiermit kündige ich", "cancellation", "medium", "neutral", 0.67],
  ["Thanks for your help, no rush", "support", "low", "positive", 0.5]
]

describe("the versions of the built-in classifier", () => {
  it.each([
    [1, firstVersion],
    [2, secondVersion]
  ] as const)("version %i has fixed results", (version, table) => {
    const found = table.map(([text]) => {
      const { confidence, intent, sentiment, urgency } = classifyByKeywords({ text, subject: null }, version)
      return [text, intent, urgency, sentiment, confidence]
    })
    expect(found).toEqual(table)
  })

  it("decides new messages with the newest version", () => {
    const text = "Hiermit kündige ich"
    expect(classifyByKeywords({ text, subject: null })).toEqual(
      classifyByKeywords({ text, subject: null }, keywordsVersion)
    )
    expect(keywordsVersion).toBe(2)
  })
})

describe("negation", () => {
  const classify = (text: string) => classifyByKeywords({ text, subject: null })

  it.each([
    ["other", "I don't want to cancel."],
    ["cancellation", "I don't have time, please cancel."],
    ["cancellation", "Not angry, but I cancel."],
    ["other", "Ich kündige nicht."],
    ["cancellation", "Ich komme nicht, ich kündige."],
    ["other", "Je ne veux pas annuler."],
    ["cancellation", "Je n'ai plus le temps, je dois annuler."],
    ["other", "No quiero cancelar."],
    ["other", "Non voglio annullare."],
    ["pricing", "I don't know how much it costs."]
  ])("finds %s in %j", (intent, text) => {
    expect(classify(text).intent).toBe(intent)
  })

  it.each([
    ["high", "My cheek is swollen"],
    ["medium", "There is no swelling"],
    ["medium", "The swelling is gone"],
    ["high", "The swelling is gone. Now the gum is bleeding"],
    ["low", "It is not urgent"],
    ["high", "The roof leaks, no rush"]
  ])("finds %s urgency in %j", (urgency, text) => {
    expect(classify(text).urgency).toBe(urgency)
  })
})
