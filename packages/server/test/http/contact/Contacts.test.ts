import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, sourceId, type World } from "../../world/World.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000", LEADLOOM_LIMIT_WEBHOOK: "100000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/v1/tenants/acme/contacts${path}`, {
    as: world.acme.apiKey,
    ...(body === undefined ? {} : { body })
  })

const make = async (body: unknown): Promise<string> => textAt((await call("POST", "", body)).json, "id")

const eventTypes = async (path: string): Promise<ReadonlyArray<unknown>> => {
  const entries = at((await call("GET", `${path}/timeline`)).json, "entries")
  return Array.isArray(entries) ? entries.map((entry: unknown) => at(entry, "type")) : []
}

describe("tags and attributes", () => {
  it("are stored as given, without duplicate tags, and replaced completely", async () => {
    const attributes = { size: 12.5, insured: true, due: null, "Größe 👋": "XL" }
    const created = await call("POST", "", { name: "Ann", tags: [" vip ", "vip", "ärger"], attributes })
    expect(created.json).toMatchObject({ tags: ["vip", "ärger"], attributes, merged_into: null })
    const path = `/${textAt(created.json, "id")}`
    expect((await call("GET", path)).json).toEqual(created.json)
    const changed = await call("PATCH", path, { tags: ["new"], attributes: { size: 1 } })
    expect(changed.json).toMatchObject({ name: "Ann", tags: ["new"], attributes: { size: 1 } })
    expect((await call("PATCH", path, { name: "Anna" })).json).toMatchObject({ tags: ["new"], attributes: { size: 1 } })
  })

  it.each([
    ["tags", { tags: Array.from({ length: 51 }, (_, index) => `t${index}`) }],
    ["tags.0", { tags: ["x".repeat(65)] }],
    ["tags.0", { tags: [""] }],
    ["attributes", { attributes: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`a${index}`, 1])) }],
    ["attributes", { attributes: { ["x".repeat(65)]: 1 } }],
    ["attributes.a", { attributes: { a: "x".repeat(1_001) } }],
    ["attributes.a", { attributes: { a: { b: 1 } } }]
  ])("are rejected at %s", async (path, body) => {
    const answer = await call("POST", "", body)
    expect([answer.status, answer.code]).toEqual([400, "BAD_REQUEST"])
    expect(at(answer.json, "error", "details", 0, "path")).toBe(path)
  })

  it("accept any character that JSON can contain", async () => {
    const odd = "\uD800 \0 \u202E 👋"
    const body = { name: odd, notes: odd, tags: [odd], attributes: { [odd]: odd } }
    const created = await call("POST", "", body)
    expect(created.status).toBe(201)
    const path = `/${textAt(created.json, "id")}`
    expect((await call("PATCH", path, { notes: `${odd}!` })).status).toBe(200)
    expect((await call("GET", `${path}/timeline`)).status).toBe(200)
    expect((await call("POST", "/enriched", { tag: odd })).text).toContain(path.slice(1))
    expect((await call("POST", "/resolve", { external_id: odd, source: odd })).status).toBe(404)
  })

  it("cannot modify a prototype", async () => {
    expect((await call("POST", "", '{"attributes":{"__proto__":1}}')).status).toBe(400)
  })
})

describe("contacts by their ids", () => {
  it("are one page with archived contacts, without unknown ones, and at most 100", async () => {
    const [active, archived] = [await make({ name: "Active" }), await make({ name: "Archived" })]
    await call("DELETE", `/${archived}`)
    const { json } = await call("GET", `?ids=${active},${archived},con_nobody`)
    const found = at(json, "contacts")
    const ids = Array.isArray(found) ? found.map((contact: unknown) => at(contact, "id")) : []
    expect(ids.toSorted()).toEqual([active, archived].toSorted())
    expect(at(json, "next_cursor")).toBeNull()
    expect((await call("GET", `?ids=${Array(101).fill(active).join(",")}`)).code).toBe("BAD_REQUEST")
    expect((await call("GET", "?ids=")).code).toBe("BAD_REQUEST")
  })
})

describe("the archive", () => {
  it("is a separate list from which a contact can be restored", async () => {
    const contactId = await make({ name: "Put away" })
    await call("DELETE", `/${contactId}`)
    expect((await call("GET", "")).text).not.toContain(contactId)
    expect((await call("GET", "?archived=true")).text).toContain(contactId)
    const restored = await call("POST", `/${contactId}/restore`)
    expect([restored.status, at(restored.json, "archived")]).toEqual([200, false])
    expect((await call("POST", `/${contactId}/restore`)).status).toBe(200)
    expect((await call("GET", "")).text).toContain(contactId)
    expect((await call("GET", "?archived=true")).text).not.toContain(contactId)
    expect(await eventTypes(`/${contactId}`)).toEqual(["contact_restored", "contact_archived"])
    expect((await call("POST", "/con_nobody/restore")).code).toBe("NOT_FOUND")
    expect((await call("GET", "?archived=perhaps")).code).toBe("BAD_REQUEST")
  })

  it("rejects cursors of the other list", async () => {
    for (const name of ["one", "two"]) await call("DELETE", `/${await make({ name })}`)
    const cursor = textAt((await call("GET", "?archived=true&limit=1")).json, "next_cursor")
    expect((await call("GET", `?archived=true&limit=1&cursor=${cursor}`)).status).toBe(200)
    expect((await call("GET", `?limit=1&cursor=${cursor}`)).code).toBe("BAD_REQUEST")
  })

  it("restores a contact that writes again", async () => {
    const contactId = await make({ email: "back@customer.example" })
    await call("DELETE", `/${contactId}`)
    await server.call("POST", "/api/v1/webhook/automation/acme", {
      as: world.acme.apiKey,
      body: { message: "Hello again", contact: { email: "back@customer.example" } }
    })
    expect(at((await call("GET", `/${contactId}`)).json, "archived")).toBe(false)
  })
})

