import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  evaluateGuardrails,
  evaluateText,
  type GuardSubject
} from "../../../src/domain/guardrail/EvaluateGuardrails.ts"
import { checkGuardrails } from "../../../src/domain/guardrail/CheckGuardrails.ts"
import { containsLink } from "../../../src/domain/guardrail/Links.ts"
import { containsPhrase, readPhrase, readWords } from "../../../src/domain/guardrail/Phrases.ts"
import { plainText } from "../../../src/domain/guardrail/PlainText.ts"
import { containsPrice } from "../../../src/domain/guardrail/Prices.ts"
import { type Guardrail, guardOutcomes } from "../../../src/domain/guardrail/Guardrail.ts"

const links: ReadonlyArray<string> = [
  "see https://shop.example/x",
  "EVIL.COM",
  "go to evil.com now",
  "evil.com.",
  "evil[.]com",
  "evil (dot) com",
  "evil{.}co",
  "evil dot com",
  "evil . com",
  "visit evil. com",
  "hxxp://evil.example",
  "h t t p s : / / evil . com",
  "ｅｖｉｌ．ｃｏｍ",
  "evil\u200b.\u200bcom",
  "evil\u00ad.com",
  "e\u0336v\u0336i\u0336l.com",
  "evil。com",
  "evil․com",
  "evil·com",
  "http:\u2215\u2215evil.com",
  "www.evil.example",
  "пример.рф",
  "münchen.de/x",
  "例え.jp",
  "xn--80ak6aa92e.com",
  "t.me/abc",
  "bit.ly/3x",
  "//evil.com/x",
  "[here](evil)",
  '<a href="x">',
  "203.0.113.9/login",
  "me@evil.com/login",
  "evil punto com"
]

/** Ordinary sentences with dots, slashes and numbers. */
const noLinks: ReadonlyArray<string> = [
  "see you at 10.30",
  "we open at 9.am",
  "v2.1",
  "version 2.1.3",
  "1.2.3.4",
  "Mr. Co",
  "Meet at St. Co",
  "e.g. me and you",
  "Thanks.Me too",
  "See you.In the morning",
  "Yes.No.Maybe",
  "B.Sc. in Math",
  "Ph.D.",
  "U.S. team",
  "a.m. or p.m.",
  "write to sales@acme.com",
  "10.000 items",
  "approx. 3.5 m",
  "the file contract.pdf",
  "...and so on",
  "either/or and 24/7",
  "ratio 1:2",
  "the dot com bubble",
  "polka dot me",
  "z.B. morgen, d.h. übermorgen",
  "Tel. 030.123.456",
  "価格です。よろしく",
  "请稍等。谢谢",
  "Нет. Да.",
  "He said: //TODO"
]

const prices: ReadonlyArray<string> = [
  "$500",
  "$\u200b500",
  "＄５００",
  "💲50",
  "500 €",
  "1.500,-€",
  "٥٠٠ €",
  "US$ 20",
  "R$ 50",
  "USD 500",
  "ＵＳＤ５００",
  "EUR: 500",
  "20k usd",
  "1.000,00 EUR",
  "CHF 50.-",
  "Rs. 500",
  "500 kr",
  "100 zł",
  "500 руб.",
  "500円",
  "20 dollars",
  "100-dollar fee",
  "5 0 0 dollars",
  "five hundred dollars",
  "five hundred (500) dollars",
  "fifty bucks",
  "fünfzig Euro",
  "cien pesos",
  "50 pence",
  "price: 500",
  "the cost is 450"
]

const noPrices: ReadonlyArray<string> = [
  "see you at 10.30",
  "v2.1",
  "room 500",
  "we have 3 teams",
  "my two cents",
  "10 pounds of flour",
  "call 030 1234567",
  "open 9 to 5",
  "10% off",
  "the price is on the quote",
  "CAD 2024 drawings",
  "PHP 8.2",
  "try 2 options",
  "euro 6 engine",
  "10 real people",
  "we won 3 awards",
  "Windows 10 Pro"
]

describe("a link", () => {
  it.each(links)("is found in: %s", (text) => expect(containsLink(text)).toBe(true))
  it.each(noLinks)("is not found in: %s", (text) => expect(containsLink(text)).toBe(false))
})

describe("a price", () => {
  it.each(prices)("is found in: %s", (text) => expect(containsPrice(text)).toBe(true))
  it.each(noPrices)("is not found in: %s", (text) => expect(containsPrice(text)).toBe(false))
})

const holds = (text: string, phrase: string): boolean => {
  const read = readPhrase(phrase)
  return read !== null && containsPhrase(readWords(text), read)
}

