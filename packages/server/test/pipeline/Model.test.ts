import type { ErrorResponse } from "@copilotkit/aimock"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { someConfig } from "../world/Endpoints.ts"
import {
  answerAll,
  type ModelServer,
  startModelServer,
  toClassify,
  toWrite,
  defaultClassification
} from "../world/ModelServer.ts"
import { adminKey, type Answer, at, textAt } from "../world/TestServer.ts"
import { makeWorld, type World } from "../world/World.ts"

let server: ModelServer
let world: World
let number = 0
/** A model that answers reaches this timeout on no machine. The test of the slow one waits for it. */
const timeoutSeconds = 4
beforeAll(async () => {
  server = await startModelServer(timeoutSeconds)
  world = await makeWorld(server)
  const body = { ...someConfig, classifier: "model" }
  expect((await server.call("PUT", "/api/v1/config/acme", { as: adminKey, body })).status).toBe(200)
})
afterAll(() => server.close())
beforeEach(() => {
  server.model.clearFixtures()
  number += 1
})

const base = "/api/v1/tenants/acme"
const get = (path: string): Promise<Answer> => server.call("GET", path, { as: world.acme.apiKey })

const sendRequest = (message = "What would a kitchen cost?"): Promise<Answer> =>
  server.call("POST", "/api/v1/webhook/automation/acme", {
    as: world.acme.apiKey,
    body: { message, contact: { email: `jane${number}@customer.example` }, channel: "chat" }
  })

const runOf = async (answer: Answer): Promise<unknown> =>
  (await get(`${base}/pipeline/runs/${textAt(answer.json, "signal_id")}`)).json

const stepOf = (run: unknown, name: string): unknown => {
  const steps = at(run, "steps")
  return Array.isArray(steps) ? steps.find((step: unknown) => at(step, "step") === name) : undefined
}

const reviewsOf = async (run: unknown): Promise<unknown> => {
  const { json } = await get(`${base}/tasks?type=review&contact_id=${textAt(run, "contact_id")}`)
  return at(json, "tasks", "length")
}

const isReplayed = async (run: unknown): Promise<void> => {
  const path = `${base}/pipeline/runs/${textAt(run, "signal_id")}/replay`
  const { json, status } = await server.call("POST", path, { as: world.acme.apiKey })
  expect({ status, identical: at(json, "identical"), differences: at(json, "differences") }).toEqual({
    status: 200,
    identical: true,
    differences: []
  })
}

describe("a message on a server with a language model", () => {
  it("is classified and answered by a draft, and the run contains prompt and response", async () => {
    answerAll(server.model)
    const answer = await sendRequest()
    expect(answer.json).toMatchObject({
      classification: defaultClassification,
      reply: { text: "We come on Monday and have a look.", channel: "chat", requires_approval: true }
    })
    const run = await runOf(answer)
    const use = { outcome: "answered", model: "gpt-test-1", calls: 1, input_tokens: 100, output_tokens: 20 }
    expect(run).toMatchObject({
      written: { mode: "draft", outcome: "allow", guardrails: [] },
      model: {
        classification: { ...use, output: defaultClassification },
        reply: { ...use, output: { text: "We come on Monday and have a look.", concerns: [] } }
      },
      message: { body: "What would a kitchen cost?", channel: "chat" },
      inputs: { contact: { email: `jane${number}@customer.example` }, model_configured: true },
      facts: { "classification.intent": "pricing", "message.channel": "chat" },
      rules: []
    })
    await isReplayed(run)
  })

  const down: ErrorResponse = { error: { message: "down", type: "server_error" }, status: 500 }
  const faults: ReadonlyArray<readonly [what: string, reason: RegExp, set: () => void]> = [
    [
      "refuses",
      /refused/u,
      () => void server.model.on({}, { content: "I cannot help with that", finishReason: "content_filter" })
    ],
    [
      "answers no JSON",
      /unusable response twice/u,
      () => void server.model.on({}, { content: "Sure! It is about prices." })
    ],
    [
      "is slow",
      /did not respond within 4 s/u,
      () => void server.model.on({}, { content: "{}" }, { chaos: { latencyMs: 2_000 * timeoutSeconds } })
    ],
    [
      "is rate-limited",
      /.*/u,
      () =>
        void server.model.on({}, { error: { message: "slow down", type: "rate_limit" }, status: 429, retryAfter: 30 })
    ],
    ["fails", /500/u, () => void server.model.on({}, down)],
    ["disconnects", /.*/u, () => void server.model.on({}, { content: "{}" }, { chaos: { disconnectRate: 1 } })]
  ]
  it.each(faults)(
    "is stored and answered if the model %s; the run contains the failure, and the next run succeeds",
    async (_, reason, set) => {
      set()
      const answer = await sendRequest()
      expect(answer.status).toBe(200)
      expect(answer.json).toMatchObject({ classification: null, reply: null, score: { tier: expect.any(String) } })
      const run = await runOf(answer)
      expect(stepOf(run, "classify")).toMatchObject({ outcome: "failed", reason: expect.stringMatching(reason) })
      expect(run).toMatchObject({ model: { classification: { outcome: "failed", output: null } } })
      expect(await reviewsOf(run)).toBe(1)
      await isReplayed(run)
      server.model.clearFixtures()
      answerAll(server.model)
      number += 1
      expect((await sendRequest()).json).toMatchObject({ classification: defaultClassification })
    }
  )

  it("waits in the queue during an outage of the model, and is processed afterwards", async () => {
    server.model.on({}, { error: { message: "slow down", type: "rate_limit" }, status: 429, retryAfter: 1 })
    const event = { entity: { id: "7", email: "late@customer.example" }, content: { body: "A kitchen, please" } }
    const sent = await server.call("POST", "/api/v1/events/acme/crm", { as: world.acme.sourceKey, body: event })
    const path = `${base}/pipeline/runs/${textAt(sent.json, "event_id")}`
    expect(await server.work()).toBe(1)
    expect((await get(path)).status).toBe(404)
    server.model.clearFixtures()
    answerAll(server.model)
    await expect.poll(() => server.work(), { timeout: 60_000, interval: 100 }).toBe(1)
    expect((await get(path)).json).toMatchObject({
      classification: defaultClassification,
      reply: { requires_approval: true }
    })
  })

  it("is passed to a person if the reply is rejected, and keeps its classification", async () => {
    server.model.on(toClassify, { content: JSON.stringify(defaultClassification) })
    server.model.on(toWrite, { content: "No.", finishReason: "content_filter" })
    const answer = await sendRequest()
    expect(answer.json).toMatchObject({ classification: defaultClassification, reply: null })
    const run = await runOf(answer)
    expect(stepOf(run, "reply")).toMatchObject({ outcome: "failed", reason: expect.stringMatching(/refused/u) })
    expect(await reviewsOf(run)).toBe(1)
  })
})

