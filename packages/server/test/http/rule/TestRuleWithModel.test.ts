import { LLMock } from "@copilotkit/aimock"
import { Usages } from "@leadloom/core/internal/port/repository/tenant/Usages"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { month, onSteadyMonth } from "../../world/SteadyMonth.ts"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"

const classification = {
  intent: "pricing",
  urgency: "high",
  sentiment: "positive",
  summary: "Asks what a kitchen costs.",
  confidence: 0.9
}
const pricing = { fact: "classification.intent", op: "eq", value: "pricing" }
const rule = {
  id: "pricing",
  name: "Pricing",
  priority: 10,
  when: pricing,
  actions: [{ type: "create_task", task_type: "callback", title: "Call {{ contact.first_name }}" }, { type: "reply" }]
}
const message = "What does a kitchen cost?"
const contact = { name: "Jane Miller", email: "jane@customer.example" }

let model: LLMock
let server: TestServer

const call = (path: string, body: unknown, method = "POST") =>
  server.call(method, `/api/v1/${path}`, { as: adminKey, body })
const calls = async () => (await server.run(Effect.flatMap(Usages, (usages) => usages.read("acme", month)))).ai_calls

beforeAll(async () => {
  model = new LLMock({ port: 0 })
  await model.start()
  server = startServer({ LEADLOOM_LLM_BASE_URL: `${model.url}/v1`, LEADLOOM_LLM_MODEL: "gpt-test" }, onSteadyMonth)
  await call("admin/tenants", { tenant_id: "acme", name: "Acme" })
  await call("config/acme", { rules: [{ ...rule, when: { all: [] }, actions: [{ type: "suppress_reply" }] }] }, "PATCH")
})
afterAll(async () => {
  await server.close()
  await model.stop()
})

describe("the test of a rule with a language model", () => {
  it("uses the stored classification of a stored message and asks no model", async () => {
    model.on({ sequenceIndex: 0 }, { content: JSON.stringify(classification) })
    const ran = await call("webhook/automation/acme", { message, contact })
    expect([at(ran.json, "classification", "intent"), await calls()]).toEqual(["pricing", 1])
    const answer = await call("config/acme/rule-tests", { rule, message_id: textAt(ran.json, "signal_id") })
    expect(answer.json).toMatchObject({
      outcome: "matched",
      actions: [{ action: { title: "Call Jane" }, failure: null }, { action: { type: "reply" } }],
      reply: null,
      facts: { "classification.intent": "pricing" }
    })
    expect(await calls()).toBe(1)
  })

  it("asks the model about a sample and counts the calls, unless the request has a classification", async () => {
    model.reset()
    const before = await calls()
    const given = await call("config/acme/rule-tests", { rule, message, contact, classification })
    expect([at(given.json, "outcome"), at(given.json, "reply"), await calls()]).toEqual(["matched", null, before])
    model.on({}, { content: JSON.stringify({ ...classification, intent: "complaint" }) })
    const asked = await call("config/acme/rule-tests", { rule: { ...rule, actions: [{ type: "stop" }] }, message })
    expect([at(asked.json, "outcome"), at(asked.json, "facts", "classification.intent")]).toEqual([
      "not_matched",
      "complaint"
    ])
    expect(await calls()).toBeGreaterThan(before ?? 0)
  })
})
