import { presenceMillis } from "@leadloom/core/internal/domain/conversation/Presence"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { adminKey, at, requestOf, startServer, textAt, type TestServer } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World
let contactId: string
const users: Array<string> = []

const base = "/api/v1/tenants/acme"
const post = async (path: string, body: unknown) => (await server.call("POST", path, { as: adminKey, body })).json
const as = (user: string) => ({ as: world.acme.apiKey, headers: { "x-acting-user": user } })
const path = () => `${base}/conversations/${contactId}/presence`
const report = (user: string, state: string) => server.call("PUT", path(), { ...as(user), body: { state } })
const listed = async () => at((await server.call("GET", path(), { as: world.acme.apiKey })).json, "presence")

beforeAll(async () => {
  server = startServer()
  world = await makeWorld(server)
  for (const name of ["Ann", "Bob"]) {
    users.push(textAt(await post(`${base}/users`, { name, email: `${name}@business.example` }), "id"))
  }
  const event = { entity: { email: "jo@customer.example" }, content: { body: "Hello", channel: "chat" } }
  const headers = { "x-source-key": world.acme.sourceKey }
  await server.call("POST", "/api/v1/events/acme/crm", { headers, body: event })
  const { json } = await server.call("GET", `${base}/conversations`, { as: adminKey })
  contactId = textAt(json, "conversations", 0, "contact_id")
})
afterEach(() => vi.useRealTimers())
afterAll(() => server.close())

describe("presence", () => {
  it("shows who views a conversation and who types, until they leave or stop renewing", async () => {
    const [ann = "", bob = ""] = users
    vi.useFakeTimers({ toFake: ["Date"] })
    const start = Date.now()
    const first = await report(ann, "viewing")
    expect([first.status, first.json]).toEqual([
      200,
      {
        presence: [
          {
            user_id: ann,
            name: "Ann",
            state: "viewing",
            since: new Date(start).toISOString(),
            expires_at: new Date(start + presenceMillis).toISOString()
          }
        ]
      }
    ])
    vi.setSystemTime(start + 20_000)
    await report(ann, "viewing")
    await report(bob, "typing")
    expect(await listed()).toMatchObject([
      { user_id: ann, since: new Date(start).toISOString() },
      { user_id: bob, state: "typing", since: new Date(start + 20_000).toISOString() }
    ])
    expect((await report(bob, "left")).json).toMatchObject({ presence: [{ user_id: ann }] })
    vi.setSystemTime(start + 20_000 + presenceMillis)
    expect(await listed()).toEqual([])
  })

  it("belongs to a user, a conversation and a tenant", async () => {
    const { as: key } = as("")
    const nameless = await server.call("PUT", path(), { as: key, body: { state: "viewing" } })
    expect([nameless.status, at(nameless.json, "error", "details", 0, "path")]).toEqual([400, "x-acting-user"])
    expect((await report(users[0] ?? "", "sleeping")).status).toBe(400)
    const unknown = `${base}/conversations/con_unknown/presence`
    expect((await server.call("GET", unknown, { as: key })).status).toBe(404)
    expect((await server.call("GET", path(), { as: world.other.apiKey })).status).toBe(403)
  })

  it("is streamed without being stored, for streams that request it", async () => {
    const open = await server.fetch(requestOf("GET", `${base}/events/stream?presence=true`, { as: adminKey }))
    const reader = open.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain("retry:")
    const before = await server.call("GET", `${base}/events?limit=500`, { as: adminKey })
    await report(users[0] ?? "", "typing")
    const text = (await reader?.read())?.value ?? ""
    expect(text).toMatch(/^event: conversation\.presence\ndata: \{.*\}\n\n$/u)
    expect(JSON.parse(text.split("data: ")[1] ?? "")).toMatchObject({
      event_type: "conversation.presence",
      tenant_id: "acme",
      data: { contact_id: contactId, user_id: users[0], name: "Ann", state: "typing" }
    })
    await reader?.cancel()
    const after = await server.call("GET", `${base}/events?limit=500`, { as: adminKey })
    expect(after.json).toEqual(before.json)
  })
})
