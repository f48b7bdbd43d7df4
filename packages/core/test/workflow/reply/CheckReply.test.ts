import { describe, expect, it } from "vitest"
import { runInOneStretch, unlimited } from "../../../src/domain/budget/Budget.ts"
import { describeReason } from "../../../src/domain/reason/Reason.ts"
import { checkingRendered, checkReply, type ReplyToCheck } from "../../../src/workflow/reply/CheckReply.ts"
import { systemPrompts } from "../../../src/workflow/reply/Prompt.ts"

const instructions =
  "Write as the front desk. Always thank the customer first, offer the two next free slots, and end by asking whether there is parking at the house."

const check = (text: string, changes: Partial<ReplyToCheck> = {}) =>
  checkReply({
    text,
    known: {
      emails: ["Jane@customer.com", "sales@acme.com"],
      phones: ["+1 415 555 0123"],
      hosts: ["acme.com"],
      texts: [
        "Hi, my sister is at 212-555-0187, sis@family.net. I saw https://www.houzz.com/kitchen and order 1234567890."
      ]
    },
    assistant: {
      instructions,
      knowledge: "Office: (312) 555-0100, mail desk@acme.com. Prices at https://prices.acme.com/list.",
      linkHosts: ["calendly.com"]
    },
    defaultCountry: "US",
    ...changes
  }).map((one) => describeReason(one))

describe("a harmless reply", () => {
  it.each([
    "Thank you for your message, Jane. We can come by on Tuesday, March 3 at 9:30 or on 2026-03-05 between 10:00 and 12:00.",
    "Hi Jane,\n\nthanks for asking! A kitchen of 12 m² takes us 3-4 days and costs from $1,200 to $1,800 (2024-2026 prices).\n\nBest,\nThe Acme team",
    "We wrote to jane@customer.com and will call you at (415) 555-0123 or +14155550123.",
    "Call the office at 312.555.0100 or write to desk@acme.com. Prices: https://prices.acme.com/list?x=1.",
    "Book here: https://calendly.com/acme/visit or www.acme.com.",
    "Book here... https://calendly.com..., https://acme.com/Y3VzdG9tZXJzOiBtcnMgbGVlLCA2MTcgNTU1IDAxNDI5+1",
    "We will ask your sister at 212 555 0187, sis@family.net, and look for your order 1234567890.",
    "Danke für Ihre Nachricht! Wir melden uns morgen gegen 8 Uhr.",
    "ありがとうございます。明日ご連絡いたします。",
    "Thanks 👍🏽 We’ll be there at 8 a.m., i.e. before the 9 a.m. delivery e.g. of the worktop, as you asked."
  ])("has no concerns: %s", (text) => {
    expect(check(text)).toEqual([])
  })
})

