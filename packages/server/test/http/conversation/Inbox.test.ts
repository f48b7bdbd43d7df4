import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { importOf, mail, makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World
const base = "/api/v1/tenants/acme"

beforeAll(async () => {
  server = startServer()
  world = await makeWorld(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, user: string | null = null) =>
  server.call(method, `${base}${path}`, {
    as: world.acme.apiKey,
    ...(user === null ? {} : { headers: { "x-acting-user": user } }),
    ...(body === undefined ? {} : { body })
  })

let number = 0

/** Receives a mail of a new contact. */
const receive = async (): Promise<string> => {
  number += 1
  const headers = { "Message-ID": `<inbox.${number}@customer.example>`, From: `Jo <jo.${number}@customer.example>` }
  const body = { ...importOf(mail(headers, "A kitchen?")), historical: false }
  const imported = await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body })
  return textAt(imported.json, "results", 0, "contact_id")
}

const createUser = async (name: string): Promise<string> => {
  const body = { name, email: `${name}@business.example` }
  return textAt((await server.call("POST", `${base}/users`, { as: adminKey, body })).json, "id")
}

const idsOf = (json: unknown): ReadonlyArray<unknown> => {
  const rows = at(json, "conversations")
  return Array.isArray(rows) ? rows.map((row) => at(row, "contact_id")) : []
}

describe("the inbox", () => {
  it("assigns, tags, snoozes and closes a conversation, and shows it in the list, the history and the events", async () => {
    const [contactId, ann] = [await receive(), await createUser("ann")]
    const path = `/conversations/${contactId}`
    const change = { assignee_id: ann, tags: ["vip"], priority: "urgent", snooze_until: "2999-01-01T00:00:00Z" }
    const changed = await call("PATCH", path, change)
    expect(changed.status).toBe(200)
    expect(changed.json).toMatchObject({ ...change, state: "snoozed", snooze_until: "2999-01-01T00:00:00.000Z" })
    expect((await call("GET", `${path}/row`)).json).toEqual(changed.json)
    expect(at((await call("GET", path)).json, "conversation")).toEqual(changed.json)
    const listed = await call(
      "GET",
      `/conversations?state=snoozed&assignee_id=${ann}&tags=vip&priority=urgent&unread=true`
    )
    expect(at(listed.json, "conversations")).toEqual([changed.json])
    const events = at((await call("GET", "/events?types=conversation.updated&limit=500")).json, "events")
    const last = Array.isArray(events) ? events.at(-1) : null
    expect(at(last, "event", "data")).toMatchObject({
      actor: "agent",
      changes: ["state", "assignee_id", "tags", "priority", "snooze_until"],
      conversation: changed.json
    })
    const closed = await call("PATCH", path, { state: "closed", assignee_id: null })
    expect(closed.json).toMatchObject({ state: "closed", snooze_until: null, waiting_since: null, unread: 0 })
  })

  it("rejects invalid changes and unknown filters, and answers 404 for other tenants", async () => {
    const contactId = await receive()
    const path = `/conversations/${contactId}`
    for (const change of [
      { state: "gone" },
      { state: "snoozed" },
      { snooze_until: "2001-01-01T00:00:00Z" },
      { assignee_id: "usr_unknown" },
      { tags: ["x".repeat(65)] },
      { tags: Array.from({ length: 21 }, (_, index) => `tag ${index}`) },
      { priority: 1 },
      { colour: "red" }
    ]) {
      expect((await call("PATCH", path, change)).status, JSON.stringify(change)).toBe(400)
    }
    for (const query of ["state=gone", "unread=maybe", "tags=", "sort=name", "colour=red", "snooze_until=soon"]) {
      expect((await call("GET", `/conversations?${query}`)).status, query).toBe(400)
    }
    expect((await call("PATCH", "/conversations/con_unknown", { state: "closed" })).status).toBe(404)
    const foreign = await server.call("PATCH", `/api/v1/tenants/other${path}`, {
      as: adminKey,
      body: { state: "open" }
    })
    expect(foreign.status).toBe(404)
  })

  it("keeps an unread state for each user and counts conversations", async () => {
    const [contactId, bea, carl] = [await receive(), await createUser("bea"), await createUser("carl")]
    const unread = async (user: string | null) =>
      at((await call("GET", `/conversations/${contactId}/row`, undefined, user)).json, "unread")
    await call("POST", `/conversations/${contactId}/read`, {}, bea)
    expect([await unread(bea), await unread(carl), await unread(null)]).toEqual([0, 1, 1])
    await call("PATCH", `/conversations/${contactId}`, { unread: true }, bea)
    expect(await unread(bea)).toBe(1)
    await call("PATCH", `/conversations/${contactId}`, { unread: false, assignee_id: carl })
    const counts = await call("GET", "/conversations/counts", undefined, carl)
    expect(counts.json).toMatchObject({ mine: 1, teams: [] })
    const open = idsOf((await call("GET", "/conversations?state=open")).json)
    expect(at(counts.json, "open")).toBe(open.length)
    const none = idsOf((await call("GET", "/conversations?state=open&assignee_id=none")).json)
    expect(at(counts.json, "unassigned")).toBe(none.length)
  })

  it("counts the conversations that match the filters of the list", async () => {
    const matching = async (query: string) => at((await call("GET", `/conversations/counts${query}`)).json, "matching")
    const contacts = [await receive(), await receive()]
    const change = { tags: [`counted-${number}`], priority: "high" }
    for (const contactId of contacts) await call("PATCH", `/conversations/${contactId}`, change)
    expect(await matching("")).toBeNull()
    const open = idsOf((await call("GET", "/conversations?state=open")).json)
    expect(await matching("?state=open")).toEqual({ count: open.length, count_is_exact: true })
    for (const filter of [`tags=counted-${number}`, `tags=counted-${number}&priority=high&unread=true&channel=email`])
      expect(await matching(`?${filter}`)).toEqual({ count: 2, count_is_exact: true })
    expect(await matching(`?tags=counted-${number}&channel=sms`)).toEqual({ count: 0, count_is_exact: true })
    expect((await call("GET", "/conversations/counts?state=ajar")).status).toBe(400)
  })

  it("finds conversations by text and by mailbox", async () => {
    const contactId = await receive()
    const found = await call("GET", `/conversations?q=jo.${number}@customer.example&state=open`)
    expect(idsOf(found.json)).toEqual([contactId])
    expect(idsOf((await call("GET", "/conversations?q=zeppelin")).json)).toEqual([])
    expect(idsOf((await call("GET", "/conversations?mailbox=unknown@acme.com")).json)).toEqual([])
  })

  it("changes several conversations with one audit entry and a result for each", async () => {
    const contacts = [await receive(), await receive()]
    const body = { contact_ids: [...contacts, "con_unknown"], change: { tags: ["bulk"], state: "closed" } }
    const first = await call("POST", "/conversations/bulk", body)
    expect(first.json).toMatchObject({
      results: [
        { contact_id: contacts[0], outcome: "updated", conversation: { state: "closed", tags: ["bulk"] } },
        { contact_id: contacts[1], outcome: "updated", conversation: { state: "closed", tags: ["bulk"] } },
        { contact_id: "con_unknown", outcome: "not_found", conversation: null }
      ]
    })
    expect((await call("POST", "/conversations/bulk", body)).json).toEqual(first.json)
    const invalid = await call("POST", "/conversations/bulk", { contact_ids: contacts, change: { state: "snoozed" } })
    expect(at(invalid.json, "results", 0, "outcome")).toBe("invalid")
    const tooMany = Array.from({ length: 501 }, (_, index) => `con_${index}`)
    expect((await call("POST", "/conversations/bulk", { contact_ids: tooMany, change: {} })).status).toBe(400)
    const audit = await server.call("GET", `${base}/audit?limit=100`, { as: adminKey })
    expect(audit.text.match(/inbox\.bulk/gu)?.length).toBe(3)
  })
})

describe("views", () => {
  it("are private to their owner or shared, and have the number of their conversations", async () => {
    const [dan, eve] = [await createUser("dan"), await createUser("eve")]
    await receive()
    const filters = { state: "open", tags: ["vip"], unread: true, sort: "waiting_since", q: "kitchen" }
    const own = await call("POST", "/views", { name: "Mine", filters }, dan)
    expect(own.status).toBe(201)
    expect(own.json).toMatchObject({ name: "Mine", filters, shared: false, owner_id: dan, count_is_exact: true })
    const shared = await call("POST", "/views", { name: "All open", filters: { state: "open" }, shared: true })
    const open = at((await call("GET", "/conversations/counts")).json, "open")
    expect(shared.json).toMatchObject({ shared: true, owner_id: null, count: open, count_is_exact: true })
    const [ownPath, sharedPath] = [own.json, shared.json].map((view) => `/views/${textAt(view, "id")}`)
    const namesOf = async (user: string | null) => {
      const views = at((await call("GET", "/views", undefined, user)).json, "views")
      return Array.isArray(views) ? views.map((view) => at(view, "name")) : []
    }
    expect([await namesOf(dan), await namesOf(eve), await namesOf(null)]).toEqual([
      ["Mine", "All open"],
      ["All open"],
      ["All open"]
    ])
    expect((await call("GET", ownPath ?? "", undefined, eve)).status).toBe(404)
    expect((await call("PATCH", ownPath ?? "", { name: "Renamed" }, dan)).json).toMatchObject({
      name: "Renamed",
      filters
    })
    expect((await call("DELETE", sharedPath ?? "")).status).toBe(204)
    expect(await namesOf(null)).toEqual([])
  })

  it("reject unknown filters, private views without a user, and shared views of agents", async () => {
    const agent = (await server.call("POST", "/api/v1/sessions", { as: adminKey, body: { tenant_id: "acme" } })).json
    const as = textAt(agent, "token")
    const view = { name: "Open", filters: { state: "open" } }
    expect((await call("POST", "/views", { name: "X", filters: { colour: "red" }, shared: true })).status).toBe(400)
    expect((await call("POST", "/views", view)).status).toBe(400)
    const shared = await server.call("POST", `${base}/views`, { as, body: { ...view, shared: true } })
    expect(shared.status).toBe(403)
  })
})
