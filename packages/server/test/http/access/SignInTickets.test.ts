import { signInTicketMillis } from "@leadloom/core/internal/domain/access/SignInTicket"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { type Answer, adminKey, startServer, textAt, type TestServer } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World
beforeAll(async () => {
  server = startServer()
  world = await makeWorld(server)
})
afterEach(() => vi.useRealTimers())
afterAll(() => server.close())

const create = (body: Readonly<Record<string, unknown>> = {}): Promise<Answer> =>
  server.call("POST", "/api/v1/sessions/tickets", { as: adminKey, body: { tenant_id: "acme", ...body } })

const ticketOf = async (body?: Readonly<Record<string, unknown>>): Promise<string> =>
  textAt((await create(body)).json, "ticket")

const redeem = (ticket: string): Promise<Answer> => server.call("POST", "/api/v1/sessions", { body: { ticket } })

describe("a sign-in ticket", () => {
  it("becomes one session of its tenant and user, without a credential", async () => {
    const ticket = await ticketOf({ user: { name: "Ann", email: "ann@business.example" } })
    const session = await redeem(ticket)
    expect(session.status).toBe(200)
    const as = textAt(session.json, "token")
    const me = await server.call("GET", "/api/v1/tenants/acme/users/me", { as })
    expect([me.status, textAt(me.json, "id")]).toEqual([200, textAt(session.json, "user_id")])
    expect((await server.call("GET", "/api/v1/tenants/other/users/me", { as })).status).toBe(403)
    expect((await redeem(ticket)).code).toBe("UNAUTHORIZED")
  })

  it("is used by one of several concurrent requests", async () => {
    const ticket = await ticketOf()
    const statuses = (await Promise.all([1, 2, 3, 4].map(() => redeem(ticket)))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401])
  })

  it("is valid for ten minutes", async () => {
    const tickets = [await ticketOf(), await ticketOf()]
    const now = Date.now()
    vi.useFakeTimers({ toFake: ["Date"], now: now + signInTicketMillis - 5_000 })
    expect((await redeem(tickets[0] ?? "")).status).toBe(200)
    vi.setSystemTime(now + signInTicketMillis + 5_000)
    expect((await redeem(tickets[1] ?? "")).status).toBe(401)
  })

  it("is refused when it is changed, of another tenant, or a stream ticket", async () => {
    const ticket = await ticketOf()
    const stream = await server.call("POST", "/api/v1/tenants/acme/events/ticket", { as: adminKey })
    const wrong = [
      `${ticket}x`,
      ticket.replace("acme.", "other."),
      ticket.replace("acme.", ""),
      `acme.${textAt(stream.json, "ticket")}`,
      "acme."
    ]
    for (const one of wrong) expect([one, (await redeem(one)).code]).toEqual([one, "UNAUTHORIZED"])
    expect((await redeem(ticket)).status).toBe(200)
  })

  it("needs the right to create sessions", async () => {
    const body = { tenant_id: "acme" }
    for (const as of [world.acme.apiKey, world.acme.session]) {
      expect((await server.call("POST", "/api/v1/sessions/tickets", { as, body })).code).toBe("FORBIDDEN")
    }
    expect((await server.call("POST", "/api/v1/sessions/tickets", { body })).code).toBe("UNAUTHORIZED")
  })
})
