import { describe, expect, it } from "vitest"
import {
  type Facts,
  type FactSources,
  factsOf,
  factTable,
  isFactName,
  metadataKeyOf
} from "../../../src/domain/rule/Fact.ts"
import { storedNameOf } from "../../../src/domain/rule/RecordFact.ts"

const sources: FactSources = {
  message: {
    attachments: [],
    auto: null,
    body: "How much is it? See https://a.b",
    channel: "email",
    metadata: { plan: "pro" },
    receivedAlias: "sales@shop.com",
    authentication: {
      spf: "softfail",
      dkim: "pass",
      dmarc: "pass",
      arc: "none",
      fromDomainAligned: true,
      verifiedBy: "mx.google.com"
    },
    source: "nylas",
    subject: "Price"
  },
  contact: { company: null, email: "Ann@Example.com", name: "Ann", phone: null, tags: ["vip"] },
  contactIsNew: true,
  lead: { assignee: null, createdAt: 1_000, source: "form", state: "engaged" },
  leadIsNew: false,
  classification: { intent: "pricing", urgency: "high", sentiment: "neutral", summary: "", confidence: 0.5 },
  score: { score: 71, tier: "hot" },
  time: { hour: 9, minuteOfDay: 545, weekday: "sun", date: "2026-11-22", isOpen: true, isHoliday: false },
  recordFacts: {
    "company.domain": "example.com",
    "contact.custom_fields.plan": null,
    "contact.language": "de",
    "conversation.attempts": 2,
    "conversation.outbound_at": 1_801_000,
    "conversation.inbound_at": null
  },
  now: 5_401_000
}
const file = { filename: null, contentType: "a/b", size: 1, contentId: null }

const expected: Facts = {
  "message.text": "How much is it? See https://a.b",
  "message.subject": "Price",
  "message.channel": "email",
  "message.source": "nylas",
  "message.received_alias": "sales@shop.com",
  "message.auto": null,
  "message.spf": "softfail",
  "message.dkim": "pass",
  "message.dmarc": "pass",
  "message.arc": "none",
  "message.from_domain_aligned": true,
  "message.word_count": 8,
  "message.has_question": true,
  "message.has_link": true,
  "message.has_attachment": false,
  "classification.intent": "pricing",
  "classification.urgency": "high",
  "classification.sentiment": "neutral",
  "classification.confidence": 0.5,
  "score.value": 71,
  "score.tier": "hot",
  "contact.name": "Ann",
  "contact.email": "Ann@Example.com",
  "contact.email_domain": "example.com",
  "contact.phone": null,
  "contact.company": null,
  "contact.tags": ["vip"],
  "contact.is_new": true,
  "company.name": null,
  "company.domain": "example.com",
  "lead.state": "engaged",
  "lead.is_new": false,
  "lead.assignee": null,
  "lead.source": "form",
  "lead.age_hours": 1.5,
  "time.hour": 9,
  "time.minute_of_day": 545,
  "time.weekday": "sun",
  "time.is_weekend": true,
  "time.date": "2026-11-22",
  "time.is_open": true,
  "time.is_holiday": false,
  "contact.custom_fields.plan": null,
  "contact.language": "de",
  "conversation.attempts": 2,
  "conversation.hours_since_outbound": 1,
  "conversation.hours_since_inbound": null,
  metadata: { plan: "pro" }
}

describe("factsOf", () => {
  it("returns every fact of the table that is not read on demand", () => {
    expect(factsOf(sources)).toEqual(expected)
    const always = Object.keys(factTable).filter((name) => storedNameOf(name) === null)
    const company = ["company.name", "company.domain"]
    expect(Object.keys(factsOf({ ...sources, recordFacts: {} })).toSorted()).toEqual(
      [...always, ...company, "metadata"].toSorted()
    )
  })

  it("reads on demand what it does not derive from message, contact, lead and time", () => {
    const { recordFacts: _, ...withoutRecords } = sources
    const derived = new Set(Object.keys(factsOf(withoutRecords)))
    const missing = Object.keys(factTable).filter((name) => !derived.has(name) && storedNameOf(name) === null)
    expect(missing).toEqual([])
  })

  it("leaves out unknown facts", () => {
    const bare = factsOf({ ...sources, lead: null, classification: null, score: null, recordFacts: {} })
    const missing = Object.entries(bare)
      .filter(([, value]) => value === null)
      .map(([name]) => name)
    expect(missing).toEqual([
      "message.auto",
      "classification.intent",
      "classification.urgency",
      "classification.sentiment",
      "classification.confidence",
      "score.value",
      "score.tier",
      "contact.phone",
      "contact.company",
      "company.name",
      "company.domain",
      "lead.state",
      "lead.assignee",
      "lead.source",
      "lead.age_hours"
    ])
  })

  it("counts files without the inline images of the text", () => {
    const withFile = (inline: boolean) =>
      factsOf({ ...sources, message: { ...sources.message, attachments: [{ ...file, inline }] } })
    expect(withFile(false)["message.has_attachment"]).toBe(true)
    expect(withFile(true)["message.has_attachment"]).toBe(false)
  })

  it("counts Saturday and Sunday as the weekend", () => {
    const weekend = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].filter(
      (weekday) => factsOf({ ...sources, time: { ...sources.time, weekday } })["time.is_weekend"]
    )
    expect(weekend).toEqual(["sat", "sun"])
  })

  it("never returns a negative age of a lead", () => {
    expect(factsOf({ ...sources, now: 0 })["lead.age_hours"]).toBe(0)
  })
})

describe("names of facts", () => {
  it("are those of the table and metadata.<key>", () => {
    expect(isFactName("message.text")).toBe(true)
    for (const name of ["message", "toString", "__proto__", "metadata.plan"]) expect(isFactName(name)).toBe(false)
    expect(metadataKeyOf("metadata.a.b")).toBe("a.b")
    for (const name of ["metadata", "metadata.", "message.text"]) expect(metadataKeyOf(name)).toBeNull()
  })
})