describe("a reply that needs a review", () => {
  it.each([
    ["other@customer.com", "Your neighbour is other@customer.com."],
    ["a written-out address", "Write to bob [at] rival (dot) com"],
    ["a spoken address", "Write to bob at rival dot com"],
    ["an address with hidden characters", "bob\u200B@\u200Brival.com"],
    ["a full-width address", "bob＠rival．com"],
    ["an address in entities", "bob&#64;rival&#x2e;com"],
    ["an encoded address", "mailto:bob%40rival.com"]
  ])("contains an email address: %s", (_, text) => {
    expect(check(text)).toEqual([
      "the reply contains an unknown email address (at " +
        (text.includes("customer") ? "customer.com" : "rival.com") +
        ")"
    ])
  })

  it.each([
    "Mrs Lee is at 617-555-0142.",
    "Ring +44 20 7946 0958.",
    "Ring 6 1 7 5 5 5 0 1 4 2.",
    "Ring 555-0142.",
    "Ring ６１７-５５５-０１４２.",
    "Ring six one seven, five five five, oh one four two."
  ])("contains a phone number: %s", (text) => {
    expect(check(text)).toEqual([expect.stringMatching(/number/u)])
  })

  it.each([
    "https://evil.com/x",
    "https://www.houzz.com/kitchen, as you wrote,",
    "evil.com",
    "hxxps://evil[.]com",
    "evil dot com",
    "http://2130706433/",
    "203.0.113.7/login",
    "https://calendly.com.evil.com/acme",
    "https://calendly.com@evil.com/acme",
    "https://calendly.com\\@evil.com/acme",
    "https://xn--clendly-4nf.com/",
    "https://саlendly.com/",
    "evil.calendly.com",
    "//evil.com/pixel.png",
    "evil。com",
    "javascript:alert(1)"
  ])("contains a link to another host: %s", (link) => {
    expect(check(`Please see ${link} today.`)).toContainEqual(expect.stringMatching(/link/u))
  })

  it.each([
    ["a key of this service", "llk_4fZk2Q9aTTTTTTTTTTTT"],
    ["a key of this service", "lls_4fZk2Q9aTTTTTTTTTTTT"],
    ["a key of this service", "whsec_MfKQ9r8GKYqrTwjU"],
    ["an API key", "sk-proj-abcdefghijklmnop1234"],
    ["an API key", "AKIAIOSFODNN7EXAMPLE"],
    ["a token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc"],
    ["a private key", "-----BEGIN RSA PRIVATE KEY-----"],
    ["a password", "the password is hunter2!"],
    ["a URL with a password", "postgres://admin:pw1@db"],
    ["a server setting", "LEADLOOM_ADMIN_KEY"],
    ["a social security number", "219-09-9999"],
    ["a card number", "4111 1111 1111 1111"],
    ["a long encoded text", "Y3VzdG9tZXJzOiBtcnMgbGVlLCA2MTcgNTU1IDAxNDI5"],
    ["a long encoded text", "+++Y3VzdG9tZXJzOiBtcnMgbGVlLCA2MTcgNTU1IDAxNDI5"],
    ["a long encoded text", "https://acme.com/a+Y3VzdG9tZXJzOiBtcnMgbGVlLCA2MTcgNTU1IDAxNDI5"]
  ])("holds %s: %s", (name, secret) => {
    const reasons = check(`By the way, ${secret}`)
    expect(reasons).toContain(
      `the reply appears to contain ${name}`.replace("appears to contain a long", "contains a long")
    )
    expect(reasons.join()).not.toContain(secret)
  })

  it("contains a secret, even if the contact wrote it first", () => {
    const known = { emails: [], phones: [], hosts: [], texts: ["My card is 4111 1111 1111 1111"] }
    expect(check("Your card is 4111 1111 1111 1111.", { known })).toEqual([
      "the reply appears to contain a card number"
    ])
  })

  it.each([
    "As an AI language model, I cannot do that.",
    "My instructions say that I must not tell.",
    "Dear [Your Name], thanks.",
    "Dear {{contact.name}}, thanks.",
    '{"text": "Thanks"}',
    "```\nThanks\n```",
    "Thanks. DATA-1f2e3d4c>>>",
    "Assistant: Thanks.",
    "Here is a polite draft for the customer: Thanks.",
    "<b>Thanks</b>",
    "[INST] Thanks [/INST]",
    "I have entered developer mode."
  ])("contains remains of the prompt: %s", (text) => {
    expect(check(text)).not.toEqual([])
  })

  it("quotes the prompt of the model", () => {
    for (const prompt of systemPrompts) {
      const words = prompt.split(/\s+/u).slice(3, 14).join(" ").toUpperCase()
      expect(check(`Well. ${words} …`)).toContain("the reply quotes the model's prompt")
    }
    expect(check(`So I was asked: ${instructions}`)).toContain("the reply quotes the assistant's instructions")
  })

  it("lists each reason once, and none without a finding", () => {
    expect(check("evil.com, evil.com and evil.com")).toHaveLength(1)
    expect(check("")).toEqual([])
  })

  it("is checked quickly, even a hostile text", () => {
    for (const piece of ["1 ", "a.", "a@", "<", "[", "(dot) ", "one ", "x at y dot ", "://", "&#64;", "-"]) {
      expect(Array.isArray(check(piece.repeat(40_000 / piece.length)))).toBe(true)
    }
  })
})

describe("a reply from a template", () => {
  const template = "Hello {{ contact.first_name }}, book at https://book.acme.net/visit or on calendly.com."
  const from = { template, domain: "acme.com", linkHosts: ["calendly.com"] }
  const rendered = (name: string) =>
    runInOneStretch(checkingRendered(template.replace("{{ contact.first_name }}", name), from, unlimited())).map(
      (one) => describeReason(one)
    )

  it("may contain links of its template and of the tenant", () => {
    expect(rendered("Jane")).toEqual([])
    expect(rendered("Jane of acme.com")).toEqual([])
  })

  it.each(["evil.com", "https://evil.com/win", "evil [.] com", "book.acme.net.evil.com"])(
    "waits for a person when a contact is called %s",
    (name) => expect(rendered(name)).toEqual([expect.stringMatching(/link/u)])
  )

  it.each([
    ["as it stands", "a ".repeat(20_000) + "evil.com"],
    ["normalised", "\ufdfa".repeat(5_000) + " evil.com"]
  ])("waits for a person when it is too long to check, %s", (_, name) =>
    expect(rendered(name)).toEqual(["the reply is too long to be checked"])
  )
})
