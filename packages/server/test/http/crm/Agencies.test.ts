import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, adminKey, at, type Call, textAt } from "../../world/TestServer.ts"
import { type CrmServer, startCrmServer } from "./CrmServer.ts"

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

const sendRequest = (method: string, path: string, call: Call = {}): Promise<Answer> =>
  server.call(method, `/api/v1/admin${path}`, { as: adminKey, ...call })

const agencies = (method: string, path = "", call: Call = {}) => sendRequest(method, `/crm/agencies${path}`, call)

const installApp = async (id: string): Promise<Answer> => {
  const url = new URL(textAt((await sendRequest("GET", "/crm/auth-url")).json, "url"))
  return sendRequest("POST", "/crm/callback", {
    body: { code: highLevel.choose(id), state: url.searchParams.get("state") }
  })
}

const map = (locationId: string, tenantId: string) =>
  sendRequest("PUT", "/locations", { body: { location_id: locationId, tenant_id: tenantId, sessions: "off" } })

const installsOf = async (tenantId: string): Promise<unknown> =>
  at((await server.call("GET", `/api/v1/tenants/${tenantId}/crm/installs`, { as: adminKey })).json, "installs")

const providerEvent = (type: string, fields: object) => {
  const { body, signature } = highLevel.providerEvent(type, fields, Date.now())
  return server.call("POST", "/api/v1/webhook/providers/highlevel", {
    body: Buffer.from(body).toString(),
    headers: { "x-ghl-signature": signature, "content-type": "application/json" }
  })
}

describe("an agency of HighLevel", () => {
  it("is connected by the operator and opens the locations that are linked to tenants", async () => {
    highLevel.state.agencies.set("agency-1", new Set(["loc-a", "loc-b", "loc-c"]))
    await map("loc-a", "acme")
    expect((await sendRequest("GET", "/crm/auth-url", { as: world.acme.apiKey })).status).toBe(403)
    const installed = await installApp("agency-1")
    expect([installed.status, installed.json]).toEqual([
      201,
      expect.objectContaining({ company_id: "agency-1", status: "installed", reason: null })
    ])
    expect(installed.text).not.toMatch(/access0|refresh0/u)
    expect(at((await agencies("GET")).json, "agencies")).toEqual([installed.json])
    await work()
    expect(await installsOf("acme")).toMatchObject([
      { location_id: "loc-a", company_id: "agency-1", status: "installed", sync: "off" }
    ])
    expect(await installsOf("other")).toEqual([])
  })

  it("lists its locations with their tenants in pages", async () => {
    const first = await agencies("GET", "/agency-1/locations?limit=2")
    expect(first.json).toEqual({
      locations: [
        { location_id: "loc-a", name: "Name of loc-a", installed: true, tenant_id: "acme" },
        { location_id: "loc-b", name: "Name of loc-b", installed: true, tenant_id: null }
      ],
      next_cursor: "2"
    })
    const second = await agencies("GET", "/agency-1/locations?limit=2&cursor=2")
    expect(second.json).toMatchObject({ locations: [{ location_id: "loc-c" }], next_cursor: null })
    expect((await agencies("GET", "/agency-1/locations?cursor=x")).status).toBe(400)
    expect((await agencies("GET", "/probeCode/locations")).code).toBe("NOT_FOUND")
  })

  it("opens a location that is linked or installed later", async () => {
    await map("loc-b", "other")
    highLevel.state.agencies.get("agency-1")?.add("loc-d")
    await map("loc-d", "acme")
    expect((await providerEvent("INSTALL", { locationId: "loc-d", companyId: "agency-1" })).status).toBe(200)
    await work()
    expect(await installsOf("other")).toMatchObject([{ location_id: "loc-b", status: "installed" }])
    expect(await installsOf("acme")).toMatchObject([{ location_id: "loc-a" }, { location_id: "loc-d" }])
  })

  it("is not connected by a code of a single location or by an invalid code", async () => {
    const one = await installApp("loc-x")
    expect([one.status, one.code]).toEqual([502, "PROVIDER_ERROR"])
    const url = new URL(textAt((await sendRequest("GET", "/crm/auth-url")).json, "url"))
    const body = { code: "made-up", state: url.searchParams.get("state") }
    expect((await sendRequest("POST", "/crm/callback", { body })).status).toBe(400)
    expect((await sendRequest("POST", "/crm/callback", { body: { ...body, state: "x" } })).status).toBe(400)
  })

  it("closes its locations when the app or the operator removes it", async () => {
    expect((await providerEvent("UNINSTALL", { companyId: "agency-1" })).status).toBe(200)
    await work()
    expect(await installsOf("other")).toMatchObject([{ location_id: "loc-b", status: "uninstalled" }])
    expect(at((await agencies("GET")).json, "agencies")).toMatchObject([{ status: "uninstalled" }])
    await installApp("agency-1")
    await work()
    expect(await installsOf("other")).toMatchObject([{ location_id: "loc-b", status: "installed" }])
    expect((await agencies("DELETE", "/agency-1")).status).toBe(204)
    expect((await agencies("DELETE", "/agency-1")).code).toBe("NOT_FOUND")
    await work()
    expect(await installsOf("other")).toMatchObject([{ location_id: "loc-b", status: "uninstalled" }])
  })
})
