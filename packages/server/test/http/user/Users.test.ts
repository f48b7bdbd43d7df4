import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Issuer, startIssuer } from "../../world/Issuer.ts"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let issuer: Issuer
let server: TestServer
let world: World
const base = "/api/v1/tenants/acme"

beforeAll(async () => {
  issuer = await startIssuer()
  server = startServer(issuer.env)
  world = await makeWorld(server)
})
afterAll(async () => {
  await server.close()
  await issuer.stop()
})

const call = (method: string, path: string, body?: unknown, as = adminKey, headers = {}) =>
  server.call(method, `${base}${path}`, { as, headers, ...(body === undefined ? {} : { body }) })

const create = async (name: string): Promise<string> =>
  textAt((await call("POST", "/users", { name, email: `${name}@business.example` })).json, "id")

const sessionOf = async (user: object): Promise<string> =>
  textAt(
    (await server.call("POST", "/api/v1/sessions", { as: adminKey, body: { tenant_id: "acme", ...user } })).json,
    "token"
  )

/** Returns a session with the role of a user. */
const consoleSessionOf = async (user_id: string): Promise<string> => {
  const body = { tenant_id: "acme", user_id }
  const ticket = textAt((await server.call("POST", "/api/v1/sessions/tickets", { as: adminKey, body })).json, "ticket")
  return textAt((await server.call("POST", "/api/v1/sessions", { body: { ticket } })).json, "token")
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/u)

