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
