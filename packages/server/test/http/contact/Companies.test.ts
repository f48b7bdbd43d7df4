import { drainJobs, drainSignals } from "@leadloom/testkit/suite/Scene"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000", LEADLOOM_LIMIT_WEBHOOK: "100000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, tenant = "acme") =>
  server.call(method, `/api/v1/tenants/${tenant}${path}`, { as: adminKey, ...(body === undefined ? {} : { body }) })

const company = async (body: object) => textAt((await call("POST", "/companies", body)).json, "id")
const contact = async (body: object) => (await call("POST", "/contacts", body)).json

describe("companies", () => {
  it("are created, changed, listed by name and deleted", async () => {
    await call("POST", "/fields", { key: "employees", label: "Employees", type: "number", entity: "company" })
    const body = { name: "Zeta Roofs", domain: "Zeta-Roofs.COM", notes: "old", custom_fields: { employees: 12 } }
    const made = await call("POST", "/companies", body)
    expect([made.status, made.json]).toEqual([
      201,
      {
        id: expect.stringMatching(/^cmp_/u),
        name: "Zeta Roofs",
        domain: "zeta-roofs.com",
        notes: "old",
        custom_fields: { employees: 12 },
        created_at: expect.any(String),
        updated_at: expect.any(String)
      }
    ])
    const path = `/companies/${textAt(made.json, "id")}`
    expect((await call("GET", path)).json).toEqual(made.json)
    const changed = await call("PATCH", path, { notes: null, custom_fields: { employees: null } })
    expect(changed.json).toMatchObject({ name: "Zeta Roofs", domain: "zeta-roofs.com", notes: null, custom_fields: {} })
    await company({ name: "alpha" })
    await company({ name: "Beta" })
    const names = async (query: string) => {
      const list = at((await call("GET", `/companies${query}`)).json, "companies")
      return Array.isArray(list) ? list.map((one: unknown) => at(one, "name")) : []
    }
    expect(await names("")).toEqual(["alpha", "Beta", "Zeta Roofs"])
    expect(await names("?query=ZETA")).toEqual(["Zeta Roofs"])
    const cursor = textAt((await call("GET", "/companies?limit=2")).json, "next_cursor")
    expect(await names(`?limit=2&cursor=${cursor}`)).toEqual(["Zeta Roofs"])
    expect((await call("GET", `/companies?query=a&cursor=${cursor}`)).code).toBe("BAD_REQUEST")
    expect((await call("DELETE", path)).status).toBe(204)
    expect((await call("GET", path)).code).toBe("NOT_FOUND")
  })

  it.each(["gmail.com", "gmx.at", "com", "not a domain", "co.uk", "http://acme.com"])(
    "cannot have the domain %s",
    async (domain) => {
      expect((await call("POST", "/companies", { name: "Acme", domain })).code).toBe("BAD_REQUEST")
    }
  )

  it("have unique domains, and are not found in another tenant", async () => {
    const id = await company({ name: "Unique", domain: "unique.com" })
    const again = await call("POST", "/companies", { name: "Again", domain: "UNIQUE.com" })
    expect([again.code, at(again.json, "error", "details", "company_id")]).toEqual(["CONFLICT", id])
    expect((await call("GET", `/companies/${id}`, undefined, "other")).code).toBe("NOT_FOUND")
    const elsewhere = await call("POST", "/contacts", { name: "Ann", company_id: id }, "other")
    expect(elsewhere.code).toBe("NOT_FOUND")
  })
})

