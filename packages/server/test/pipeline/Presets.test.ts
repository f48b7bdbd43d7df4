import { evaluateText } from "@leadloom/core/internal/domain/guardrail/EvaluateGuardrails"
import { findPreset, presetNames, presets } from "@leadloom/core/internal/domain/tenant/preset/Preset"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../world/TestServer.ts"

/** A message with the rules that it must match, in the order of their run. */
type Sample = readonly [message: string, ...rules: ReadonlyArray<string>]

/** Samples of every preset except the plain one. */
const everywhere: ReadonlyArray<Sample> = [
  ["Please unsubscribe me, stop emailing me.", "opt_out"],
  ["We sell SEO and backlinks, first page of Google!", "spam"]
]

const samples: Readonly<Record<string, ReadonlyArray<Sample>>> = {
  home_services: [
    ["I want a refund, this is unacceptable and I am disappointed.", "complaint"],
    ["There is water everywhere, a burst pipe in the kitchen!", "emergency"],
    ["The tap is leaking, please come today.", "emergency"],
    ["How much does a new boiler cost? I would like a quote.", "quote"],
    ["Could we set an appointment for a site visit next month?", "visit"],
    ["I have to cancel, could we reschedule?", "reschedule"],
    ["The boiler you installed makes a noise, is there a warranty?", "after_sales"],
    ["Are you hiring? My CV is attached.", "applicant"],
    ["Good morning, this is Sam from next door."]
  ],
  real_estate: [
    ["I want a refund, this is unacceptable and I am disappointed.", "complaint"],
    ["I am thinking of selling my house. Do you do a valuation?", "seller"],
    ["Can I book a viewing of the flat on Elm Street?", "viewing"],
    ["The shower in my apartment is broken and leaking", "maintenance"],
    ["Do you have anything for rent near the station?", "rental", "buyer"],
    ["We are pre approved and looking for three bedrooms.", "financing", "buyer"],
    ["What is the price of 12 Elm Street?", "buyer"],
    ["Hello, this is about the keys."]
  ],
  dental: [
    ["I want a refund, this is unacceptable and I am disappointed.", "complaint"],
    ["I have severe pain and my cheek is swollen.", "emergency"],
    ["My son's tooth was knocked out!", "emergency"],
    ["May I take ibuprofen before the extraction?", "clinical"],
    ["Please send my dental records and x rays to my new dentist.", "records"],
    ["I cannot make it tomorrow, could we reschedule?", "reschedule"],
    ["Do you take my insurance, and what is the copay?", "coverage"],
    ["Are you taking patients? It would be my first visit.", "new_patient", "appointment"],
    ["I would like to book an appointment for a cleaning.", "appointment"],
    ["Thank you, see you then."]
  ],
  automotive: [
    ["I want a refund, this is unacceptable and I am disappointed.", "complaint"],
    ["My car broke down on the highway, I am stranded.", "breakdown"],
    ["I got a letter about an airbag recall.", "recall"],
    ["When can you do an oil change and check the brakes?", "service"],
    ["Could I take the blue wagon for a test drive?", "test_drive"],
    ["What would you give me if I trade in my old one?", "trade_in"],
    ["What are the monthly payments with financing?", "finance"],
    ["Is the blue wagon still available?", "availability"],
    ["Hello, this is about the keys."]
  ],
  legal: [
    ["I want a refund, this is unacceptable and I am disappointed.", "complaint"],
    ["I am writing on behalf of our client in this matter, without prejudice.", "other_side"],
    ["My brother was arrested last night.", "deadline", "criminal"],
    ["I was served with a summons, the court date is Monday.", "deadline"],
    ["My wife wants a divorce and custody of the kids.", "family", "consultation"],
    ["I was injured in an accident at work.", "injury", "consultation"],
    ["My father died and I need help with probate.", "estate", "consultation"],
    ["I was fired after I complained about unpaid wages.", "employment", "consultation"],
    ["Is there any news in my case?", "client"],
    ["What does a first consultation cost?", "consultation"],
    ["Good morning from the florist."]
  ],
  insurance: [
    ["I want a refund, this is unacceptable and I am disappointed.", "complaint"],
    ["Somebody hit my car last night, I want to file a claim.", "claim"],
    ["We need a certificate of insurance for a job on Monday.", "certificate"],
    ["I found a cheaper policy and want to cancel.", "leaving"],
    ["My payment did not go through, is the policy lapsed?", "payment"],
    ["Please add a driver to our policy, my daughter.", "change"],
    ["How much is car insurance for a new driver?", "auto_line", "quote"],
    ["Do you offer renters insurance?", "home_line", "quote"],
    ["I am interested in term life.", "life_line", "quote"],
    ["I need general liability for my bakery.", "business_line"],
    ["Hello, this is Sam."]
  ]
}

