import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, adminKey, at, type Call, startServer, type TestServer, textAt } from "../../world/TestServer.ts"

const wait = (name: string) => ({ name, kind: "wait", delay: { amount: 1, unit: "days" } })

let server: TestServer
beforeAll(async () => {
  server = startServer()
  const body = { tenant_id: "acme", name: "Acme" }
  expect((await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body })).status).toBe(201)
})
afterAll(() => server.close())

const sequences = (method: string, path: string, call: Call = {}): Promise<Answer> =>
  server.call(method, `/api/v1/tenants/acme/sequences${path}`, { as: adminKey, ...call })

describe("a sequence", () => {
  it("changes only at the version in If-Match, and has its version as ETag", async () => {
    const created = await sequences("POST", "", { body: { name: "Quotes", steps: [wait("one")] } })
    expect(created.status).toBe(201)
    const path = `/${textAt(created.json, "id")}`
    const patch = (tag: string | null, body: object): Promise<Answer> =>
      sequences("PATCH", path, { body, ...(tag === null ? {} : { headers: { "if-match": tag } }) })
    const second = await patch('"1"', { steps: [wait("two")] })
    expect([second.status, second.headers.get("etag")]).toEqual([200, '"2"'])
    const late = await patch('"1"', { steps: [wait("lost")] })
    expect([late.status, late.code, at(late.json, "error", "details")]).toEqual([
      412,
      "PRECONDITION_FAILED",
      { version: 2 }
    ])
    expect((await patch("two", { name: "Lost" })).status).toBe(400)
    const read = await sequences("GET", path)
    expect([read.headers.get("etag"), at(read.json, "name"), at(read.json, "steps", "0", "name")]).toEqual([
      '"2"',
      "Quotes",
      "two"
    ])
    // A changed name keeps the version, and a request without the header changes any version.
    expect((await patch('"2"', { name: "Offers" })).headers.get("etag")).toBe('"2"')
    expect((await patch(null, { steps: [wait("three")] })).headers.get("etag")).toBe('"3"')
  })

  it("has a holdout group of at most 90 percent, which keeps its version, and statistics of both groups", async () => {
    const created = await sequences("POST", "", { body: { name: "Quotes", steps: [wait("one")], holdout_percent: 20 } })
    expect(at(created.json, "holdout_percent")).toBe(20)
    const path = `/${textAt(created.json, "id")}`
    for (const percent of [-1, 91, 1.5, "many"])
      expect((await sequences("PATCH", path, { body: { holdout_percent: percent } })).status).toBe(400)
    const changed = await sequences("PATCH", path, { body: { holdout_percent: 0 } })
    expect([at(changed.json, "holdout_percent"), changed.headers.get("etag")]).toEqual([0, '"1"'])
    const none = { contacts: 0, answered: 0, won: 0 }
    const statistics = await sequences("GET", `${path}/statistics`)
    expect(statistics.json).toEqual({
      enrolled: none,
      held_out: none,
      since: null,
      last_7_days: { emails: 0, texts: 0, bounced: 0, complained: 0, opted_out: 0 }
    })
    expect((await sequences("GET", "/seq_00000000000000000000000000/statistics")).status).toBe(404)
  })

  it("has limits with safe defaults, and is paused and resumed by people who manage it", async () => {
    const created = await sequences("POST", "", { body: { name: "Quotes", steps: [wait("one")] } })
    const limits = { bounce_percent: 5, complaint_percent: 0.3, opt_out_percent: 5, min_messages: 50 }
    expect(created.json).toMatchObject({ limits, paused_at: null, pause_reason: null, pause_detail: null })
    const path = `/${textAt(created.json, "id")}`
    for (const wrong of [{ bounce_percent: 0 }, { opt_out_percent: 101 }, { min_messages: 0 }, { min_messages: null }])
      expect((await sequences("PATCH", path, { body: { limits: { ...limits, ...wrong } } })).status).toBe(400)
    const lifted = { ...limits, complaint_percent: null }
    const changed = await sequences("PATCH", path, { body: { limits: lifted } })
    expect([at(changed.json, "limits"), changed.headers.get("etag")]).toEqual([lifted, '"1"'])
    const paused = await sequences("POST", `${path}/pause`)
    expect(paused.json).toMatchObject({ pause_reason: "by_person", paused_at: expect.any(String) })
    expect((await sequences("GET", path)).json).toEqual(paused.json)
    expect((await sequences("POST", `${path}/resume`)).json).toMatchObject({ pause_reason: null, paused_at: null })
  })

  it("keeps channels, texts and ends of waits as they were sent, and has results", async () => {
    const field = { entity: "contact", key: "visit", label: "Visit", type: "date" }
    const fields = "/api/v1/tenants/acme/fields"
    expect((await server.call("POST", fields, { as: adminKey, body: field })).status).toBe(201)
    const send = {
      name: "hello",
      kind: "send",
      channel: "email",
      delay: { amount: 0, unit: "minutes" },
      subject: "Hello",
      body: "Hello",
      weight: 2,
      variants: [{ name: "short", weight: 1, subject: "Hi", body: "Hi" }],
      fallback: [{ channel: "sms", body: "Hi" }]
    }
    const eve = { ...wait("eve"), until: { field: "visit", days: -1, time: "10:00", otherwise: "continue" } }
    const steps = [send, eve, { ...wait("morning"), until: { time: "09:00" } }]
    const created = await sequences("POST", "", { body: { name: "Tested", steps } })
    expect([created.status, at(created.json, "steps"), at(created.json, "rule_id")]).toEqual([201, steps, null])
    const results = await sequences("GET", `/${textAt(created.json, "id")}/results`)
    expect([results.status, results.json]).toEqual([200, { enrolments: 0, results: [] }])
    for (const wrong of [
      { ...eve, until: { time: "25:00" } },
      { ...eve, until: { time: "09:00", hour: 9 } },
      { ...eve, until: { field: "unknown" } },
      { ...send, variants: [] },
      { ...send, fallback: [{ channel: "sms", subject: "Hi" }] },
      { ...send, weight: 0 }
    ])
      expect([wrong, (await sequences("POST", "", { body: { name: "Wrong", steps: [wrong] } })).status]).toEqual([
        wrong,
        400
      ])
  })
})