describe("users", () => {
  it("are created, read, listed and changed without their subject", async () => {
    const created = await call("POST", "/users", { name: "Zoe", email: "Zoe@business.example", role: "manager" })
    expect(created.status).toBe(201)
    expect(created.json).toEqual({
      id: expect.stringMatching(/^usr_/u),
      name: "Zoe",
      email: "zoe@business.example",
      role: "manager",
      active: true,
      working_hours: null,
      time_zone: null,
      signature: null,
      created_at: time,
      updated_at: time
    })
    const id = textAt(created.json, "id")
    const hours = [{ days: ["mon"], from: "09:00", to: "17:00" }]
    const changed = await call("PATCH", `/users/${id}`, { working_hours: hours, time_zone: "Europe/Berlin" })
    expect(changed.json).toMatchObject({ working_hours: hours, time_zone: "Europe/Berlin", name: "Zoe" })
    expect((await call("GET", `/users/${id}`)).json).toEqual(changed.json)
    expect((await call("POST", "/users", { name: "Zoe 2", email: "zoe@business.example" })).status).toBe(409)
    expect((await call("PATCH", `/users/${id}`, { time_zone: "Mars/Olympus" })).status).toBe(400)
    const listed = await call("GET", "/users?active=true&limit=1", undefined, world.acme.apiKey)
    expect(at(listed.json, "users", 0, "id")).toBe(id)
  })

  it("of another tenant are not found", async () => {
    const id = await create("Yan")
    expect((await server.call("GET", `/api/v1/tenants/other/users/${id}`, { as: adminKey })).status).toBe(404)
    const inOther = await server.call("GET", "/api/v1/tenants/other/users", { as: adminKey })
    expect(inOther.json).toEqual({ users: [], next_cursor: null })
  })

  it("act through ID tokens and sessions, and change their own profile only", async () => {
    const token = await issuer.token({ sub: "xia", name: "Xia", email: "xia@business.example" })
    const me = await call("GET", "/users/me", undefined, token)
    expect(me.json).toMatchObject({ name: "Xia", email: "xia@business.example", role: "agent" })
    const session = await sessionOf({ user_id: textAt(me.json, "id") })
    const changed = await call("PATCH", "/users/me", { signature: "Xia from Acme" }, session)
    expect(changed.json).toMatchObject({ id: textAt(me.json, "id"), signature: "Xia from Acme" })
    expect((await call("PATCH", "/users/me", { role: "admin" }, session)).status).toBe(400)
    expect((await call("PATCH", `/users/${textAt(me.json, "id")}`, { role: "admin" }, session)).status).toBe(403)
    expect((await call("GET", "/users/me", undefined, world.acme.apiKey)).status).toBe(404)
  })

  it("are rejected in their tenant after they were deactivated", async () => {
    const token = await issuer.token({ sub: "wes", name: "Wes", email: "wes@business.example" })
    const id = textAt((await call("GET", "/users/me", undefined, token)).json, "id")
    const session = await sessionOf({ user: { name: "Wes", email: "wes@business.example" } })
    expect((await call("GET", "/leads", undefined, session)).status).toBe(200)
    expect((await call("DELETE", `/users/${id}`)).json).toMatchObject({ id, active: false })
    for (const credential of [token, session]) {
      const rejected = await call("GET", "/leads", undefined, credential)
      expect([rejected.status, rejected.code]).toEqual([403, "FORBIDDEN"])
      expect(rejected.text).toContain("is deactivated in this tenant")
    }
    expect((await call("PATCH", `/users/${id}`, { active: true })).status).toBe(200)
    expect((await call("GET", "/leads", undefined, session)).status).toBe(200)
  })

  it("cannot give up the role of the only administrator by themselves", async () => {
    const boss = textAt(
      (await call("POST", "/users", { name: "Boss", email: "boss@x.example", role: "admin" })).json,
      "id"
    )
    const session = await consoleSessionOf(boss)
    const own = (method: string, body?: unknown) => call(method, `/users/${boss}`, body, session)
    for (const answer of [
      await own("DELETE"),
      await own("PATCH", { active: false }),
      await own("PATCH", { role: "agent" })
    ]) {
      expect([answer.status, answer.code]).toEqual([409, "CONFLICT"])
      expect(answer.text).toContain("Give another user the role admin first")
    }
    const second = textAt(
      (await call("POST", "/users", { name: "Vice", email: "vice@x.example", role: "admin" })).json,
      "id"
    )
    expect((await call("DELETE", `/users/${second}`)).status).toBe(200)
    expect((await own("DELETE")).status).toBe(409)
    expect((await call("PATCH", `/users/${second}`, { active: true })).status).toBe(200)
    expect((await own("DELETE")).json).toMatchObject({ active: false })
    // The operator may deactivate the last one.
    expect((await call("DELETE", `/users/${second}`)).json).toMatchObject({ active: false })
  })

  it("keep their former name in records of their actions after they were renamed", async () => {
    const contact = textAt((await call("POST", "/contacts", { name: "Jo" })).json, "id")
    const token = await issuer.token({ sub: "ada", name: "Ada", role: "admin", tenants: ["acme"] })
    const as = (method: string, path: string, body: unknown) =>
      server.call(method, `/api/v1${path}`, { as: token, body })
    await as("PATCH", "/config/acme", { reply_mode: "draft" })
    await as("PATCH", `/tenants/acme/contacts/${contact}`, { notes: "Prefers calls." })
    const user = textAt((await call("GET", "/users/me", undefined, token)).json, "id")
    expect((await call("PATCH", `/users/${user}`, { name: "Ada Lovelace" })).json).toMatchObject({
      name: "Ada Lovelace"
    })
    const [audit, timeline] = [await call("GET", "/audit"), await call("GET", `/contacts/${contact}/timeline`)]
    const config = await server.call("GET", "/api/v1/config/acme/audit", { as: adminKey })
    expect(at(audit.json, "entries", 1)).toMatchObject({ action: "config.update", user_id: user, user_name: "Ada" })
    expect(at(timeline.json, "entries", 0)).toMatchObject({ type: "notes_changed", user_id: user, user_name: "Ada" })
    expect(at(config.json, "entries", 0)).toMatchObject({ changed_by_user: user, changed_by_user_name: "Ada" })
  })

  it("cannot read a lead by its id after they were deactivated", async () => {
    const lead = await call("POST", "/leads", { contact: { email: "jo@customer.example" } })
    const path = `/api/v1/leads/${textAt(lead.json, "id")}`
    const token = await issuer.token({ sub: "vic", name: "Vic" })
    const id = textAt((await call("GET", "/users/me", undefined, token)).json, "id")
    const session = await sessionOf({ user_id: id })
    await call("DELETE", `/users/${id}`)
    for (const as of [token, session]) {
      for (const route of [path, `${path}/conversation`])
        expect((await server.call("GET", route, { as })).status).toBe(403)
    }
  })

  it("are named by API keys in X-Acting-User for operations of agents", async () => {
    const id = await create("Uma")
    const headers = { "x-acting-user": id }
    const me = await call("GET", "/users/me", undefined, world.acme.apiKey, headers)
    expect(at(me.json, "id")).toBe(id)
    expect((await call("GET", "/users/me", undefined, world.acme.session, headers)).status).toBe(403)
    expect((await call("POST", "/teams", { name: "T" }, adminKey, headers)).status).toBe(403)
    const { paths } = Object((await server.call("GET", "/openapi.json")).json)
    const namesOf = (path: string, verb: string) =>
      (paths[`/api/v1/tenants/{tenant_id}${path}`]?.[verb]?.parameters ?? []).map(({ name }: { name: string }) => name)
    expect(namesOf("/users/me", "get")).toContain("x-acting-user")
    expect(namesOf("/teams", "post")).not.toContain("x-acting-user")
    const foreign = { as: world.other.apiKey, headers }
    expect((await server.call("GET", "/api/v1/tenants/other/users/me", foreign)).status).toBe(403)
  })
})

