import { firstSyncId } from "@leadloom/core/internal/domain/crm/CrmJob"
import { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import { problem, type StandInContact } from "@leadloom/testkit/highlevel/StandInState"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, adminKey, at, type Call, startServer, textAt } from "../../world/TestServer.ts"
import { makeWorld } from "../../world/World.ts"
import { type CrmServer, startCrmServer } from "./CrmServer.ts"

const providerEventPath = "/api/v1/webhook/providers/highlevel"

let scene: CrmServer
let highLevel: CrmServer["highLevel"]
let server: CrmServer["server"]
let world: CrmServer["world"]

beforeAll(async () => {
  scene = await startCrmServer()
  highLevel = scene.highLevel
  server = scene.server
  world = scene.world
})
afterAll(() => scene.close())

const work = (): Promise<void> => scene.work()

const crm = (method: string, path: string, call: Call = {}, tenant = "acme"): Promise<Answer> =>
  server.call(method, `/api/v1/tenants/${tenant}/crm${path}`, { as: adminKey, ...call })

const stateOf = async (tenant = "acme", call: Call = {}): Promise<string> =>
  new URL(textAt((await crm("GET", "/auth-url", call, tenant)).json, "url")).searchParams.get("state") ?? ""

const install = async (locationId: string, tenant = "acme"): Promise<Answer> =>
  crm("POST", "/callback", { body: { code: highLevel.choose(locationId), state: await stateOf(tenant) } }, tenant)

const providerEvent = (type: string, fields: object, changes: Readonly<Record<string, string>> = {}, age = 0) => {
  const { body, signature } = highLevel.providerEvent(type, fields, Date.now() - age)
  return server.call("POST", providerEventPath, {
    body: Buffer.from(body).toString(),
    headers: { "x-ghl-signature": signature, "content-type": "application/json", ...changes }
  })
}

const contactIn = (email: string): StandInContact => {
  const found = [...highLevel.state.contacts.values()].find((contact) => contact.email === email)
  return found ?? expect.fail(`${email} is not in the CRM`)
}

