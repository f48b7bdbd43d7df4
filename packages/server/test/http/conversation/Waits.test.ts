import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer } from "../../world/TestServer.ts"
import { makeWorld, sourceId, type World } from "../../world/World.ts"

let server: TestServer
let world: World
beforeEach(async () => {
  server = startServer()
  world = await makeWorld(server)
})
afterEach(() => server.close())

const send = async (): Promise<string> => {
  const body = { entity: { email: "jane@customer.example", name: "Jane" }, content: { body: "A roof?" } }
  const sent = await server.call("POST", `/api/v1/events/acme/${sourceId}`, { as: world.acme.sourceKey, body })
  return String(at(sent.json, "event_id"))
}

const firstMessage = async (): Promise<unknown> => {
  const as = world.acme.session
  const list = await server.call("GET", "/api/v1/tenants/acme/conversations", { as })
  const contact = String(at(list.json, "conversations", 0, "contact_id"))
  const found = await server.call("GET", `/api/v1/tenants/acme/conversations/${contact}`, { as })
  return at(found.json, "messages", 0)
}

describe("a message that waits", () => {
  it("states until when and why, in its conversation and instead of its run", async () => {
    await server.call("PATCH", "/api/v1/config/acme", { as: adminKey, body: { reply_wait_seconds: 600 } })
    const before = Date.now()
    const signal = await send()
    const message = await firstMessage()
    const until = String(at(message, "waits_until"))
    expect(Date.parse(until)).toBeGreaterThanOrEqual(before + 600_000)
    expect(until).toBe(new Date(until).toISOString())
    expect(at(message, "reason")).toContain("reply_wait_seconds")
    const as = world.acme.apiKey
    const run = await server.call("GET", `/api/v1/tenants/acme/pipeline/runs/${signal}`, { as })
    expect([run.status, run.code]).toEqual([404, "NOT_FOUND"])
    expect(at(run.json, "error", "message")).toContain(`waits until ${until}: `)
    expect(at(run.json, "error", "details")).toEqual([
      { path: "waits_until", message: until },
      { path: "reason", message: at(message, "reason") }
    ])
  })

  it("does not differ from other messages after the wait", async () => {
    const signal = await send()
    const message = await firstMessage()
    expect(at(message, "body")).toBe("A roof?")
    expect([at(message, "waits_until"), at(message, "reason")]).toEqual([undefined, undefined])
    const as = world.acme.apiKey
    const run = await server.call("GET", `/api/v1/tenants/acme/pipeline/runs/${signal}`, { as })
    expect(at(run.json, "error", "details")).toBeUndefined()
    const foreign = await server.call("GET", `/api/v1/tenants/other/pipeline/runs/${signal}`, {
      as: world.other.apiKey
    })
    expect(foreign.status).toBe(404)
  })
})