describe("runs", () => {
  it("are listed newest first, page by page, and by contact and lead", async () => {
    const all: Array<string> = []
    let cursor: unknown = null
    do {
      const next = cursor === null ? "" : `&cursor=${String(cursor)}`
      const { json } = await get(`${base}/pipeline/runs?limit=4${next}`)
      const found = at(json, "runs")
      all.push(...(Array.isArray(found) ? found.map((run: unknown) => textAt(run, "signal_id")) : []))
      cursor = at(json, "next_cursor")
    } while (cursor !== null)
    expect(all.length).toBeGreaterThan(10)
    expect(all).toEqual(all.toSorted().toReversed())
    const { json } = await get(`${base}/pipeline/runs/${all[0]}`)
    const excerpt = textAt(json, "message", "body").slice(0, 120)
    expect(at((await get(`${base}/pipeline/runs?limit=1`)).json, "runs", 0)).toMatchObject({
      channel: textAt(json, "message", "channel"),
      contact_name: textAt(json, "inputs", "contact", "email"),
      excerpt
    })
    const [contact, lead] = [textAt(json, "contact_id"), textAt(json, "lead_id")]
    for (const query of [`contact_id=${contact}`, `lead_id=${lead}`, `lead_id=${lead}&contact_id=${contact}`]) {
      expect(at((await get(`${base}/pipeline/runs?${query}`)).json, "runs", 0, "signal_id")).toBe(all[0])
    }
    expect(at((await get(`${base}/pipeline/runs?contact_id=con_nobody`)).json, "runs")).toEqual([])
    expect((await get(`${base}/pipeline/runs?contact_id=${contact}&cursor=${String(cursor)}x`)).status).toBe(400)
    expect((await get(`${base}/pipeline/runs?outcome=done`)).status).toBe(400)
  })

  it("of another tenant can be neither read nor replayed", async () => {
    const { json } = await get(`${base}/pipeline/runs?limit=1`)
    const path = `/api/v1/tenants/other/pipeline/runs/${textAt(json, "runs", 0, "signal_id")}`
    expect((await server.call("GET", path, { as: world.other.apiKey })).status).toBe(404)
    expect((await server.call("POST", `${path}/replay`, { as: world.other.apiKey })).status).toBe(404)
  })

  it("contain the reason of every rule's result", async () => {
    answerAll(server.model)
    const rule = (id: string, priority: number, value: string, more: object) => ({
      id,
      name: id,
      priority,
      when: { all: [{ fact: "classification.intent", op: "eq", value }] },
      actions: [{ type: "tag", tag: id }],
      ...more
    })
    const rules = [
      rule("off", 1, "pricing", { enabled: false }),
      rule("no", 2, "support", {}),
      rule("yes", 3, "pricing", { actions: [{ type: "stop" }] }),
      rule("late", 4, "booking", {})
    ]
    const body = { ...someConfig, classifier: "model", rules }
    expect((await server.call("PUT", "/api/v1/config/acme", { as: adminKey, body })).status).toBe(200)
    expect(at(await runOf(await sendRequest()), "rules")).toEqual([
      { rule_id: "off", name: "off", outcome: "disabled", reason: "the rule is disabled", missed_by: [] },
      {
        rule_id: "no",
        name: "no",
        outcome: "not_matched",
        reason: 'classification.intent eq "support": it is "pricing"',
        missed_by: []
      },
      {
        rule_id: "yes",
        name: "yes",
        outcome: "matched",
        reason: 'classification.intent eq "pricing": it is "pricing"',
        missed_by: []
      },
      {
        rule_id: "late",
        name: "late",
        outcome: "not_asked",
        reason: "rule yes stopped the rules after it",
        missed_by: []
      }
    ])
  })
})