const contacts = (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/v1/tenants/acme/contacts${path}`, { as: adminKey, ...(body === undefined ? {} : { body }) })

const namesHere = async (): Promise<unknown> => {
  const page = (await contacts("GET", "")).json
  const list = at(page, "contacts")
  return Array.isArray(list) ? list.map((contact) => at(contact, "name")) : []
}

describe("a location of HighLevel", () => {
  it("is connected by its owner, whose return URL is valid once and for that sign-in", async () => {
    const url = new URL(textAt((await crm("GET", "/auth-url")).json, "url"))
    expect(url.origin + url.pathname).toBe("https://marketplace.gohighlevel.com/v2/oauth/chooselocation")
    const state = url.searchParams.get("state") ?? ""
    const body = { code: highLevel.choose("loc-1"), state }
    expect((await crm("POST", "/callback", { body }, "other")).code).toBe("BAD_REQUEST")
    expect((await crm("POST", "/callback", { body, as: world.acme.session })).status).toBe(403)
    const installed = await crm("POST", "/callback", { body })
    expect([installed.status, installed.json]).toEqual([
      201,
      expect.objectContaining({ location_id: "loc-1", company_id: "company-1", status: "installed", sync: "off" })
    ])
    expect(installed.text).not.toMatch(/access0|refresh0/u)
    const again = await crm("POST", "/callback", { body })
    expect([again.status, at(again.json, "error", "details", 0, "path")]).toEqual([400, "state"])
    expect(at((await crm("GET", "/installs")).json, "installs")).toEqual([installed.json])
    expect(at((await crm("GET", "/installs", {}, "other")).json, "installs")).toEqual([])
    const mapped = await server.call("GET", "/api/v1/admin/locations", { as: adminKey })
    expect(at(mapped.json, "locations", 0)).toMatchObject({ location_id: "loc-1", tenant_id: "acme", sessions: "off" })
  })

  it("is not connected with a rejected code or during an outage of the CRM", async () => {
    const refused = await crm("POST", "/callback", { body: { code: "made-up", state: await stateOf() } })
    expect([refused.status, at(refused.json, "error", "details", 0, "path")]).toEqual([400, "code"])
    highLevel.fault(problem(503, "Down"))
    const away = await install("loc-1")
    expect([away.status, away.code]).toEqual([502, "PROVIDER_ERROR"])
  })

  it("stays with its tenant if another tenant tries to connect it", async () => {
    await install("loc-1")
    const accepted = await install("loc-1", "other")
    expect([accepted.status, accepted.code]).toEqual([409, "CONFLICT"])
    expect(accepted.text).not.toContain("acme")
    expect(at((await crm("GET", "/installs", {}, "other")).json, "installs")).toEqual([])
  })

  it("is disconnected and connected again", async () => {
    expect((await install("loc-2")).status).toBe(201)
    expect((await crm("DELETE", "/installs/loc-2")).status).toBe(204)
    expect((await crm("DELETE", "/installs/loc-2")).code).toBe("NOT_FOUND")
    expect((await crm("PATCH", "/installs/loc-2", { body: { sync: "both" } })).code).toBe("NOT_FOUND")
    expect((await install("loc-2")).status).toBe(201)
    expect((await providerEvent("UNINSTALL", { locationId: "loc-2" })).status).toBe(200)
    expect(at((await crm("GET", "/installs")).json, "installs", 1)).toMatchObject({ status: "uninstalled" })
  })

  it("receives no contacts of a HIPAA tenant", async () => {
    await install("loc-clinic", "clinic")
    const closed = await crm("PATCH", "/installs/loc-clinic", { body: { sync: "both" } }, "clinic")
    expect([closed.status, closed.code]).toEqual([403, "HIPAA_RESTRICTED"])
    expect((await crm("PATCH", "/installs/loc-clinic", { body: { sync: "off" } }, "clinic")).status).toBe(200)
  })
})

describe("contacts and HighLevel", () => {
  it("are synchronised in both directions without echoes", async () => {
    await install("loc-1")
    expect((await crm("PATCH", "/installs/loc-1", { body: { sync: "some" } })).status).toBe(400)
    expect(at((await crm("PATCH", "/installs/loc-1", { body: { sync: "both" } })).json, "sync")).toBe("both")
    const made = await contacts("POST", "", { name: "Jo Smith", email: "jo@customer.example", tags: ["VIP"] })
    await work()
    expect(contactIn("jo@customer.example")).toMatchObject({ firstName: "Jo", lastName: "Smith", tags: ["vip"] })
    const { id, locationId } = contactIn("jo@customer.example")
    const requestCount = highLevel.exchanges.length
    expect((await providerEvent("ContactUpdate", contactIn("jo@customer.example"))).status).toBe(200)
    await work()
    expect(highLevel.exchanges.length).toBe(requestCount)
    const there = { ...contactIn("jo@customer.example"), firstName: "Josephine", tags: ["vip", "lead"] }
    highLevel.state.contacts.set(id, there)
    await providerEvent("ContactUpdate", { id, locationId, firstName: "Josephine", lastName: "Smith" })
    await work()
    const here = await contacts("GET", `/${textAt(made.json, "id")}`)
    expect(here.json).toMatchObject({ name: "Josephine Smith", tags: ["VIP", "lead"] })
    expect(highLevel.exchanges.slice(requestCount).map(({ request }) => request.method)).toEqual(["GET"])
    await contacts("PATCH", `/${textAt(made.json, "id")}`, { tags: ["lead"] })
    await work()
    expect(contactIn("jo@customer.example").tags).toEqual(["lead"])
  })

  it("are created here after they were created in the CRM", async () => {
    const ann = { id: "contact-ann", locationId: "loc-1", firstName: "Ann", email: "ann@customer.example", tags: [] }
    const dates = { dateAdded: "2026-03-02T09:00:00.000Z", dateUpdated: "2026-03-02T09:00:00.000Z" }
    highLevel.state.contacts.set("contact-ann", { ...ann, ...dates, dnd: false })
    await providerEvent("ContactCreate", ann)
    await work()
    expect(await namesHere()).toContain("Ann")
  })
})

/** Runs the jobs of the workers until all contacts are linked, and returns the progress. */
const workOn = async (locationId: string): Promise<unknown> => {
  for (let round = 0; round < 20; round++) {
    await work()
    const shown = at((await crm("GET", "/installs")).json, "installs")
    const install = Array.isArray(shown) ? shown.find((each) => at(each, "location_id") === locationId) : undefined
    if (at(install, "first_sync", "state") !== "running") return install
    const hurry = Effect.flatMap(Jobs, (jobs) => jobs.hurry("acme", firstSyncId(locationId), 0))
    await scene.server.run(hurry)
  }
  return expect.fail("it goes on for ever")
}

describe("contacts that exist when HighLevel is connected", () => {
  const sync = (locationId: string, call: Call = {}) => crm("POST", `/installs/${locationId}/sync`, call)

  it("are linked when the sync is switched on, and again on request", async () => {
    const installed = await install("loc-3")
    expect(at(installed.json, "first_sync")).toBeNull()
    expect([(await sync("loc-3")).status, (await sync("nowhere")).status]).toEqual([409, 404])
    const dates = { dateAdded: "2026-03-02T09:00:00.000Z", dateUpdated: "2026-03-02T09:00:00.000Z" }
    const bo = { id: "contact-bo", locationId: "loc-3", firstName: "Bo", email: "bo@customer.example", tags: [] }
    highLevel.state.contacts.set("contact-bo", { ...bo, ...dates, dnd: false })
    const begun = await crm("PATCH", "/installs/loc-3", { body: { sync: "both" } })
    expect(at(begun.json, "first_sync")).toMatchObject({ state: "running", step: "from_crm", finished_at: null })
    expect((await sync("loc-3")).status).toBe(202)
    const over = await workOn("loc-3")
    expect(at(over, "first_sync")).toMatchObject({ state: "done", crm_total: 1, crm_seen: 1, created: 1, reason: null })
    expect(at(over, "first_sync", "finished_at")).toEqual(expect.any(String))
    expect(await namesHere()).toContain("Bo")
    const there = [...highLevel.state.contacts.values()].filter(({ locationId }) => locationId === "loc-3")
    expect(there.map(({ email }) => email)).toContain("jo@customer.example")
    const again = await sync("loc-3")
    expect([again.status, at(again.json, "first_sync", "state")]).toEqual([202, "running"])
    const requestCount = highLevel.exchanges.length
    expect(at(await workOn("loc-3"), "first_sync")).toMatchObject({ state: "done", created: 0, sent: 0 })
    const written = highLevel.exchanges.slice(requestCount).filter(({ request }) => request.path !== "/contacts/search")
    expect(written.map(({ request }) => request.method).filter((method) => method !== "GET")).toEqual([])
  })

  it("are linked on request of managers only", async () => {
    expect((await sync("loc-3", { as: world.acme.session })).status).toBe(403)
    expect((await crm("DELETE", "/installs/loc-3")).status).toBe(204)
    expect((await sync("loc-3")).status).toBe(404)
  })
})

describe("a provider event of HighLevel", () => {
  it("is rejected without a valid signature, and if it is too old", async () => {
    const refused = await providerEvent("ContactCreate", { locationId: "loc-1", id: "x" }, { "x-ghl-signature": "" })
    expect([refused.status, refused.code]).toEqual([401, "UNAUTHORIZED"])
    const old = await providerEvent("ContactCreate", { locationId: "loc-1", id: "x" }, {}, 301_000)
    expect([old.status, old.code]).toEqual([401, "UNAUTHORIZED"])
    const other = highLevel.providerEvent("ContactCreate", { locationId: "loc-1" }, Date.now())
    const forged = await providerEvent(
      "ContactCreate",
      { locationId: "loc-1", id: "x" },
      { "x-ghl-signature": other.signature }
    )
    expect(forged.status).toBe(401)
    expect((await server.call("GET", providerEventPath)).status).toBe(405)
  })

  it("of an unlinked location or an unknown type is accepted without effect", async () => {
    const requestCount = highLevel.exchanges.length
    expect((await providerEvent("ContactCreate", { locationId: "probeCode", id: "x" })).status).toBe(200)
    expect((await providerEvent("OpportunityCreate", { locationId: "loc-1", id: "x" })).status).toBe(200)
    await work()
    expect(highLevel.exchanges.length).toBe(requestCount)
  })
})

describe("a server without a CRM", () => {
  it("names the missing setting and rejects provider events", async () => {
    const plain = startServer()
    try {
      await makeWorld(plain)
      const answer = await plain.call("GET", "/api/v1/tenants/acme/crm/auth-url", { as: adminKey })
      expect([answer.status, answer.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
      expect(answer.text).toContain("LEADLOOM_CRM_CLIENT_ID")
      const { body, signature } = highLevel.providerEvent("ContactCreate", {}, Date.now())
      const headers = { "x-ghl-signature": signature, "content-type": "application/json" }
      const refused = await plain.call("POST", providerEventPath, { body: Buffer.from(body).toString(), headers })
      expect([refused.status, refused.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    } finally {
      await plain.close()
    }
  })
})
