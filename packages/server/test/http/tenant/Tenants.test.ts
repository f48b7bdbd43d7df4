import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer()
  world = await makeWorld(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, as = adminKey) =>
  server.call(method, `/api/v1${path}`, { as, ...(body === undefined ? {} : { body }) })

const change = (body: unknown) => call("PATCH", "/admin/tenants/acme", body)

const idsIn = (json: unknown, list: string, id: string): ReadonlyArray<unknown> => {
  const items = at(json, list)
  return Array.isArray(items) ? items.map((item) => at(item, id)) : []
}

/** Reads a list page by page with one entry each. */
const readAll = async (path: string, list: string, id: string): Promise<ReadonlyArray<unknown>> => {
  const seen: Array<unknown> = []
  for (let cursor: unknown = undefined; cursor !== null && seen.length < 50;) {
    const more = typeof cursor === "string" ? `&cursor=${encodeURIComponent(cursor)}` : ""
    const page = await call("GET", `${path}?limit=1${more}`)
    expect(page.status).toBe(200)
    seen.push(...idsIn(page.json, list, id))
    cursor = at(page.json, "next_cursor")
  }
  return seen
}

describe("a tenant", () => {
  it("has an editable domain, HIPAA status, time zone and locale", async () => {
    const changed = await change({
      domain: "New-Acme.example.",
      hipaa: true,
      time_zone: "America/New_York",
      locale: "en-us"
    })
    expect([changed.status, changed.json]).toEqual([
      200,
      expect.objectContaining({
        domain: "new-acme.example",
        hipaa: true,
        time_zone: "America/New_York",
        locale: "en-US",
        name: "The acme company"
      })
    ])
    expect((await call("GET", "/admin/tenants/acme")).json).toEqual(changed.json)
    expect((await call("GET", "/config/acme")).json).toMatchObject({
      version: 2,
      config: { time_zone: "America/New_York" }
    })
    expect((await call("GET", "/tenants/acme/email/aliases", undefined, world.acme.apiKey)).code).toBe(
      "HIPAA_RESTRICTED"
    )
    const audit = await call("GET", "/tenants/acme/audit?action=tenants.update&limit=1")
    expect(at(audit.json, "entries", 0, "change", "before")).toMatchObject({ domain: "acme.com", hipaa: false })
    const same = await change({ time_zone: "America/New_York", hipaa: false })
    expect(same.json).toMatchObject({ hipaa: false, domain: "new-acme.example" })
    expect(at((await call("GET", "/config/acme")).json, "version")).toBe(2)
    expect((await change({ domain: null })).json).toMatchObject({ domain: null })
    expect((await change({ domain: "acme.com" })).json).toMatchObject({ domain: "acme.com" })
  })

  it("rejects public mail domains, domains of other tenants, and unknown zones and locales", async () => {
    expect((await change({ domain: "other.com" })).status).toBe(409)
    const wrong = [{ domain: "gmail.com" }, { domain: "not a domain" }, { time_zone: "Mars" }, { locale: "not_a_tag" }]
    for (const body of wrong) {
      const rejected = await change({ name: "Changed", ...body })
      expect([rejected.status, at(rejected.json, "error", "details", 0, "path")]).toEqual([400, Object.keys(body)[0]])
    }
    expect((await call("GET", "/admin/tenants/acme")).json).toMatchObject({
      name: "The acme company",
      domain: "acme.com"
    })
  })

  it("works again with its credentials after it was restored", async () => {
    expect((await call("DELETE", "/admin/tenants/other")).status).toBe(204)
    expect((await call("GET", "/tenants/other/leads", undefined, world.other.apiKey)).status).toBe(404)
    expect((await call("POST", "/admin/tenants/other/restore", undefined, world.acme.apiKey)).status).toBe(403)
    const restored = await call("POST", "/admin/tenants/other/restore")
    expect([restored.status, at(restored.json, "domain")]).toEqual([200, "other.com"])
    expect((await call("GET", "/tenants/other/leads", undefined, world.other.apiKey)).status).toBe(200)
    expect((await call("POST", "/admin/tenants/nobody/restore")).status).toBe(404)
  })
})

describe("lists of the operator", () => {
  it("are complete without a limit, and otherwise have pages that show every entry once", async () => {
    const location = { tenant_id: "acme", sessions: "off" }
    for (const id of ["loc_b", "loc_a"]) await call("PUT", "/admin/locations", { ...location, location_id: id })
    await call("POST", "/admin/sources", { source_id: "second" })
    await call("POST", "/tenants/acme/api-keys", { name: "second" })
    const lists = [
      ["/admin/tenants", "tenants", "tenant_id"],
      ["/admin/locations", "locations", "location_id"],
      ["/admin/sources", "sources", "source_id"],
      ["/admin/tenants/acme/sources", "sources", "source_id"],
      ["/tenants/acme/api-keys", "api_keys", "id"]
    ] as const
    for (const [path, list, id] of lists) {
      const whole = await call("GET", path)
      expect(at(whole.json, "next_cursor")).toBeNull()
      expect(idsIn(whole.json, list, id).length).toBeGreaterThan(0)
      expect(await readAll(path, list, id)).toEqual(idsIn(whole.json, list, id))
      expect((await call("GET", `${path}?cursor=wrong`)).status).toBe(400)
    }
    expect((await call("GET", "/admin/crm/agencies?limit=1")).json).toEqual({ agencies: [], next_cursor: null })
    const cursor = textAt((await call("GET", "/admin/tenants?limit=1")).json, "next_cursor")
    expect((await call("GET", `/admin/sources?cursor=${encodeURIComponent(cursor)}`)).status).toBe(400)
  })
})
