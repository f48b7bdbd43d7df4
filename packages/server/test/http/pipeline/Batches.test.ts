import { drainSignals } from "@leadloom/testkit/suite/Scene"
import { startServer, type TestServer, adminKey, at, textAt } from "../../world/TestServer.ts"
import { createClient, type BatchProgress, type BatchRequestItem } from "@leadloom/client"
import { Usages } from "@leadloom/core/internal/port/repository/tenant/Usages"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { someConfig } from "../../world/Endpoints.ts"
import { month, onSteadyMonth } from "../../world/SteadyMonth.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World
const base = "/api/v1/tenants/acme/pipeline"

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "1000000" }, onSteadyMonth)
  world = await makeWorld(server)
  await operator.tenants.update("acme", { plan: "growth" })
  const actions = [{ type: "tag", tag: "kitchen" }]
  const rules = [
    {
      id: "rule_1",
      name: "Kitchens",
      priority: 1,
      when: { fact: "message.text", op: "contains", value: "kitchen" },
      actions
    }
  ]
  await server.call("PUT", "/api/v1/config/acme", { as: adminKey, body: { ...someConfig, rules } })
})
afterAll(() => server.close())

const operator = createClient({
  baseUrl: "http://leadloom.test",
  credential: adminKey,
  maxRetries: 0,
  fetch: (url, init) => server.fetch(new Request(url, init))
})

const request = (number: number, rest: Partial<BatchRequestItem> = {}): BatchRequestItem => ({
  message: `What does kitchen ${number} cost?`,
  contact: { name: `Person ${number}`, email: `person.${number}@customer.example` },
  channel: "chat",
  ...rest
})

const requests = (count: number, from = 0): ReadonlyArray<BatchRequestItem> =>
  Array.from({ length: count }, (_, index) => request(from + index))

const post = (body: unknown, as = adminKey, headers: Readonly<Record<string, string>> = {}, tenant = "acme") =>
  server.call("POST", `/api/v1/tenants/${tenant}/pipeline/batch`, { as, body, headers })

const usedActions = async (): Promise<number> => (await operator.usage.get("acme")).actions.used

