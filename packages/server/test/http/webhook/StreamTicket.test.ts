import { ticketMillis } from "@leadloom/core/internal/domain/access/StreamTicket"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { adminKey, requestOf, startServer, textAt, type TestServer } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World

const base = "/api/v1/tenants/acme"

beforeAll(async () => {
  server = startServer()
  world = await makeWorld(server)
})
afterEach(() => vi.useRealTimers())
afterAll(() => server.close())

const createTicket = async (as: string, headers: Readonly<Record<string, string>> = {}): Promise<string> => {
  const created = await server.call("POST", `${base}/events/ticket`, { as, headers })
  expect(created.status).toBe(201)
  return textAt(created.json, "ticket")
}

/** Reads the stored events with a ticket, as `EventSource` does: without headers. */
const streamWith = (ticket: string, path = base) =>
  server.call("GET", `${path}/events/stream?after=0&follow=false&ticket=${ticket}`)

const createUser = async (name: string): Promise<string> => {
  const body = { name, email: `${name}@business.example` }
  return textAt((await server.call("POST", `${base}/users`, { as: adminKey, body })).json, "id")
}

const sessionOf = async (userId: string): Promise<string> => {
  const body = { tenant_id: "acme", user_id: userId }
  return textAt((await server.call("POST", "/api/v1/sessions", { as: adminKey, body })).json, "token")
}

describe("a stream ticket", () => {
  it("opens one stream without a credential", async () => {
    await server.call("POST", `${base}/contacts`, { as: adminKey, body: { name: "Streamed" } })
    for (const as of [world.acme.apiKey, world.acme.session, adminKey]) {
      const ticket = await createTicket(as)
      const stream = await streamWith(ticket)
      expect(stream.status).toBe(200)
      expect(stream.text).toContain("event: contact.created\ndata: {")
      expect((await streamWith(ticket)).status).toBe(401)
    }
  })

  it("is valid for 60 seconds", async () => {
    const [early, late] = [await createTicket(world.acme.apiKey), await createTicket(world.acme.apiKey)]
    const now = Date.now()
    vi.useFakeTimers({ toFake: ["Date"], now: now + ticketMillis - 5_000 })
    expect((await streamWith(early)).status).toBe(200)
    vi.setSystemTime(now + ticketMillis)
    expect((await streamWith(late)).status).toBe(401)
  })

  it("is useless for another tenant, other operations and in another form", async () => {
    const ticket = await createTicket(adminKey)
    expect((await streamWith(ticket, "/api/v1/tenants/other")).status).toBe(401)
    expect((await server.call("GET", `${base}/events?ticket=${ticket}`)).status).toBe(401)
    expect((await server.call("GET", `${base}/contacts`, { as: ticket })).status).toBe(401)
    expect((await streamWith(`${ticket.slice(0, -1)}!`)).status).toBe(401)
    expect((await streamWith(ticket)).status).toBe(200)
  })

  it("ends with the credential that created it", async () => {
    const made = await server.call("POST", `${base}/api-keys`, { as: adminKey, body: { name: "browser" } })
    const ticket = await createTicket(textAt(made.json, "key"))
    await server.call("DELETE", `${base}/api-keys/${textAt(made.json, "id")}`, { as: adminKey })
    expect((await streamWith(ticket)).status).toBe(401)
  })

  it("needs a credential that may read events", async () => {
    const body = { name: "writer", scopes: ["messages"] }
    const writer = await server.call("POST", `${base}/api-keys`, { as: adminKey, body })
    const refused = await server.call("POST", `${base}/events/ticket`, { as: textAt(writer.json, "key") })
    expect(refused.status).toBe(403)
    expect((await server.call("POST", `${base}/events/ticket`)).status).toBe(401)
    expect((await server.call("POST", `${base}/events/ticket`, { as: world.other.apiKey })).status).toBe(403)
  })

  it("and its open stream end when its user is deactivated", async () => {
    const [direct, named] = [await createUser("Ann"), await createUser("Bob")]
    const tickets = [
      await createTicket(await sessionOf(direct)),
      await createTicket(world.acme.apiKey, { "x-acting-user": named })
    ]
    const open = await server.fetch(
      requestOf("GET", `${base}/events/stream?ticket=${await createTicket(await sessionOf(direct))}`)
    )
    const reader = open.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain("retry:")
    for (const user of [direct, named]) await server.call("DELETE", `${base}/users/${user}`, { as: adminKey })
    for (const ticket of tickets) expect((await streamWith(ticket)).status).toBe(403)
    let part = await reader?.read()
    // The events of the deactivations may arrive before the stream checks its user.
    while (part?.done === false) part = await reader?.read()
    expect(part).toEqual({ done: true, value: undefined })
  })
})