describe("a blocked phrase", () => {
  it.each([
    ["We GUARANTEE it", "guarantee"],
    ["we don’t do refunds", "don't do refunds"],
    ["a free-trial, today", "free trial"],
    ["free\n  trial", "free trial"],
    ["ｇｕａｒａｎｔｅｅ", "guarantee"],
    ["guar\u200bantee", "guarantee"],
    ["guar\u00adantee", "guarantee"],
    ["guarаntее with Cyrillic letters", "guarantee"],
    ["g\u0336u\u0336a\u0336r\u0336antee", "guarantee"],
    ["it is f r e e here", "free"],
    ["it is F.R.E.E.", "free"],
    ["refund g1ven, n0thing lost", "nothing lost"],
    ["Das ist GARANTIERT", "garantiert"],
    ["STRASSE 5", "Straße"],
    ["İSTANBUL", "istanbul"],
    ["é gratuito", "gratuito"],
    ["Это бесплатно!", "бесплатно"],
    ["我们免费安装", "免费"],
    ["送料無料です", "無料"],
    ["هذا مجاني", "مجاني"],
    ["यह मुफ़्त है", "मुफ़्त"]
  ])("is found in %s", (text, phrase) => expect(holds(text, phrase)).toBe(true))

  it.each([
    ["a freelance plumber", "free"],
    ["carefree", "free"],
    ["das ist schon da", "schön"],
    ["vitamins B C D E", "bc"],
    ["we guarantee", "guaranteed"],
    ["f r e s h", "free"],
    ["", "free"]
  ])("is not found in %s", (text, phrase) => expect(holds(text, phrase)).toBe(false))

  it("is found at any position, in any case and despite invisible characters", () => {
    const word = fc.stringMatching(/^[a-z]{4,10}$/u)
    const hidden = fc.constantFrom("", "\u200b", "\u200d", "\ufeff", "\u2060", "\u00ad", "\u034f", "\ufe0f")
    fc.assert(
      fc.property(word, hidden, fc.array(word), fc.array(word), fc.boolean(), (phrase, trick, before, after, upper) => {
        const disguised = [...(upper ? phrase.toUpperCase() : phrase)].join(trick)
        expect(holds([...before, disguised, ...after].join(" "), phrase)).toBe(true)
      })
    )
  })

  it("is not found inside other words", () => {
    const word = fc.stringMatching(/^[a-m]{5,10}$/u)
    fc.assert(
      fc.property(fc.array(word), fc.stringMatching(/^[n-z]{4,8}$/u), (words, phrase) => {
        expect(holds(words.join(" "), phrase)).toBe(false)
      })
    )
  })
})

describe("normalising a text", () => {
  it("is idempotent", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => plainText(plainText(text)) === plainText(text)))
  })

  it("leaves plain English unchanged", () => {
    fc.assert(fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => plainText(text) === text))
  })

  // A slow expression exceeds the time limit of the test.
  it.each(["a-", "1 ", "a.", "evil . ", "$", "h ", "(", "//", "a@", "\u200b", "five ", "http"])(
    "finds nothing in a long text of %j",
    (part) => {
      const text = part.repeat(200_000 / part.length)
      expect([containsLink(text), containsPrice(text), holds(text, "guarantee")]).toEqual([false, false, false])
    }
  )
})

describe("a search in a long text", () => {
  /** The position at which a search moves from one piece to the next. */
  const edge = 16_384
  const filler = (length: number): string => "b ".repeat(length / 2)

  it("finds a match across two pieces, at any start", () => {
    const long = `${"a".repeat(60)}.`.repeat(3)
    for (const link of ["see evil.com now", "h t t p s : / / x", '<a href="x">', `${long}com `]) {
      for (let before = 0; before <= link.length; before += 2) {
        expect(containsLink(`${filler(edge - before)}${link}${filler(3 * edge)}`)).toBe(true)
      }
    }
    for (let before = 0; before <= 30; before += 2) {
      expect(containsPrice(`${filler(edge - before)}five  hundred dollars 1 2 0 0 euros${filler(2 * edge)}`)).toBe(true)
    }
  })

  it("does not report a part of a word or address as a match", () => {
    for (let before = 0; before <= 30; before++) {
      const beginning = "b".repeat(edge - before)
      expect(containsLink(`${beginning} jane.miller@evil.com ${filler(2 * edge)}`)).toBe(false)
      expect(containsPrice(`${beginning}excost is 12, 20 kinds, 12 dollarsigns ${filler(2 * edge)}`)).toBe(false)
    }
  })
})

const subject: GuardSubject = {
  text: "See you tomorrow.",
  classification: { intent: "complaint", urgency: "low", sentiment: "neutral", summary: "", confidence: 0.5 },
  tier: "warm",
  repliesToday: 2,
  time: { hour: 23, minuteOfDay: 23 * 60, weekday: "mon", date: "2026-03-02" }
}

