import { LLMock } from "@copilotkit/aimock"
import { Usages } from "@leadloom/core/internal/port/repository/tenant/Usages"
import { Effect } from "effect"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { month, onSteadyMonth } from "../../world/SteadyMonth.ts"
import { adminKey, at, startServer, type TestServer } from "../../world/TestServer.ts"

const apiKey = "sk-test-0123456789abcdef"
const classification = {
  intent: "pricing",
  urgency: "high",
  sentiment: "positive",
  summary: "Asks what a kitchen costs.",
  confidence: 0.9
}
const usage = { prompt_tokens: 200, completion_tokens: 40, total_tokens: 240 }

let model: LLMock
let server: TestServer
let tenants = 0
let tenant = ""

beforeAll(async () => {
  model = new LLMock({ port: 0 })
  await model.start()
  server = startServer(
    { LEADLOOM_LLM_BASE_URL: `${model.url}/v1`, LEADLOOM_LLM_API_KEY: apiKey, LEADLOOM_LLM_MODEL: "gpt-test" },
    onSteadyMonth
  )
})
afterAll(async () => {
  await server.close()
  await model.stop()
})
beforeEach(async () => {
  tenant = `tenant-${++tenants}`
  const body = { tenant_id: tenant, name: "Acme Kitchens" }
  expect((await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body })).status).toBe(201)
})
afterEach(() => void model.reset())

const sendRequest = (action: string, body: unknown = { message: "What does a kitchen cost?", channel: "sms" }) =>
  server.call("POST", `/api/v1/actions/automation/${tenant}/${action}`, { as: adminKey, body })

const used = () => server.run(Effect.flatMap(Usages, (usages) => usages.read(tenant, month)))
const consume = (kind: "actions" | "ai_calls", times: number) =>
  server.run(Effect.flatMap(Usages, (usages) => usages.add(tenant, kind, month, times)))

describe("a standalone action with a language model", () => {
  it("classifies a message", async () => {
    model.on(
      { userMessage: /kitchen cost/u, systemMessage: /"Acme Kitchens"/u },
      {
        content: JSON.stringify(classification),
        usage
      }
    )
    const answer = await sendRequest("classify-conversation")
    expect([answer.status, answer.json]).toEqual([200, { success: true, data: classification }])
    expect(await used()).toEqual({ actions: 1, ai_calls: 1, ai_input_tokens: 200, ai_output_tokens: 40 })
  })

  it("writes a reply that requires an approval, whatever the message contains", async () => {
    model.on({}, { content: JSON.stringify({ text: "From 900.", channel: "email", requires_approval: false }) })
    const answer = await sendRequest("generate-reply")
    expect([answer.status, answer.json]).toEqual([
      200,
      { success: true, data: { text: "From 900.", channel: "sms", requires_approval: true } }
    ])
  })

  it("counts every call of a model that was retried, and the action once", async () => {
    model.on({ sequenceIndex: 0 }, { content: "no JSON", usage })
    model.on({ sequenceIndex: 1 }, { content: JSON.stringify(classification), usage })
    expect((await sendRequest("classify-conversation")).status).toBe(200)
    expect(await used()).toEqual({ actions: 1, ai_calls: 2, ai_input_tokens: 400, ai_output_tokens: 80 })
  })

  it("fails with a next step if the model fails, without counting the action", async () => {
    model.on({}, { content: "no JSON", usage })
    const answer = await sendRequest("generate-reply")
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual({
      success: false,
      error: expect.stringMatching(/^No answer from the language model: [^/]*\. A retry does not help\.$/u)
    })
    expect(await used()).toEqual({ actions: 0, ai_calls: 2, ai_input_tokens: 400, ai_output_tokens: 80 })
  })

  it("reports the time of a retry, and never the key", async () => {
    const error = { message: `Rate limit for ${apiKey}`, type: "rate_limit_error" }
    model.on({}, { error, status: 429, retryAfter: 60 })
    const answer = await sendRequest("classify-conversation")
    expect(answer.status).toBe(400)
    expect(at(answer.json, "error")).toMatch(/received too many requests.*Try again later/u)
    expect(answer.text).not.toContain(apiKey)
  })

  it.each([
    ["actions", 500, "USAGE_LIMIT_REACHED"],
    ["ai_calls", 200, "AI_LIMIT_REACHED"]
  ] as const)("requests no model if the tenant's %s are used up", async (kind, cap, code) => {
    model.on({}, { content: JSON.stringify(classification) })
    await consume(kind, cap)
    const answer = await sendRequest("classify-conversation")
    expect([answer.status, answer.code]).toEqual([429, code])
    expect(model.getRequests()).toEqual([])
    expect(await used()).toMatchObject({ actions: 0, ai_calls: 0, [kind]: cap })
  })

  it("rejects an unknown tenant", async () => {
    tenant = "nobody"
    expect((await sendRequest("generate-reply")).code).toBe("NOT_FOUND")
  })
})

describe("an unavailable model", () => {
  it("costs nothing", async () => {
    const closed = new LLMock({ port: 0 })
    await closed.start()
    const url = closed.url
    await closed.stop()
    const alone = startServer({ LEADLOOM_LLM_BASE_URL: `${url}/v1`, LEADLOOM_LLM_MODEL: "m" }, onSteadyMonth)
    await alone.call("POST", "/api/v1/admin/tenants", { as: adminKey, body: { tenant_id: "acme", name: "Acme" } })
    const path = "/api/v1/actions/automation/acme/generate-reply"
    const answer = await alone.call("POST", path, { as: adminKey, body: { message: "Hi" } })
    expect(at(answer.json, "error")).toMatch(/cannot be reached \(ECONNREFUSED\)/u)
    const read = Effect.flatMap(Usages, (usages) => usages.read("acme", month))
    expect(await alone.run(read)).toMatchObject({ actions: 0, ai_calls: 0 })
    await alone.close()
  })
})
