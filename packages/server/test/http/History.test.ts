import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { objectPieces } from "../../src/http/json/HistoryJson.ts"
import { adminKey, at, startServer, type TestServer, textAt } from "../world/TestServer.ts"
import { makeWorld, type World } from "../world/World.ts"

let server: TestServer
let world: World

const get = (contact: string, query = "") =>
  server.call("GET", `/api/v1/tenants/acme/conversations/${contact}${query}`, { as: world.acme.apiKey })

/** Creates a lead with messages of its contact, one minute apart, oldest first. */
const lead = async (email: string, bodies: ReadonlyArray<string>): Promise<string> => {
  const made = await server.call("POST", "/api/v1/tenants/acme/leads", {
    as: world.acme.apiKey,
    body: { contact: { email }, channel: "chat" }
  })
  const leadId = textAt(made.json, "id")
  const begin = Date.parse("2026-01-01T00:00:00Z")
  for (let from = 0; from < bodies.length; from += 500) {
    const entries = bodies.slice(from, from + 500).map((body, index) => ({
      channel: "chat",
      actor: "contact",
      body,
      timestamp: new Date(begin + (from + index) * 60_000).toISOString()
    }))
    const path = `/api/v1/tenants/acme/leads/${leadId}/conversation/import`
    const imported = await server.call("PUT", path, { as: world.acme.apiKey, body: { entries } })
    expect(imported.status).toBe(200)
  }
  return textAt(made.json, "contact_id")
}

const bodiesOf = (json: unknown): ReadonlyArray<string> => {
  const messages = at(json, "messages")
  return Array.isArray(messages) ? messages.map((message) => textAt(message, "body")) : []
}

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

describe("the history of a contact", () => {
  const texts = Array.from({ length: 1_201 }, (_, index) => `Text ${index} “ü” 😀`)
  let contact: string
  beforeAll(async () => {
    contact = await lead("many@customer.example", texts)
  }, 60_000)

  it("is complete without limit and cursor", async () => {
    const whole = await get(contact)
    expect([whole.status, whole.headers.get("content-type")]).toEqual([200, "application/json"])
    expect(bodiesOf(whole.json)).toEqual(texts)
    expect(at(whole.json, "next_cursor")).toBeNull()
    expect(at(whole.json, "pending_draft")).toBeNull()
  })

  it("has the same messages in pages, with a limit or with a cursor", async () => {
    const whole = at((await get(contact)).json, "messages")
    const read: Array<unknown> = []
    let query = "?limit=150"
    for (;;) {
      const page = await get(contact, query)
      const messages = at(page.json, "messages")
      read.unshift(...(Array.isArray(messages) ? messages : []))
      const cursor = at(page.json, "next_cursor")
      if (typeof cursor !== "string") break
      query = `?cursor=${encodeURIComponent(cursor)}`
    }
    expect(read).toEqual(whole)
    const first = await get(contact, "?limit=1")
    expect(bodiesOf(first.json)).toEqual([texts.at(-1)])
    const next = await get(contact, `?limit=2&cursor=${encodeURIComponent(textAt(first.json, "next_cursor"))}`)
    expect(bodiesOf(next.json)).toEqual(texts.slice(-3, -1))
    const byCursor = await get(contact, `?cursor=${encodeURIComponent(textAt(first.json, "next_cursor"))}`)
    expect(bodiesOf(byCursor.json)).toHaveLength(200)
  })

  it.each(["0", "201", "-1", "1.5", "all", ""])("rejects the limit %j", async (limit) => {
    const refused = await get(contact, `?limit=${limit}`)
    expect([refused.status, refused.code]).toEqual([400, "BAD_REQUEST"])
  })

  it("rejects cursors of other conversations and unknown contacts", async () => {
    const other = await lead("few@customer.example", ["One", "Two"])
    const cursor = encodeURIComponent(textAt((await get(other, "?limit=1")).json, "next_cursor"))
    expect((await get(contact, `?cursor=${cursor}`)).code).toBe("BAD_REQUEST")
    const path = `/api/v1/tenants/other/conversations/${contact}`
    expect((await server.call("GET", path, { as: adminKey })).status).toBe(404)
  })

  it("keeps long texts unchanged, whatever they contain", async () => {
    const long = Array.from({ length: 30 }, (_, index) => `${index} ${'ü\u{1F600}\n"\\\u0001'.repeat(10_000)}.`)
    const contactId = await lead("long@customer.example", long)
    const whole = await get(contactId)
    expect(bodiesOf(whole.json)).toEqual(long)
    expect(at((await get(contactId, "?limit=30")).json, "messages")).toEqual(at(whole.json, "messages"))
  })

  it("encodes a text of any length in slices that decode to the same text", () => {
    const texts = fc.string({ unit: "binary", maxLength: 40 }).map((text) => `${text}\u{1F600}`)
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 3 }), (text, times) => {
        const long = `${"x".repeat(times)}${text.repeat(Math.ceil((2 ** 18 / text.length) * times))}`
        const message = { id: "msg_1", body: long, subject: undefined, to: [text] }
        const pieces = [...objectPieces(message)]
        expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(6 * 2 ** 18)
        expect(JSON.parse(pieces.join(""))).toEqual(JSON.parse(JSON.stringify(message)))
      }),
      { numRuns: 10 }
    )
  })
})