const outcomeOf = (guardrail: Guardrail, more: Partial<GuardSubject> = {}) =>
  evaluateGuardrails([guardrail], { ...subject, ...more }).outcome

describe("guardrails", () => {
  const quiet = { id: "q", kind: "quiet_hours", from: "22:00", to: "07:00" } as const
  const time = (weekday: string, clock: string) => ({
    time: {
      hour: Number(clock.slice(0, 2)),
      minuteOfDay: Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3)),
      weekday,
      date: "2026-03-02"
    }
  })

  it.each([
    ["21:59", "allow"],
    ["22:00", "require_approval"],
    ["00:00", "require_approval"],
    ["06:59", "require_approval"],
    ["07:00", "allow"]
  ])("apply quiet hours across midnight: %s is %s", (clock, outcome) =>
    expect(outcomeOf(quiet, time("mon", clock))).toBe(outcome)
  )

  it.each([
    ["fri", "23:00", "require_approval"],
    ["sat", "06:00", "require_approval"],
    ["sat", "23:00", "allow"],
    ["fri", "06:00", "allow"]
  ])("apply quiet hours that start on a weekday: %s %s is %s", (weekday, clock, outcome) =>
    expect(outcomeOf({ ...quiet, days: ["fri"] }, time(weekday, clock))).toBe(outcome)
  )

  it.each<readonly [Guardrail, Partial<GuardSubject>, string]>([
    [{ id: "g", kind: "max_replies_per_contact_per_day", max: 2 }, {}, "require_approval"],
    [{ id: "g", kind: "max_replies_per_contact_per_day", max: 3 }, {}, "allow"],
    [{ id: "g", kind: "min_confidence", min: 0.5 }, {}, "allow"],
    [{ id: "g", kind: "min_confidence", min: 0.51, outcome: "block" }, {}, "block"],
    [{ id: "g", kind: "min_confidence", min: 0 }, { classification: null }, "require_approval"],
    [{ id: "g", kind: "require_approval_for_tiers", tiers: ["warm", "hot"] }, {}, "require_approval"],
    [{ id: "g", kind: "require_approval_for_tiers", tiers: ["hot"] }, {}, "allow"],
    [{ id: "g", kind: "blocked_intents", intents: ["Complaint"], outcome: "block" }, {}, "block"],
    [{ id: "g", kind: "blocked_intents", intents: ["spam"] }, {}, "allow"],
    [{ id: "g", kind: "blocked_intents", intents: ["spam"] }, { classification: null }, "allow"],
    [{ id: "g", kind: "no_links" }, { text: "evil.com" }, "require_approval"],
    [{ id: "g", kind: "no_prices", enabled: false }, { text: "$5" }, "allow"],
    [{ id: "g", kind: "blocked_phrases", phrases: ["tomorrow"], outcome: "block" }, {}, "block"]
  ])("%j of %j is %s", (guardrail, more, outcome) => expect(outcomeOf(guardrail, more)).toBe(outcome))

  it("return the strictest outcome and one evaluation each, none for disabled ones", () => {
    const guardrail = fc.record({
      enabled: fc.boolean(),
      holds: fc.boolean(),
      outcome: fc.constantFrom("require_approval" as const, "block" as const)
    })
    fc.assert(
      fc.property(fc.array(guardrail), (all) => {
        const guardrails = all.map(({ enabled, holds: found, outcome }, index): Guardrail => ({
          id: String(index),
          kind: "blocked_phrases",
          phrases: [found ? "tomorrow" : "yesterday"],
          enabled,
          outcome
        }))
        const said = all.filter(({ enabled }) => enabled).map((one) => (one.holds ? one.outcome : "allow"))
        const { evaluations, outcome } = evaluateGuardrails(guardrails, subject)
        expect(evaluations.map((one) => one.outcome)).toEqual(said)
        expect(outcome).toBe(guardOutcomes.findLast((known) => said.some((one) => one === known)) ?? "allow")
      })
    )
  })

  it("that need the context of a reply are skipped for a text alone", () => {
    const all: ReadonlyArray<Guardrail> = [quiet, { id: "l", kind: "no_links", outcome: "block" }]
    expect(evaluateText(all, "see evil.com")).toEqual({
      outcome: "block",
      evaluations: [{ guardrailId: "l", kind: "no_links", outcome: "block", reason: { code: "contains_link" } }]
    })
  })

  it("are rejected with the path of the error", () => {
    expect(
      checkGuardrails([
        { id: "a", kind: "no_links" },
        { id: "a", kind: "blocked_phrases", phrases: ["ok", "!!!"] }
      ]).map(({ path }) => path)
    ).toEqual(["1.id", "1.phrases.1"])
  })
})
