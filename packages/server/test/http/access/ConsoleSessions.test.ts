import { consoleSessionMillis } from "@leadloom/core/internal/domain/access/ConsoleSession"
import { sessionLifetimeMillis } from "@leadloom/core/internal/domain/access/SessionToken"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { type Answer, adminKey, at, startServer, textAt, type TestServer } from "../../world/TestServer.ts"
import { type Issuer, startIssuer } from "../../world/Issuer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let issuer: Issuer
let server: TestServer
let world: World
beforeAll(async () => {
  issuer = await startIssuer()
  server = startServer(issuer.env)
  world = await makeWorld(server)
})
afterEach(() => vi.useRealTimers())
afterAll(async () => {
  await server.close()
  await issuer.stop()
})

const createTicket = (body: Readonly<Record<string, unknown>> = {}, as = adminKey): Promise<Answer> =>
  server.call("POST", "/api/v1/sessions/tickets", { as, body: { tenant_id: "acme", ...body } })

const signIn = async (body: Readonly<Record<string, unknown>> = {}): Promise<Answer> => {
  const ticket = textAt((await createTicket(body)).json, "ticket")
  return server.call("POST", "/api/v1/sessions", { body: { ticket } })
}
const tokenOf = async (body?: Readonly<Record<string, unknown>>): Promise<string> =>
  textAt((await signIn(body)).json, "token")
const statusOf = async (as: string, path = "/users"): Promise<number> =>
  (await server.call("GET", `/api/v1/tenants/acme${path}`, { as })).status
const renew = (as: string): Promise<Answer> => server.call("POST", "/api/v1/console-sessions/renew", { as })
const list = async (): Promise<Answer> => server.call("GET", "/api/v1/tenants/acme/console-sessions", { as: adminKey })

describe("the role of a console session", () => {
  it.each([
    ["agent", 200, 403, 403],
    ["manager", 200, 200, 403],
    ["admin", 200, 200, 200]
  ])("gives the rights of: %s", async (role, agent, manage, administer) => {
    const as = await tokenOf({ role })
    expect(await statusOf(as, "/contacts")).toBe(agent)
    expect(await statusOf(as, "/webhooks")).toBe(manage)
    expect(await statusOf(as, "/audit")).toBe(administer)
    expect((await server.call("GET", "/api/v1/tenants/other/contacts", { as })).status).toBe(403)
    expect((await server.call("GET", "/api/v1/admin/tenants/acme", { as })).status).toBe(403)
    expect((await createTicket({}, as)).code).toBe("FORBIDDEN")
  })

  it("is the role of its user, and the session ends when that role changes", async () => {
    const path = "/api/v1/tenants/acme/users"
    const body = { name: "Mia", email: "mia@business.example", role: "manager" }
    const user = textAt((await server.call("POST", path, { as: adminKey, body })).json, "id")
    const session = await signIn({ user_id: user })
    expect(textAt(session.json, "role")).toBe("manager")
    const as = textAt(session.json, "token")
    expect(await statusOf(as, "/webhooks")).toBe(200)
    await server.call("PATCH", `${path}/${user}`, { as: adminKey, body: { role: "agent" } })
    expect(await statusOf(as)).toBe(401)
  })

  it("ends when its user is deactivated", async () => {
    const path = "/api/v1/tenants/acme/users"
    const body = { name: "Lou", email: "lou@business.example", role: "agent" }
    const user = textAt((await server.call("POST", path, { as: adminKey, body })).json, "id")
    const as = await tokenOf({ user_id: user })
    expect(await statusOf(as, "/contacts")).toBe(200)
    await server.call("PATCH", `${path}/${user}`, { as: adminKey, body: { active: false } })
    expect(await statusOf(as, "/contacts")).toBe(401)
    expect((await renew(as)).status).toBe(401)
  })

  it("never exceeds the role of the creator", async () => {
    const manager = await issuer.token({ sub: "mara", role: "manager", tenants: ["acme"] })
    const superuser = await issuer.token({ sub: "sue", role: "superuser", tenants: [] })
    const ticket = await createTicket({}, manager)
    expect(ticket.status).toBe(200)
    const session = await server.call("POST", "/api/v1/sessions", { body: { ticket: textAt(ticket.json, "ticket") } })
    expect(textAt(session.json, "role")).toBe("manager")
    expect((await createTicket({ role: "admin" }, superuser)).status).toBe(200)
    const agent = await issuer.token({ sub: "al", role: "agent", tenants: "*" })
    const admin = { name: "Adam", email: "adam@business.example" }
    await createTicket({ user: admin, role: "admin" })
    expect((await createTicket({ user: admin }, agent)).code).toBe("FORBIDDEN")
  })
})

describe("a console session", () => {
  it("is renewed until its absolute end, and no other credential is", async () => {
    const first = await tokenOf()
    const start = Date.now()
    vi.useFakeTimers({ toFake: ["Date"], now: start + sessionLifetimeMillis - 60_000 })
    const second = await renew(first)
    expect(second.status).toBe(200)
    const token = textAt(second.json, "token")
    vi.setSystemTime(start + sessionLifetimeMillis + 60_000)
    expect([await statusOf(first), await statusOf(token)]).toEqual([401, 200])
    let last = second
    for (let renewals = 2; renewals <= 8; renewals++) {
      vi.setSystemTime(start + renewals * (sessionLifetimeMillis - 60_000))
      last = await renew(textAt(last.json, "token"))
    }
    expect(at(last.json, "expires_at")).toBe(at(last.json, "ends_at"))
    vi.setSystemTime(start + consoleSessionMillis + 60_000)
    expect(await statusOf(textAt(last.json, "token"))).toBe(401)
    vi.useRealTimers()
    for (const as of [world.acme.apiKey, world.acme.session, adminKey]) expect((await renew(as)).status).toBe(400)
  })

  it("is listed and revoked by an admin, with all of its tokens", async () => {
    const token = await tokenOf({ role: "manager" })
    const renewed = textAt((await renew(token)).json, "token")
    const before = await list()
    const [{ id, role }] = (at(before.json, "console_sessions") as ReadonlyArray<{ id: string; role: string }>).slice(
      -1
    ) as [{ id: string; role: string }]
    expect(role).toBe("manager")
    expect(before.text).not.toContain(token)
    const path = `/api/v1/tenants/acme/console-sessions/${id}`
    expect((await server.call("DELETE", path, { as: token })).status).toBe(403)
    expect((await server.call("DELETE", path.replace("acme", "other"), { as: adminKey })).status).toBe(404)
    expect((await server.call("DELETE", path, { as: adminKey })).status).toBe(204)
    expect([await statusOf(token), await statusOf(renewed)]).toEqual([401, 401])
    expect((await renew(renewed)).status).toBe(401)
    expect((await list()).text).not.toContain(id)
    expect((await server.call("DELETE", path, { as: adminKey })).status).toBe(404)
  })

  it("ends when the person signs out", async () => {
    const as = await tokenOf()
    expect((await server.call("DELETE", "/api/v1/console-sessions/current", { as })).status).toBe(204)
    expect(await statusOf(as)).toBe(401)
  })
})
