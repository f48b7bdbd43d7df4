import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at, startServer, type TestServer, textAt } from "../world/TestServer.ts"
import { makeWorld, type World } from "../world/World.ts"

let server: TestServer
let world: World
const contacts = 53

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000", LEADLOOM_LIMIT_WEBHOOK: "100000" })
  world = await makeWorld(server)
  for (const { apiKey, id } of [world.acme, world.other]) {
    for (let index = 0; index < contacts; index++) {
      const body = { message: `Message ${index}`, contact: { email: `c${index}@customer.example` } }
      await server.call("POST", `/api/v1/webhook/automation/${id}`, { as: apiKey, body })
    }
  }
})
afterAll(() => server.close())

const get = (list: string, query = "", tenant = "acme") =>
  server.call("GET", `/api/v1/tenants/${tenant}/${list}${query}`, {
    as: tenant === "acme" ? world.acme.apiKey : world.other.apiKey
  })

const idsOf = (json: unknown, list: string): ReadonlyArray<string> => {
  const items = at(json, list)
  return Array.isArray(items) ? items.map((item) => textAt(item, list === "contacts" ? "id" : "contact_id")) : []
}

describe.each(["contacts", "conversations"])("the list of %s", (list) => {
  it("returns every item once over its pages, newest first, and then no cursor", async () => {
    const first = await get(list)
    const second = await get(list, `?cursor=${encodeURIComponent(textAt(first.json, "next_cursor"))}`)
    expect([idsOf(first.json, list).length, idsOf(second.json, list).length]).toEqual([50, 3])
    expect(at(second.json, "next_cursor")).toBeNull()
    expect(new Set([...idsOf(first.json, list), ...idsOf(second.json, list)]).size).toBe(contacts)
  })

  it("rejects a cursor that is malformed, changed or of another list or tenant", async () => {
    const cursor = textAt((await get(list)).json, "next_cursor")
    const foreign = textAt((await get(list, "", "other")).json, "next_cursor")
    const stranger = textAt((await get(list === "contacts" ? "conversations" : "contacts")).json, "next_cursor")
    const changed = `${cursor.slice(0, -2)}${cursor.endsWith("AA") ? "BB" : "AA"}`
    for (const wrong of ["", "nonsense", "%00", changed, cursor.slice(3), foreign, stranger, "a".repeat(5000)]) {
      const answer = await get(list, `?cursor=${encodeURIComponent(wrong)}`)
      expect([wrong.slice(0, 40), answer.status, answer.code]).toEqual([wrong.slice(0, 40), 400, "BAD_REQUEST"])
      expect(at(answer.json, "error", "details", 0, "path")).toBe("cursor")
    }
  })
})

describe("query parameters", () => {
  it("are rejected if unknown, repeated or out of bounds", async () => {
    for (const query of ["?limit=0", "?limit=251", "?limit=x", "?limit=1.5", "?nonsense=1", "?cursor=a&cursor=b"]) {
      const answer = await get("contacts", query)
      expect([query, answer.status, answer.code]).toEqual([query, 400, "BAD_REQUEST"])
    }
    expect(idsOf((await get("contacts", "?limit=7")).json, "contacts").length).toBe(7)
  })

  it("bind a cursor of conversations to its alias", async () => {
    const cursor = textAt((await get("conversations")).json, "next_cursor")
    const answer = await get("conversations", `?alias=sales@acme.com&cursor=${encodeURIComponent(cursor)}`)
    expect([answer.status, answer.code]).toEqual([400, "BAD_REQUEST"])
  })
})