const names = ["default", "home_services", "real_estate", "dental", "automotive", "legal", "insurance"]

let server: TestServer
beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "1000000", LEADLOOM_LIMIT_WEBHOOK: "1000000" })
  for (const preset of presetNames) {
    const body = { tenant_id: `the-${preset}`, name: "Smith & Co", preset }
    expect((await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body })).status).toBe(201)
  }
})
afterAll(() => server.close())

let contactCount = 0

/** Runs a message of a new contact through the pipeline. Returns the response and the matched rules. */
const run = async (preset: string, message: string, email = `jane.${++contactCount}@customer.example`) => {
  const body = { message, contact: { name: "Jane Miller", email }, channel: "email" }
  const answer = await server.call("POST", `/api/v1/webhook/automation/the-${preset}`, { as: adminKey, body })
  const stored = `/api/v1/tenants/the-${preset}/pipeline/runs/${textAt(answer.json, "signal_id")}`
  const rules = at((await server.call("GET", stored, { as: adminKey })).json, "matched_rules")
  const matched = Array.isArray(rules) ? rules.map((rule) => at(rule, "rule_id")) : []
  return { json: answer.json, matched }
}

const industries = presets.filter(({ name }) => name !== "default")

describe.each(industries)("the preset $name", ({ config, name }) => {
  const cases: ReadonlyArray<Sample> = [...everywhere, ...(samples[name] ?? [])]

  it.each(cases)("routes: %s", async (message, ...rules) => {
    expect((await run(name, message)).matched).toEqual(rules)
  })

  it("has a sample for every rule", () => {
    const reached = new Set(cases.flatMap(([, ...rules]) => rules))
    const portal = name === "real_estate" ? ["portal"] : []
    expect(config.rules.map(({ id }) => id).filter((id) => !reached.has(id))).toEqual(portal)
  })

  it("can be saved, and sends nothing without an approval", async () => {
    const stored = await server.call("GET", `/api/v1/config/the-${name}`, { as: adminKey })
    const body = { ...Object(at(stored.json, "config")), takeover_hours: 1 }
    const saved = await server.call("PUT", `/api/v1/config/the-${name}`, { as: adminKey, body })
    expect([saved.status, at(saved.json, "version")]).toEqual([200, 2])
    expect(config.replyMode).toBe("draft")
    expect(config.guardrails.length).toBeGreaterThanOrEqual(4)
  })

  it("has templates that pass its own guardrails", () => {
    const templates = config.rules.flatMap(({ actions }) =>
      actions.flatMap((action) => (action.type === "reply" ? [action.template ?? ""] : []))
    )
    expect(templates.length).toBeGreaterThan(1)
    for (const template of templates) {
      const text = template.replaceAll(/\{\{.*?\}\}/gu, "Jane")
      expect(evaluateText(config.guardrails, text).outcome, template).toBe("allow")
    }
  })
})

describe("presets", () => {
  it("greet by name and end with the name of the business", async () => {
    const { json } = await run("automotive", "Could I take the blue wagon for a test drive?")
    expect(at(json, "reply", "text")).toMatch(/^Hello Jane,\n\n.*\n\nKind regards\nSmith & Co$/su)
  })

  it("write no reply if a person must answer", async () => {
    expect(at((await run("dental", "May I take ibuprofen today?")).json, "reply")).toBeNull()
    expect(at((await run("legal", "I write on behalf of my client.")).json, "reply")).toBeNull()
  })

  it("mark messages from a portal", async () => {
    expect((await run("real_estate", "Hello there, this is Sam", "lead@zillow.com")).matched).toEqual(["portal"])
  })

  it("are found by name", () => {
    expect(presetNames).toEqual(names)
    expect([findPreset("legal")?.thresholds, findPreset("toString")]).toEqual([{ hot: 65, warm: 35 }, null])
  })
})
