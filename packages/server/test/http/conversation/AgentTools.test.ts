import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Issuer, startIssuer } from "../../world/Issuer.ts"
import { type Answer, adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let issuer: Issuer
let server: TestServer
let world: World
let contactId: string
let kim: string
let lee: string
let manager: string

const base = "/api/v1/tenants/acme"

beforeAll(async () => {
  issuer = await startIssuer()
  server = startServer(issuer.env)
  world = await makeWorld(server)
  kim = await issuer.token({ sub: "kim" })
  lee = await issuer.token({ sub: "lee" })
  manager = await issuer.token({ sub: "boss", role: "manager" })
  const contact = { email: "jane@customer.example", name: "Jane Miller" }
  contactId = textAt((await server.call("POST", `${base}/contacts`, { as: kim, body: contact })).json, "id")
})
afterAll(async () => {
  await server.close()
  await issuer.server.stop()
})

const call = (method: string, path: string, as: string, body?: unknown): Promise<Answer> =>
  server.call(method, `${base}${path}`, { as, ...(body === undefined ? {} : { body }) })

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u)
const firstIssue = ({ json }: Answer) => at(json, "error", "details", 0, "path")

describe("a private note", () => {
  it("is written, changed by its author only, and deleted by managers", async () => {
    const notes = `/conversations/${contactId}/notes`
    const written = await call("POST", notes, kim, { body: " Prefers calls. " })
    expect([written.status, written.json]).toEqual([
      201,
      {
        id: expect.stringMatching(/^note_/u),
        contact_id: contactId,
        author_id: expect.stringMatching(/^usr_/u),
        author: "user:kim",
        body: "Prefers calls.",
        mentions: [],
        team_mentions: [],
        created_at: time,
        updated_at: time
      }
    ])
    const note = `${notes}/${textAt(written.json, "id")}`
    expect((await call("PATCH", note, lee, { body: "Mine" })).code).toBe("FORBIDDEN")
    expect((await call("DELETE", note, lee)).code).toBe("FORBIDDEN")
    expect((await call("PATCH", note, kim, { body: "Prefers texts." })).json).toMatchObject({ body: "Prefers texts." })
    expect(at((await call("GET", notes, lee)).json, "notes", 0, "body")).toBe("Prefers texts.")
    const timeline = await call("GET", `/contacts/${contactId}/timeline`, lee)
    expect(at(timeline.json, "entries", 0)).toMatchObject({ type: "note", note: { body: "Prefers texts." } })
    const conversation = await server.call("GET", `/api/v1/tenants/other/conversations/${contactId}/notes`, {
      as: world.other.apiKey
    })
    expect(conversation.status).toBe(404)
    expect((await call("DELETE", note, manager)).status).toBe(204)
    expect((await call("DELETE", note, manager)).status).toBe(404)
    expect((await call("GET", notes, kim)).json).toEqual({ notes: [], next_cursor: null })
  })

  it("rejects an empty text and an unknown contact", async () => {
    const notes = `/conversations/${contactId}/notes`
    expect(firstIssue(await call("POST", notes, kim, { body: " " }))).toBe("body")
    expect(firstIssue(await call("POST", notes, kim, { body: "x".repeat(10_001) }))).toBe("body")
    expect((await call("POST", "/conversations/con_nothing/notes", kim, { body: "Hello" })).status).toBe(404)
  })
})