/** Returns all requests of a batch, page by page. */
const resultsOf = async (batchId: string, limit: number): Promise<BatchProgress["items"]> => {
  const found: Array<BatchProgress["items"][number]> = []
  let cursor: string | null | undefined
  do {
    const page: BatchProgress = await operator.batches.get("acme", batchId, { limit, cursor: cursor ?? undefined })
    found.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
}

const setCap = (used: number) =>
  server.run(Effect.flatMap(Usages, (usages) => usages.set("acme", "actions", month, used)))

describe("a batch", () => {
  it("is accepted immediately with a result per request, and workers then run the pipeline", async () => {
    const before = await usedActions()
    const accepted = await operator.batches.create("acme", { items: requests(3) })
    const signal = expect.stringMatching(/^sig_/u)
    expect(accepted).toEqual({
      batch_id: expect.stringMatching(/^bat_[0-9a-z]{26}$/u),
      status: "running",
      created_at: expect.stringMatching(/Z$/u),
      total: 3,
      accepted: 3,
      duplicates: 0,
      failed: 0,
      progress: { queued: 3, running: 0, done: 0, failed: 0 },
      items: [0, 1, 2].map((index) => ({ index, status: "accepted", signal_id: signal, error: null }))
    })
    expect(await usedActions()).toBe(before)
    expect(await operator.batches.get("acme", accepted.batch_id)).toMatchObject({
      items: [0, 1, 2].map((index) => ({ index, state: "queued", result: null }))
    })
    await server.run(drainSignals)
    const done = await operator.batches.get("acme", accepted.batch_id)
    expect(done).toMatchObject({ status: "done", progress: { queued: 0, running: 0, done: 3, failed: 0 } })
    const [first] = done.items
    expect(first).toEqual({
      ...accepted.items[0],
      state: "done",
      result: expect.objectContaining({ signal_id: first?.signal_id, matched_rules: 1, actions_triggered: ["tag"] })
    })
    const run = await operator.pipeline.getRun("acme", textAt(first, "signal_id"))
    expect(run.score).toEqual(first?.result?.score)
  })

  it("returns 500 requests page by page, in order", async () => {
    const accepted = await operator.batches.create("acme", { items: requests(500, 1_000) })
    expect([accepted.accepted, new Set(accepted.items.map(({ signal_id }) => signal_id)).size]).toEqual([500, 500])
    await server.run(drainSignals)
    const results = await resultsOf(accepted.batch_id, 100)
    expect(results.map(({ index }) => index)).toEqual([...Array(500).keys()])
    expect(results.every(({ result, state }) => state === "done" && result?.matched_rules === 1)).toBe(true)
  })

  it("accepts valid requests; an invalid one fails alone, with its path", async () => {
    const wrong: ReadonlyArray<unknown> = [
      { contact: null },
      { message: ["nonsense"], channel: "pigeon" },
      "nonsense",
      null
    ]
    const items = [request(1), ...wrong, request(2, { idempotency_key: "x".repeat(256) }), request(3)]
    const before = await usedActions()
    const answer = await post({ items })
    expect([answer.status, at(answer.json, "accepted"), at(answer.json, "failed")]).toEqual([202, 2, 5])
    expect(await usedActions()).toBe(before)
    const paths = items.map((_, index) => {
      const details = at(answer.json, "items", index, "error", "details")
      return Array.isArray(details) ? details.map((detail: unknown) => at(detail, "path")) : []
    })
    expect(paths).toEqual([
      [],
      ["items.1.message"],
      ["items.2.message", "items.2.channel"],
      ["items.3"],
      ["items.4"],
      ["items.5.idempotency_key"],
      []
    ])
    expect(at(answer.json, "items", 1)).toEqual({
      index: 1,
      status: "failed",
      signal_id: null,
      error: {
        code: "BAD_REQUEST",
        message: "This request does not match the contract.",
        details: [{ path: "items.1.message", message: "This field is required." }]
      }
    })
    expect(answer.text).not.toMatch(/pigeon|nonsense/u)
    const read = await operator.batches.get("acme", textAt(answer.json, "batch_id"))
    expect(read.progress).toEqual({ queued: 2, running: 0, done: 0, failed: 5 })
    expect(read.items.map(({ state }) => state)).toEqual([
      "queued",
      ...Array.from({ length: 5 }, () => "failed"),
      "queued"
    ])
  })

  it("recognises a request by its key across batches and single calls", async () => {
    const keyed = request(7, { idempotency_key: "order-7" })
    const single = await operator.pipeline.run("acme", request(8), { idempotencyKey: "order-8" })
    const before = await usedActions()
    const accepted = await operator.batches.create("acme", {
      items: [keyed, keyed, request(8, { idempotency_key: "order-8" })]
    })
    expect(accepted.items.map(({ status }) => status)).toEqual(["accepted", "duplicate", "duplicate"])
    expect(accepted.items[1]?.signal_id).toBe(accepted.items[0]?.signal_id)
    expect(accepted.items[2]?.signal_id).toBe(single.signal_id)
    expect(accepted).toMatchObject({ total: 3, accepted: 1, duplicates: 2, failed: 0 })
    expect(await usedActions()).toBe(before)
    await server.run(drainSignals)
    const { items } = await operator.batches.get("acme", accepted.batch_id)
    expect(items.map(({ result }) => result?.signal_id)).toEqual(items.map(({ signal_id }) => signal_id))
  })

  it("rejects another request with a used key, and accepts the others", async () => {
    await operator.pipeline.run("acme", request(9), { idempotencyKey: "order-9" })
    const accepted = await operator.batches.create("acme", {
      items: [request(10, { idempotency_key: "order-9" }), request(9, { idempotency_key: "order-9" }), request(11)]
    })
    expect(accepted.items.map(({ error, status }) => [status, error?.code ?? null])).toEqual([
      ["failed", "IDEMPOTENCY_CONFLICT"],
      ["duplicate", null],
      ["accepted", null]
    ])
  })

  it("uses no actions, as single requests do, so the cap does not stop it", async () => {
    await setCap(50_000)
    const used = await usedActions()
    await operator.pipeline.run("acme", request(12))
    const accepted = await operator.batches.create("acme", { items: [...requests(3, 20), {} as BatchRequestItem] })
    expect(await usedActions()).toBe(used)
    await setCap(0)
    expect(accepted.items.map(({ error, status }) => [status, error?.code ?? null])).toEqual([
      ["accepted", null],
      ["accepted", null],
      ["accepted", null],
      ["failed", "BAD_REQUEST"]
    ])
  })
})

describe("a repeated batch", () => {
  const key = { "idempotency-key": "monday" }

  it("receives the first response, even if the batch has made progress since", async () => {
    const items = requests(2, 40)
    const first = await post({ items }, adminKey, key)
    const again = await post({ items }, adminKey, key)
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([202, null])
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([202, "true"])
    expect(again.json).toEqual(first.json)
    await server.run(drainSignals)
    expect((await post({ items }, adminKey, key)).json).toEqual(first.json)
    expect((await operator.batches.get("acme", textAt(first.json, "batch_id"))).status).toBe("done")
  })

  it("is stored once if both arrive concurrently", async () => {
    const items = requests(120, 200)
    const both = await Promise.all([1, 2].map(() => post({ items }, adminKey, { "idempotency-key": "twice" })))
    const accepted = both.filter(({ status }) => status === 202)
    expect(new Set(accepted.map(({ text }) => text)).size).toBe(1)
    for (const answer of both.filter(({ status }) => status !== 202))
      expect([answer.status, answer.code]).toEqual([409, "IDEMPOTENCY_IN_PROGRESS"])
    expect(at(accepted[0]?.json, "accepted")).toBe(120)
    expect((await operator.batches.list("acme", { limit: 1 })).batches[0]?.batch_id).toBe(
      at(accepted[0]?.json, "batch_id")
    )
  })

  it("is rejected if its key has other requests", async () => {
    const answer = await post({ items: requests(2, 60) }, adminKey, key)
    expect([answer.status, answer.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"])
  })
})

describe("the list of batches", () => {
  it("shows the newest first, page by page", async () => {
    const one = await operator.batches.create("acme", { items: requests(1) })
    const two = await operator.batches.create("acme", { items: requests(1) })
    const first = await operator.batches.list("acme", { limit: 1 })
    const second = await operator.batches.list("acme", { limit: 1, cursor: first.next_cursor ?? "" })
    expect([first.batches[0]?.batch_id, second.batches[0]?.batch_id]).toEqual([two.batch_id, one.batch_id])
    const { items: _, ...reported } = two
    expect(first.batches).toEqual([reported])
  })

  it("rejects cursors of other lists and unknown parameters", async () => {
    const { next_cursor } = await operator.batches.list("acme", { limit: 1 })
    const { batch_id } = await operator.batches.create("acme", { items: requests(2) })
    const cursor = encodeURIComponent(next_cursor ?? "")
    for (const query of [`batch/${batch_id}?cursor=${cursor}`, "batches?cursor=x", "batches?limit=51", "batches?a=b"]) {
      const answer = await server.call("GET", `${base}/${query}`, { as: adminKey })
      expect([query, answer.status, answer.code]).toEqual([query, 400, "BAD_REQUEST"])
    }
  })
})

describe("a batch is rejected", () => {
  it.each([
    ["without requests", { items: [] }, "items"],
    ["with too many requests", { items: Array.from({ length: 501 }, () => ({ message: "Hi" })) }, "items"],
    ["whose items are not a list", { items: { message: "Hi" } }, "items"],
    ["without a list", {}, "items"],
    ["with an unknown field", { items: [{ message: "Hi" }], notify: "me" }, "notify"]
  ])("%s", async (_, body, path) => {
    const answer = await post(body)
    expect([answer.status, at(answer.json, "error", "details", 0, "path")]).toEqual([400, path])
  })

  it("on a plan without batches, with the next step", async () => {
    for (const plan of ["trial", "starter"] as const) {
      await operator.tenants.update("other", { plan })
      const answer = await post({ items: requests(1) }, adminKey, {}, "other")
      expect([answer.status, answer.code]).toEqual([403, "PLAN_RESTRICTED"])
      expect(at(answer.json, "error", "details")).toEqual({ plan, needed: "growth" })
      expect(at(answer.json, "error", "message")).toContain("PATCH /api/v1/admin/tenants/other")
    }
    expect(await operator.batches.list("other")).toEqual({ batches: [], next_cursor: null })
  })

  it("for the tenant's own key, for another tenant and for an unknown one", async () => {
    const { batch_id } = await operator.batches.create("acme", { items: requests(1) })
    expect((await post({ items: requests(1) }, world.acme.apiKey)).code).toBe("FORBIDDEN")
    await operator.tenants.update("other", { plan: "scale" })
    await expect(operator.batches.get("other", batch_id)).rejects.toMatchObject({ status: 404, code: "NOT_FOUND" })
    await expect(operator.batches.get("acme", "bat_of_nobody")).rejects.toMatchObject({ status: 404 })
    await expect(operator.batches.list("nobody")).rejects.toMatchObject({ status: 404 })
  })
})
