import { createHmac } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World
let secret: string

const base = "/api/v1/tenants/acme/assistant"
const toolPath = (tenant = "acme") => `/api/v1/voice/assistant/${tenant}/tools`

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const post = (body: unknown, headers: Readonly<Record<string, string>>, tenant = "acme"): Promise<Answer> =>
  server.call("POST", toolPath(tenant), { body, headers })

const call = { id: "call-1", type: "inboundPhoneCall", customer: { number: "+15550002222" } }
const requests = (...tools: ReadonlyArray<unknown>) => ({ message: { type: "tool-calls", call, toolCallList: tools } })
const lookup = { id: "t1", type: "function", function: { name: "lookup_contact", arguments: "{}" } }

describe("the tool of a voice assistant", () => {
  it("answers 503 without a secret, even for unknown tenants", async () => {
    for (const tenant of ["acme", "nobody"]) {
      const answer = await post(requests(lookup), { "x-assistant-secret": "x" }, tenant)
      expect([answer.status, answer.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    }
    expect((await server.call("GET", base, { as: adminKey })).status).toBe(404)
  })

  it("has a secret that administrators create and that is shown once", async () => {
    for (const as of [world.acme.apiKey, world.acme.session]) {
      expect((await server.call("PUT", `${base}/secret`, { as })).status).toBe(403)
    }
    const made = await server.call("PUT", `${base}/secret`, { as: adminKey })
    expect(made.status).toBe(200)
    secret = textAt(made.json, "secret")
    const read = await server.call("GET", base, { as: adminKey })
    expect(read.json).toMatchObject({ prefix: secret.slice(0, 12), retell: false })
    expect(read.text).not.toContain(secret)
  })

  it("accepts the secret in three headers and no other credential", async () => {
    for (const headers of [
      { "x-assistant-secret": secret },
      { "x-vapi-secret": secret },
      { authorization: `Bearer ${secret}` }
    ]) {
      expect((await post(requests(lookup), headers)).status).toBe(200)
    }
    for (const headers of [{}, { authorization: `Bearer ${world.acme.apiKey}` }, { "x-assistant-secret": adminKey }]) {
      const answer = await post(requests(lookup), headers)
      expect([answer.status, answer.code]).toEqual([401, "UNAUTHORIZED"])
    }
    const other = await server.call("PUT", "/api/v1/tenants/other/assistant/secret", { as: adminKey })
    const foreign = { "x-assistant-secret": textAt(other.json, "secret") }
    expect((await post(requests(lookup), foreign)).status).toBe(401)
    expect((await server.call("GET", toolPath(), { as: secret })).status).toBe(405)
  })

  it("answers every id of Vapi once, in one line, including errors, and repeats no action", async () => {
    const tools = [
      { id: "t2", function: { name: "create_lead", arguments: { name: "Jo", message: "The\nroof leaks" } } },
      { id: "t3", name: "book_callback", parameters: { time: "2001-01-01" } },
      { id: "t4", function: { name: "sing", arguments: "[" } },
      { id: "t2", function: { name: "create_lead", arguments: { name: "Jo", message: "The\nroof leaks" } } }
    ]
    const [first, again] = [
      await post(requests(...tools), { "x-vapi-secret": secret }),
      await post(requests(...tools), { "x-vapi-secret": secret })
    ]
    expect(first.status).toBe(200)
    expect(again.json).toEqual(first.json)
    expect(first.text).not.toContain("\\n")
    expect(at(first.json, "results")).toEqual([
      { toolCallId: "t2", name: "create_lead", result: expect.stringContaining("noted") },
      { toolCallId: "t3", name: "book_callback", error: expect.stringContaining("2001-01-01") },
      { toolCallId: "t4", name: "sing", error: expect.stringContaining("Unknown tool") }
    ])
    const found = await server.call("GET", "/api/v1/tenants/acme/conversations", { as: adminKey })
    const contactId = textAt(found.json, "conversations", 0, "contact_id")
    const path = `/api/v1/tenants/acme/conversations/${contactId}`
    expect(at((await server.call("GET", path, { as: adminKey })).json, "messages")).toHaveLength(1)
  })

  it("ignores other messages of Vapi, stores the end of a call and rejects invalid ones", async () => {
    const headers = { "x-vapi-secret": secret }
    const status = await post({ message: { type: "status-update", call } }, headers)
    expect([status.status, status.json]).toEqual([200, {}])
    const report = {
      type: "end-of-call-report",
      call,
      transcript: "User: Hello",
      startedAt: "2026-01-01T09:00:00Z",
      endedAt: "2026-01-01T09:01:00Z"
    }
    for (const _ of [1, 2]) expect((await post({ message: report }, headers)).status).toBe(200)
    for (const body of ["", "[]", "{", {}, { hello: 1 }]) expect((await post(body, headers)).status).toBe(400)
    const many = await post(`[${"{},".repeat(500_000)}{}]`, headers)
    expect([many.status, many.text]).toEqual([400, expect.stringContaining("Expected at most 400000 values.")])
  })

  it("keeps calls apart on a platform that numbers requests per call", async () => {
    const wants = (id: string, number: string) => ({
      message: {
        type: "tool-calls",
        call: { ...call, id, customer: { number } },
        toolCallList: [{ id: "call_1", function: { name: "create_lead", arguments: { message: `I am ${id}` } } }]
      }
    })
    for (const wanted of [wants("call-2", "+15550002223"), wants("call-3", "+15550002224")]) {
      const answer = await post(wanted, { "x-vapi-secret": secret })
      expect(textAt(answer.json, "results", 0, "result")).toContain("noted")
    }
    const found = await server.call("GET", "/api/v1/tenants/acme/conversations", { as: adminKey })
    for (const id of ["call-2", "call-3"]) expect(found.text).toContain(`I am ${id}`)
  })

  it("accepts impossible values of a platform and answers every message", async () => {
    const long = Array.from({ length: 60 }, (_, at) => createHmac("sha512", "").update(`${at}`).digest("base64")).join(
      ""
    )
    const end = (of: object) =>
      JSON.stringify({ event: "call_ended", call: { call_id: "r0", from_number: "+15550002225", ...of } })
    const deep = `{"name":"create_lead","call":{},"args":{"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}}`
    for (const body of [
      end({ call_id: "r2", start_timestamp: 1_700_000_000_000.5, end_timestamp: 1_700_000_060_000.25 }),
      end({ call_id: "r3", start_timestamp: -1e300, end_timestamp: 1e300 }),
      end({ call_id: long }),
      deep
    ])
      expect((await post(body, { "x-assistant-secret": secret })).status).toBe(200)
    const calls = await server.call("GET", "/api/v1/tenants/acme/calls", { as: adminKey })
    expect(at(calls.json, "calls")).toContainEqual(
      expect.objectContaining({ from: "+15550002225", duration_seconds: 60 })
    )
  })

  it("authenticates Retell by its signature and answers with data", async () => {
    const key = "key_00000000000000000000"
    expect((await server.call("PUT", `${base}/retell-key`, { as: adminKey, body: { api_key: "a b" } })).status).toBe(
      400
    )
    const set = await server.call("PUT", `${base}/retell-key`, { as: adminKey, body: { api_key: key } })
    expect(set.json).toMatchObject({ retell: true })
    expect(set.text).not.toContain(key)
    const retell = { call_id: "r1", direction: "inbound", from_number: "+15550002222" }
    const body = JSON.stringify({ name: "lookup_contact", call: retell, args: {} })
    const signed = (of: string, when = Date.now()) => {
      const digest = createHmac("sha256", key).update(`${of}${when}`).digest("hex")
      return { "x-retell-signature": `v=${when},d=${digest}` }
    }
    const answer = await post(body, signed(body))
    expect(answer.json).toMatchObject({ known: true, name: "Jo", result: expect.stringContaining("This is Jo.") })
    const refused = await post(JSON.stringify({ name: "book_callback", call: retell, args: { time: "never" } }), {
      "x-assistant-secret": secret
    })
    expect([refused.status, refused.json]).toEqual([200, { error: expect.stringContaining("never") }])
    for (const headers of [signed("{}"), signed(body, Date.now() - 301_000), { "x-retell-signature": "v=1,d=2" }]) {
      expect((await post(body, headers)).status).toBe(401)
    }
    expect((await server.call("DELETE", base, { as: adminKey })).status).toBe(204)
    expect((await post(body, signed(body))).status).toBe(503)
  })
})