describe("a canned reply", () => {
  it("is saved by managers, found by its beginning and rendered by agents", async () => {
    const body = { name: "Price list", body: "Hello {{ contact.first_name }}, see {{ contact.company }}" }
    expect((await call("POST", "/canned-replies", kim, body)).code).toBe("FORBIDDEN")
    const saved = await call("POST", "/canned-replies", manager, { ...body, shortcut: "price", channels: ["email"] })
    expect([saved.status, saved.json]).toEqual([
      201,
      {
        ...body,
        id: expect.stringMatching(/^can_/u),
        folder: null,
        subject: null,
        shortcut: "price",
        channels: ["email"],
        uses: 0,
        last_used_at: null,
        created_at: time,
        updated_at: time
      }
    ])
    const id = textAt(saved.json, "id")
    expect(at((await call("GET", "/canned-replies?q=PRI", kim)).json, "canned_replies", 0, "id")).toBe(id)
    expect((await call("GET", "/canned-replies?q=list", kim)).json).toEqual({ canned_replies: [], next_cursor: null })
    const rendered = await call("POST", `/canned-replies/${id}/render`, kim, { contact_id: contactId })
    expect(rendered.json).toEqual({ text: "Hello Jane, see", subject: null, missing: ["contact.company"] })
    expect((await call("GET", `/canned-replies/${id}`, kim)).json).toMatchObject({ uses: 1, last_used_at: time })
    const changed = await call("PATCH", `/canned-replies/${id}`, manager, { folder: "Sales", shortcut: null })
    expect(changed.json).toMatchObject({ folder: "Sales", shortcut: null, uses: 1 })
    expect((await call("DELETE", `/canned-replies/${id}`, manager)).status).toBe(204)
    expect((await call("GET", `/canned-replies/${id}`, kim)).status).toBe(404)
  })

  it("is rejected with the name of an unknown variable", async () => {
    const wrong = await call("POST", "/canned-replies", manager, { name: "Hello", body: "{{ contact.frist_name }}" })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining("contact.frist_name")])
    expect(firstIssue(wrong)).toBe("body")
    const broken = await call("POST", "/canned-replies", manager, { name: "Hello", body: "{% if %}" })
    expect(firstIssue(broken)).toBe("body")
  })
})

describe("a macro", () => {
  it("is saved by managers and carried out by agents, with one result per action", async () => {
    const actions = [
      { type: "tag", tag: "visit" },
      { type: "transition", state: "won" },
      { type: "create_task", task_type: "callback", title: "Call {{ contact.first_name }}" }
    ]
    expect((await call("POST", "/macros", kim, { name: "Visit", actions })).code).toBe("FORBIDDEN")
    const saved = await call("POST", "/macros", manager, { name: "Visit", actions })
    expect(saved.status).toBe(201)
    const macro = `/macros/${textAt(saved.json, "id")}`
    expect((await call("GET", macro, kim)).json).toEqual(saved.json)
    expect((await call("GET", "/macros", kim)).json).toEqual({ macros: [saved.json] })
    const ran = await call("POST", `${macro}/run`, kim, { contact_id: contactId })
    expect(ran.json).toEqual({
      macro_id: textAt(saved.json, "id"),
      contact_id: contactId,
      actions: [
        { type: "tag", outcome: "done", reason: "tag visit" },
        { type: "transition", outcome: "skipped", reason: "the message belongs to no lead" },
        { type: "create_task", outcome: "done", reason: "Call Jane" }
      ]
    })
    expect(at((await call("GET", `/tasks?contact_id=${contactId}`, kim)).json, "tasks", 0, "title")).toBe("Call Jane")
    expect((await call("PATCH", macro, manager, { name: "A visit" })).json).toMatchObject({ name: "A visit", actions })
    expect((await call("DELETE", macro, manager)).status).toBe(204)
    expect((await call("POST", `${macro}/run`, kim, { contact_id: contactId })).status).toBe(404)
  })

  it("cannot contain actions of rules only", async () => {
    const wrong = await call("POST", "/macros", manager, { name: "Reply", actions: [{ type: "reply" }] })
    expect([wrong.status, firstIssue(wrong)]).toEqual([400, "actions.0.type"])
  })
})

describe("the audit trail", () => {
  it("records changes of canned replies and macros, without notes", async () => {
    const audit = await call("GET", "/audit", adminKey)
    expect(audit.text).toContain("cannedReplies.create")
    expect(audit.text).toContain("macros.delete")
    expect(audit.text).not.toContain("notes.")
  })
})