describe("resolving", () => {
  it.each(["+14155550199", "(415) 555-0199", "415.555.0199", "1 415 555 0199", "tel:+1-415-555-0199"])(
    "finds the number of a US tenant under %s and leaves it as it is",
    async (phone) => {
      const known = await call("POST", "/resolve", { phone: "+14155550199", create: true })
      const answer = await call("POST", "/resolve", { phone })
      expect([answer.status, at(answer.json, "contact", "id")]).toEqual([200, at(known.json, "contact", "id")])
      expect(answer.json).toMatchObject({ created: false, other_contact_ids: [], contact: { phone: "+14155550199" } })
    }
  )

  it("normalises national numbers by the tenant's country, and recognises a number in the old format of its network", async () => {
    const config = await server.call("GET", "/api/v1/config/other", { as: "the-operators-admin-key-of-the-tests" })
    const body = { ...Object(at(config.json, "config")), default_country: "BR" }
    await server.call("PUT", "/api/v1/config/other", { as: "the-operators-admin-key-of-the-tests", body })
    const sendRequest = (phone: string) =>
      server.call("POST", "/api/v1/tenants/other/contacts/resolve", { as: world.other.apiKey, body: { phone } })
    const created = await server.call("POST", "/api/v1/tenants/other/contacts", {
      as: world.other.apiKey,
      body: { phone: "(11) 98765-4321" }
    })
    for (const phone of ["+5511987654321", "11 98765 4321", "+551187654321"]) {
      expect(at((await sendRequest(phone)).json, "contact", "id")).toBe(at(created.json, "id"))
    }
    expect(at((await sendRequest("+551187654321")).json, "contact", "phone")).toBe("+5511987654321")
  })

  it("finds contacts by address and by external id", async () => {
    await server.call("POST", `/api/v1/events/acme/${sourceId}`, {
      as: world.acme.sourceKey,
      body: { entity: { id: "shop:42", email: "shopper@customer.example" }, content: { body: "Hi" } }
    })
    const byEmail = await call("POST", "/resolve", { email: " SHOPPER@customer.example " })
    const byId = await call("POST", "/resolve", { external_id: "shop:42", source: sourceId })
    expect(byEmail.status).toBe(200)
    expect(at(byId.json, "contact", "id")).toBe(at(byEmail.json, "contact", "id"))
    expect((await call("POST", "/resolve", { external_id: "shop:42", source: "\uD800" })).status).toBe(404)
    expect((await call("POST", "/resolve", { external_id: "shop:42", source: "another" })).status).toBe(404)
  })

  it("answers 404 for an unknown contact, creates one on request, and answers 400 without an identity", async () => {
    const nobody = await call("POST", "/resolve", { email: "new@customer.example" })
    expect([nobody.status, nobody.code]).toEqual([404, "NOT_FOUND"])
    const body = { email: "new@customer.example", name: "New", create: true }
    const [one, other] = await Promise.all([call("POST", "/resolve", body), call("POST", "/resolve", body)])
    expect([at(one.json, "created"), at(other.json, "created")].toSorted()).toEqual([false, true])
    expect(at(one.json, "contact", "id")).toBe(at(other.json, "contact", "id"))
    expect((await call("POST", "/resolve", { email: "new@customer.example" })).json).toMatchObject({
      contact: { name: "New" }
    })
    for (const [path, wrong] of [
      ["", {}],
      ["email", { email: "no address" }],
      ["phone", { phone: "12" }],
      ["external_id", { external_id: "7" }]
    ] as const) {
      const answer = await call("POST", "/resolve", wrong)
      expect([answer.status, at(answer.json, "error", "details", 0, "path")]).toEqual([400, path])
    }
  })

  it("returns the oldest of several matches and names the others", async () => {
    const older = await make({ email: "older@customer.example" })
    const younger = await make({ phone: "+14155550177" })
    const answer = await call("POST", "/resolve", { email: "older@customer.example", phone: "+14155550177" })
    expect(answer.json).toMatchObject({ contact: { id: older }, other_contact_ids: [younger] })
  })
})