describe("the company of a contact", () => {
  it("is found by the domain of the address, and can be changed by hand", async () => {
    const id = await company({ name: "Walls", domain: "walls.com" })
    const made = await contact({ email: "ann@berlin.walls.com" })
    expect(at(made, "company_id")).toBe(id)
    expect(at(await contact({ email: "ann@gmail.com" }), "company_id")).toBeNull()
    expect(at(await contact({ email: "ann@mywalls.com" }), "company_id")).toBeNull()
    const other = await company({ name: "Floors" })
    const path = `/contacts/${textAt(made, "id")}`
    expect(at((await call("PATCH", path, { company_id: other })).json, "company_id")).toBe(other)
    expect(at((await call("PATCH", path, { company_id: null })).json, "company_id")).toBeNull()
    expect((await call("PATCH", path, { company_id: "cmp_none" })).code).toBe("NOT_FOUND")
  })

  it("is found for contacts that exist, and stays removed after a message", async () => {
    const made = await contact({ email: "bob@doors.com" })
    const path = `/contacts/${textAt(made, "id")}`
    expect(made).toMatchObject({ company_id: null, company_removed: false })
    const id = await company({ name: "Doors", domain: "doors.com" })
    await server.run(drainJobs)
    expect((await call("GET", path)).json).toMatchObject({ company_id: id, company_removed: false })
    await call("PATCH", path, { company_id: null })
    const body = { message: "A door?", contact: { email: "bob@doors.com" } }
    await server.call("POST", "/api/v1/webhook/automation/acme", { as: world.acme.apiKey, body })
    await server.run(drainSignals)
    expect((await call("GET", path)).json).toMatchObject({ company_id: null, company_removed: true })
  })

  it("is found when a message creates the contact", async () => {
    const id = await company({ name: "Windows", domain: "windows.example.com" })
    const body = { message: "A window?", contact: { email: "new@windows.example.com" } }
    await server.call("POST", "/api/v1/webhook/automation/acme", { as: world.acme.apiKey, body })
    const found = at((await call("GET", `/companies/${id}/contacts`)).json, "contacts")
    expect(found).toMatchObject([{ email: "new@windows.example.com", company_id: id }])
  })

  it("lists its contacts, and cannot be deleted before they leave", async () => {
    const id = await company({ name: "Gates", domain: "gates.com" })
    const ids = []
    for (const name of ["a", "b"]) ids.push(textAt(await contact({ email: `${name}@gates.com` }), "id"))
    const list = async () => {
      const found = at((await call("GET", `/companies/${id}/contacts`)).json, "contacts")
      return Array.isArray(found) ? found.map((one: unknown) => textAt(one, "id")) : []
    }
    expect((await list()).toSorted()).toEqual(ids.toSorted())
    expect((await call("DELETE", `/companies/${id}`)).code).toBe("CONFLICT")
    for (const one of ids) await call("PATCH", `/contacts/${one}`, { company_id: null })
    expect(await list()).toEqual([])
    expect((await call("DELETE", `/companies/${id}`)).status).toBe(204)
  })

  it("survives a merge and its undo", async () => {
    const [one, two] = [await company({ name: "One" }), await company({ name: "Two" })]
    const merged = async (primary: string | null) => {
      const ids = {
        primary_contact_id: textAt(await contact({ company_id: primary }), "id"),
        duplicate_contact_id: textAt(await contact({ company_id: two }), "id")
      }
      const result = (await call("POST", "/contacts/merge", ids)).json
      const undone = (await call("POST", `/contacts/merges/${textAt(result, "merge_id")}/undo`)).json
      return [at(result, "contact", "company_id"), at(undone, "contact", "company_id")]
    }
    expect(await merged(one)).toEqual([one, one])
    expect(await merged(null)).toEqual([two, null])
  })
})

describe("the archive of a tenant", () => {
  it("contains its companies and the links of contacts", async () => {
    const id = await company({ name: "Exported", domain: "exported.com" })
    const made = await contact({ email: "eve@exported.com", tags: ["exported"] })
    const archive = await server.fetch(
      new Request("http://leadloom.test/api/v1/tenants/acme/export", {
        headers: { authorization: `Bearer ${adminKey}` }
      })
    )
    const imported = await server.fetch(
      new Request("http://leadloom.test/api/v1/tenants/clinic/import", {
        method: "POST",
        headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/x-tar" },
        body: await archive.arrayBuffer()
      })
    )
    expect(imported.status).toBe(200)
    expect((await call("GET", `/companies/${id}`, undefined, "clinic")).json).toMatchObject({ name: "Exported" })
    const path = `/contacts/${textAt(made, "id")}`
    expect(at((await call("GET", path, undefined, "clinic")).json, "company_id")).toBe(id)
  })
})
