import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { importOf, mail, makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World
let contactId = ""

beforeAll(async () => {
  server = startServer()
  world = await makeWorld(server)
  const body = importOf(mail({ From: "Kim Lee <kim@customer.example>" }, "I need a <b>quote</b>."))
  const answer = await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body })
  contactId = textAt(answer.json, "results", 0, "contact_id")
})
afterAll(() => server.close())

const search = (body: unknown, as = world.acme.session) =>
  server.call("POST", "/api/v1/tenants/acme/search", { as, body })

describe("search", () => {
  it("finds a new message and shows the match in plain text", async () => {
    const { json, status } = await search({ query: "QUÖTE", deep: true })
    expect([status, json]).toEqual([
      200,
      {
        contacts: [],
        conversations: [
          {
            contact_id: contactId,
            contact_name: "Kim Lee",
            contact_email: "kim@customer.example",
            lead_id: expect.stringMatching(/^lead_/u),
            message_id: expect.stringMatching(/^msg_/u),
            thread_id: expect.stringMatching(/^thr_/u),
            channel: "email",
            actor: "contact",
            timestamp: "2026-03-01T09:30:00.000Z",
            subject: "Kitchen",
            score: expect.any(Number),
            highlights: [{ field: "body", text: "I need a <b>quote</b>.", ranges: [{ start: 12, end: 17 }] }]
          }
        ],
        notes: [],
        since: null,
        complete: true,
        next_cursor: null
      }
    ])
  })

  it("marks private notes", async () => {
    const path = `/api/v1/tenants/acme/conversations/${contactId}/notes`
    const created = (await server.call("POST", path, { as: world.acme.session, body: { body: "Wants <b>oak</b>." } }))
      .json
    const { body: _, id: note_id, mentions: __, team_mentions: ___, ...written } = Object(created)
    const { json } = await search({ query: "oak" })
    expect(json).toMatchObject({ contacts: [], conversations: [] })
    expect(at(json, "notes")).toEqual([
      {
        type: "note",
        contact_id: contactId,
        contact_name: "Kim Lee",
        contact_email: "kim@customer.example",
        ...written,
        note_id,
        score: expect.any(Number),
        highlights: [{ field: "body", text: "Wants <b>oak</b>.", ranges: [{ start: 9, end: 12 }] }]
      }
    ])
    expect(at((await search({ query: "oak", types: ["conversations"] })).json, "notes")).toEqual([])
  })

  it("finds a contact by part of the address if only contacts are requested", async () => {
    const { json } = await search({ query: "im@cust", types: ["contacts"] })
    expect(at(json, "contacts", 0, "contact", "id")).toBe(contactId)
    expect(at(json, "contacts", 0, "highlights")).toEqual([
      { field: "email", text: "kim@customer.example", ranges: [{ start: 1, end: 8 }] }
    ])
    expect(at(json, "conversations")).toEqual([])
  })

  it("reports the start of the searched period", async () => {
    expect(textAt((await search({ query: "quote" })).json, "since")).toMatch(/^\d{4}-\d\d-\d\dT00:00:00\.000Z$/u)
  })

  it("rejects unknown parameters and cursors of other queries", async () => {
    for (const body of [
      {},
      { query: 5 },
      { query: "a", deep: "yes" },
      { query: "a", types: [] },
      { query: "a", types: ["leads"] },
      { query: "a", limit: 0 },
      { query: "a", limit: 101 },
      { query: "a", nonsense: 1 },
      { query: "a", cursor: "nonsense" }
    ]) {
      const { code, status } = await search(body)
      expect([body, status, code]).toEqual([body, 400, "BAD_REQUEST"])
    }
  })

  it("is limited to the own tenant", async () => {
    const other = await search({ query: "quote" }, world.other.apiKey)
    expect(other.status).toBeGreaterThanOrEqual(401)
    expect((await search({ query: "quote" }, world.acme.apiKey)).status).toBe(200)
  })
})
