import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld } from "../../world/World.ts"

let server: TestServer
const ids = new Map<string, string>()
let companyId: string

const call = (method: string, path: string, body?: unknown, tenant = "acme") =>
  server.call(method, `/api/v1/tenants/${tenant}${path}`, { as: adminKey, ...(body === undefined ? {} : { body }) })

const namesIn = (json: unknown): ReadonlyArray<unknown> => {
  const list = at(json, "contacts")
  return Array.isArray(list) ? list.map((one: unknown) => at(one, "name")) : []
}
const filtered = async (filter: object) => {
  const answer = await call("POST", "/contacts/enriched", filter)
  if (answer.status !== 200) throw new Error(answer.text)
  return namesIn(answer.json).toSorted()
}

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000" })
  await makeWorld(server)
  await call("POST", "/fields", { key: "plan", label: "Plan", type: "select", options: ["gold", "free"] })
  await call("POST", "/fields", { key: "kinds", label: "Kinds", type: "multi_select", options: ["a", "b"] })
  await call("POST", "/fields", { key: "size", label: "Size", type: "number" })
  companyId = textAt((await call("POST", "/companies", { name: "Walls", domain: "walls.com" })).json, "id")
  const people = [
    { name: "Ann", email: "ann@walls.com", tags: ["vip", "late"], custom_fields: { plan: "gold", size: 4 } },
    { name: "bob", email: "bob@walls.com", tags: ["vip"], custom_fields: { plan: "free", kinds: ["a", "b"] } },
    { name: "Cid", phone: "+14155550181", custom_fields: { plan: "gold", kinds: ["b"] } },
    { name: "Zed", phone: "+14155550182" }
  ]
  for (const person of people) {
    const made = await call("POST", "/contacts", person)
    ids.set(person.name, textAt(made.json, "id"))
  }
  const consent = async (name: string, body: object) => {
    const path = `/contacts/${ids.get(name)}`
    const identity = textAt((await call("GET", `${path}/identities`)).json, "identities", 0, "id")
    await call("POST", `${path}/consent`, { identity_id: identity, ...body })
  }
  await consent("Ann", { status: "opted_in", proof: "A form" })
  await consent("bob", { status: "opted_out" })
  await consent("Cid", { status: "opted_out" })
  await consent("Cid", { status: "opted_in", proof: "Called back" })
})
afterAll(() => server.close())

describe("filters of the contact list", () => {
  it.each([
    [{ tags: ["vip", "late"] }, ["Ann"]],
    [{ tag: "vip" }, ["Ann", "bob"]],
    [{ custom_fields: { plan: "gold" } }, ["Ann", "Cid"]],
    [{ custom_fields: { plan: "gold", size: 4 } }, ["Ann"]],
    [{ custom_fields: { size: "4" } }, []],
    [{ custom_fields: { kinds: "b" } }, ["Cid", "bob"]],
    [{ custom_fields: { plan: "free" }, tags: ["vip"] }, ["bob"]],
    [{ consent: "opted_in" }, ["Ann", "Cid"]],
    [{ consent: "opted_out" }, ["bob"]],
    [{ consent: "opted_in", tags: ["vip"] }, ["Ann"]],
    [{ has_phone: true, custom_fields: { plan: "gold" } }, ["Cid"]],
    [{ created_before: "2020-01-01" }, []],
    [{ created_after: "2020-01-01", tags: ["vip"] }, ["Ann", "bob"]],
    [{ tags: [" company:any"] }, []]
  ])("select contacts: %j", async (filter, names) => {
    expect(await filtered(filter)).toEqual(names)
    expect(await filtered({ ...filter, sort: "name" })).toEqual(names)
    expect(await filtered({ ...filter, sort: "created" })).toEqual(names)
  })

  it("select by company, and follow every change of a contact", async () => {
    expect(await filtered({ company_id: companyId })).toEqual(["Ann", "bob"])
    await call("PATCH", `/contacts/${ids.get("Zed")}`, { company_id: companyId, custom_fields: { plan: "free" } })
    expect(await filtered({ company_id: companyId, custom_fields: { plan: "free" } })).toEqual(["Zed", "bob"])
    await call("PATCH", `/contacts/${ids.get("Zed")}`, { company_id: null, custom_fields: { plan: null } })
    expect(await filtered({ company_id: companyId })).toEqual(["Ann", "bob"])
    expect(await filtered({ custom_fields: { plan: "free" } })).toEqual(["bob"])
  })

  it("list in the order of names and creation, page by page", async () => {
    const pages = async (sort: string) => {
      const seen: Array<unknown> = []
      let cursor: unknown = null
      do {
        const page = await call("POST", "/contacts/enriched", {
          sort,
          limit: 1,
          ...(cursor === null ? {} : { cursor })
        })
        seen.push(...namesIn(page.json))
        cursor = at(page.json, "next_cursor")
      } while (cursor !== null)
      return seen
    }
    expect(await pages("name")).toEqual(["Ann", "bob", "Cid", "Zed"])
    expect(await pages("created")).toEqual(["Zed", "Cid", "bob", "Ann"])
    const cursor = at((await call("POST", "/contacts/enriched", { sort: "name", limit: 1 })).json, "next_cursor")
    expect((await call("POST", "/contacts/enriched", { sort: "created", cursor })).code).toBe("BAD_REQUEST")
  })
})

describe("segments", () => {
  it("save filters, and have a count and members", async () => {
    const filters = { tags: ["vip"], custom_fields: { plan: "gold" }, created_after: "2020-01-01T00:00:00.000Z" }
    const made = await call("POST", "/segments", { name: "Gold", filters })
    expect([made.status, made.json]).toEqual([
      201,
      {
        id: expect.stringMatching(/^seg_/u),
        name: "Gold",
        filters,
        created_at: expect.any(String),
        updated_at: expect.any(String)
      }
    ])
    const path = `/segments/${textAt(made.json, "id")}`
    expect((await call("GET", path)).json).toEqual({ ...Object(made.json), count: 1, count_is_exact: true })
    expect(namesIn((await call("GET", `${path}/contacts`)).json)).toEqual(["Ann"])
    const changed = await call("PATCH", path, { filters: { tags: ["vip"] } })
    expect(changed.json).toMatchObject({ name: "Gold", filters: { tags: ["vip"] } })
    const first = await call("GET", `${path}/contacts?sort=name&limit=1`)
    expect(namesIn(first.json)).toEqual(["Ann"])
    const next = `${path}/contacts?sort=name&limit=1&cursor=${textAt(first.json, "next_cursor")}`
    expect(namesIn((await call("GET", next)).json)).toEqual(["bob"])
    await call("PATCH", path, { name: "VIP" })
    expect(at((await call("GET", "/segments")).json, "segments", 0, "name")).toBe("VIP")
    expect((await call("GET", path, undefined, "other")).code).toBe("NOT_FOUND")
    expect((await call("DELETE", path)).status).toBe(200)
    expect((await call("GET", path)).code).toBe("NOT_FOUND")
  })

  it.each([
    { name: "", filters: {} },
    { name: "x" },
    { name: "x", filters: { unknown: 1 } },
    { name: "x", filters: { tier: "x" } }
  ])("are rejected: %j", async (body) => {
    expect((await call("POST", "/segments", body)).code).toBe("BAD_REQUEST")
  })
})