describe("assignment", () => {
  it("sets the user and the team of a lead, and filters lists by them", async () => {
    const user = await create("Sam")
    const team = textAt((await call("POST", "/teams", { name: "Repairs", member_ids: [user] })).json, "id")
    const contact = { email: "lead@customer.example" }
    const made = await call("POST", "/leads", { contact, assignee_id: user }, world.acme.apiKey)
    expect(made.json).toMatchObject({ assignee_id: user, team_id: null })
    const path = `/leads/${textAt(made.json, "id")}`
    const session = await sessionOf({ user_id: user })
    const changed = await call("PATCH", path, { team_id: team, assignee_id: null }, session)
    expect(changed.json).toMatchObject({ assignee_id: null, team_id: team })
    const found = await call("GET", `/leads?team_id=${team}`, undefined, session)
    expect(at(found.json, "leads", 0, "id")).toBe(textAt(made.json, "id"))
    expect((await call("GET", `/leads?assignee_id=${user}`, undefined, session)).json).toMatchObject({ leads: [] })
    const unknown = await call("PATCH", path, { assignee_id: "usr_nobody" }, session)
    expect([unknown.status, at(unknown.json, "error", "details", 0, "path")]).toEqual([400, "assignee_id"])
    const timeline = await call("GET", `/contacts/${textAt(made.json, "contact_id")}/timeline`, undefined, session)
    const entry = { type: "lead_assigned", user_id: user, user_name: "Sam", actor: "agent" }
    expect(at(timeline.json, "entries", 0)).toMatchObject(entry)
    const rejected = await call("POST", "/leads", { contact, team_id: "team_nobody" })
    expect(rejected.status).toBe(400)
  })
})

describe("teams", () => {
  it("are created, changed, listed and deleted", async () => {
    const member = await create("Tom")
    const created = await call("POST", "/teams", { name: "Sales", member_ids: [member] })
    expect(created.status).toBe(201)
    const id = textAt(created.json, "id")
    expect(created.json).toEqual({ id, name: "Sales", member_ids: [member], created_at: time, updated_at: time })
    expect((await call("POST", "/teams", { name: "Sales" })).status).toBe(409)
    expect((await call("PATCH", `/teams/${id}`, { member_ids: ["usr_nobody"] })).status).toBe(400)
    expect((await call("PATCH", `/teams/${id}`, { name: "Field sales" })).json).toMatchObject({ name: "Field sales" })
    expect((await call("GET", "/teams", undefined, world.acme.session)).text).toContain(id)
    expect((await call("DELETE", `/teams/${id}`, undefined, world.acme.session)).status).toBe(403)
    expect((await call("DELETE", `/teams/${id}`)).status).toBe(204)
    expect((await call("GET", `/teams/${id}`)).status).toBe(404)
  })
})
