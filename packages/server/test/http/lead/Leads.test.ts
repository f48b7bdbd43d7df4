import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bodies, endpoints, pathOf } from "../../world/Endpoints.ts"
import { type Answer, adminKey, at, type Call, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World
const seen = new Set<string>()

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000", LEADLOOM_LIMIT_WEBHOOK: "100000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

/** Calls an endpoint of leads by name, by default in `acme` with its API key. */
const use = async (
  name: string,
  {
    leadId = "",
    query = "",
    tenant = "acme",
    ...call
  }: Call & Partial<Record<"leadId" | "query" | "tenant", string>> = {}
): Promise<Answer> => {
  const endpoint = endpoints.find((known) => known.name === `leads.${name}`)
  if (endpoint === undefined) throw new Error(`the contract has no leads.${name}`)
  const path = `${pathOf(endpoint, { tenant_id: tenant, lead_id: leadId })}${query}`
  const answer = await server.call(endpoint.method, path, { as: world.acme.apiKey, ...call })
  if (answer.status < 300) seen.add(name)
  return answer
}

const create = async (body: Readonly<Record<string, unknown>> = {}): Promise<string> => {
  const answer = await use("create", { body: { contact: { email: "jane@customer.example" }, ...body } })
  expect(answer.status).toBe(201)
  return textAt(answer.json, "id")
}

const listOf = (json: unknown, list: string): ReadonlyArray<unknown> => {
  const found = at(json, list)
  return Array.isArray(found) ? found : []
}

const issuePath = (answer: Answer): ReadonlyArray<unknown> => [
  answer.status,
  answer.code,
  at(answer.json, "error", "details", 0, "path")
]

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u)
const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-z]{26}$`, "u"))

describe("a lead", () => {
  it("is created with a new contact and a first message, and found by all its ids", async () => {
    const contact = { name: " Ann ", email: "Ann@Customer.example", phone: "+49 30 1234567" }
    const message = { body: "What does a kitchen cost?", timestamp: "2026-03-01T09:30:00+01:00" }
    const body = { contact, message, subject: "Kitchen", channel: "voice", source: "form", assignee: "kim" }
    const created = await use("create", { body })
    const lead = {
      id: id("lead"),
      tenant_id: "acme",
      contact_id: id("con"),
      thread_id: null,
      channel: "voice",
      source: "form",
      subject: "Kitchen",
      state: "open",
      score: null,
      tier: null,
      factors: [],
      classification: null,
      assignee: "kim",
      assignee_id: null,
      team_id: null,
      pipeline_id: "pip_default",
      stage_id: "stg_open",
      value: null,
      currency: null,
      expected_close_on: null,
      tags: [],
      loss_reason: null,
      custom_fields: {},
      merged_into: null,
      created_at: time,
      updated_at: time,
      last_message_at: "2026-03-01T08:30:00.000Z"
    }
    expect([created.status, created.json]).toEqual([201, lead])
    const leadId = textAt(created.json, "id")
    expect((await use("get", { leadId })).json).toEqual(created.json)
    for (const as of [world.acme.apiKey, world.acme.session, adminKey]) {
      expect((await use("find", { leadId, as })).json).toEqual(created.json)
    }
    const log = await use("conversation", { leadId })
    expect(log.json).toEqual({
      lead_id: leadId,
      messages: [
        {
          id: id("msg"),
          channel: "voice",
          body: "What does a kitchen cost?",
          actor: "contact",
          auto: null,
          timestamp: "2026-03-01T08:30:00.000Z",
          user_id: null,
          subject_contact_id: null
        }
      ],
      next_cursor: null
    })
    const contactPath = `/api/v1/tenants/acme/contacts/${textAt(created.json, "contact_id")}`
    expect((await server.call("GET", contactPath, { as: world.acme.apiKey })).json).toMatchObject({
      name: "Ann",
      email: "ann@customer.example",
      phone: "+49301234567"
    })
  })

  it("is created for an existing contact, and never without one", async () => {
    const first = await use("create", { body: { contact: { email: "bob@customer.example" } } })
    const contactId = textAt(first.json, "contact_id")
    const second = await use("create", { body: { contact_id: contactId } })
    expect(at(second.json, "contact_id")).toBe(contactId)
    expect(at(second.json, "channel")).toBe("webhook")
    expect((await use("create", { body: { contact_id: "con_nobody" } })).code).toBe("NOT_FOUND")
    for (const body of [{}, { contact_id: contactId, contact: {} }]) {
      expect((await use("create", { body })).code).toBe("BAD_REQUEST")
    }
    const wrong = await use("create", { body: { contact: { email: "no address" } } })
    expect(issuePath(wrong)).toEqual([400, "BAD_REQUEST", "contact.email"])
    const nobody = await use("create", { body: { contact: { name: " " } } })
    expect(issuePath(nobody)).toEqual([400, "BAD_REQUEST", "contact"])
  })

  it("is visible within its tenant only; others receive 404 as for an unknown id", async () => {
    const leadId = await create()
    for (const name of ["find", "conversation"]) {
      const foreign = await use(name, { leadId, as: world.other.apiKey })
      const never = await use(name, { leadId: "lead_never", as: world.other.apiKey })
      expect([foreign.status, never.status]).toEqual([404, 404])
      expect(foreign.text.replace(leadId, "lead_never")).toBe(never.text)
      expect((await use(name, { leadId, as: world.acme.sourceKey })).status).toBe(403)
      expect((await server.call("GET", `/api/v1/leads/${leadId}`)).status).toBe(401)
    }
  })

  it("changes by a patch, which cannot change the state", async () => {
    const leadId = await create({ subject: "Old" })
    const changed = await use("update", { leadId, body: { subject: "New", assignee: "lee" } })
    expect(changed.json).toMatchObject({ subject: "New", assignee: "lee", state: "open" })
    expect((await use("update", { leadId, body: {} })).json).toEqual(changed.json)
    expect((await use("update", { leadId, body: { assignee: null } })).json).toMatchObject({ assignee: null })
    expect(issuePath(await use("update", { leadId, body: { state: "won" } }))).toEqual([400, "BAD_REQUEST", "state"])
  })

  it("changes state by the state table, and a rejection names the permitted states", async () => {
    const leadId = await create()
    const move = (state: string, reason?: string) =>
      use("transition", { leadId, body: reason === undefined ? { state } : { state, reason } })
    const refused = await move("won")
    expect([refused.status, refused.code]).toEqual([409, "CONFLICT"])
    expect(at(refused.json, "error", "details")).toEqual({ state: "open", legal_states: ["engaged", "archived"] })
    for (const state of ["engaged", "qualified", "lost", "open", "archived", "open"]) {
      expect(at((await move(state, "because")).json, "state")).toBe(state)
    }
    const before = await use("get", { leadId })
    expect((await move("open")).json).toEqual(before.json)
    expect((await move("paused")).code).toBe("BAD_REQUEST")
  })

  it("is scored with reasons and keeps its history", async () => {
    const leadId = await create({ message: { body: "How much is a kitchen? Call me today, please." } })
    const first = await use("score", { leadId })
    expect(first.json).toEqual({
      id: id("scr"),
      lead_id: leadId,
      score: expect.any(Number),
      tier: expect.stringMatching(/^(?:hot|warm|cold)$/u),
      factors: expect.arrayContaining([{ name: "inbound", points: 20 }]),
      recommended_actions: expect.any(Array),
      classification: null,
      message_id: id("msg"),
      signal_id: null,
      created_at: time
    })
    const points = listOf(first.json, "factors").map((factor) => Number(at(factor, "points")))
    expect(points.reduce((sum, one) => sum + one, 0)).toBe(at(first.json, "score"))
    expect((await use("get", { leadId })).json).toMatchObject({
      score: at(first.json, "score"),
      tier: at(first.json, "tier"),
      factors: at(first.json, "factors")
    })
    const second = await use("score", { leadId })
    const page = await use("listScores", { leadId, query: "?limit=1" })
    expect(listOf(page.json, "scores")).toEqual([second.json])
    const next = `?limit=1&cursor=${encodeURIComponent(textAt(page.json, "next_cursor"))}`
    expect((await use("listScores", { leadId, query: next })).json).toEqual({ scores: [first.json], next_cursor: null })
    const other = await create()
    expect(issuePath(await use("listScores", { leadId: other, query: next }))).toEqual([400, "BAD_REQUEST", "cursor"])
  })
})

describe("the conversation of a lead", () => {
  const entry = (body: string, more: Readonly<Record<string, unknown>> = {}) => ({
    channel: "sms",
    body,
    actor: "contact",
    ...more
  })

  it("accepts further messages and skips copies by external id", async () => {
    const leadId = await create()
    const entries = [
      entry("One", { external_id: "1" }),
      entry("Two", { actor: "agent" }),
      entry("One", { external_id: "1" })
    ]
    const appended = await use("append", { leadId, body: { entries } })
    expect(appended.json).toEqual({
      lead_id: leadId,
      stored: 2,
      duplicates: 1,
      results: [
        { outcome: "stored", message_id: id("msg"), signal_id: null },
        { outcome: "stored", message_id: id("msg"), signal_id: null },
        { outcome: "duplicate", message_id: at(appended.json, "results", 0, "message_id"), signal_id: null }
      ]
    })
    const run = await use("append", { leadId, body: { entries: [entry("Three")], run_pipeline: true } })
    expect(at(run.json, "results", 0, "signal_id")).toEqual(id("sig"))
    const log = await use("conversation", { leadId })
    expect(listOf(log.json, "messages").map((message) => at(message, "body"))).toEqual(["One", "Two", "Three"])
  })

  it("imports a thousand entries in one request without duplicates, and reads them page by page", async () => {
    const leadId = await create()
    const entries = Array.from({ length: 1_000 }, (_, index) =>
      entry(`${index} ${"x".repeat(1_500)}`, { timestamp: new Date(1_767_225_600_000 + index * 1_000).toISOString() })
    )
    const first = await use("import", { leadId, body: { entries: entries.toReversed() } })
    expect([first.status, at(first.json, "stored"), at(first.json, "duplicates")]).toEqual([200, 1_000, 0])
    const again = await use("import", { leadId, body: { entries: entries.toReversed() } })
    expect([at(again.json, "stored"), at(again.json, "duplicates")]).toEqual([0, 1_000])
    const bodies: Array<string> = []
    for (let cursor = ""; ;) {
      const page = await use("conversation", { leadId, query: `?limit=250${cursor}` })
      bodies.push(...listOf(page.json, "messages").map((message) => textAt(message, "body").split(" ")[0] ?? ""))
      const next = at(page.json, "next_cursor")
      if (typeof next !== "string") break
      cursor = `&cursor=${encodeURIComponent(next)}`
    }
    expect(bodies).toEqual(Array.from({ length: 1_000 }, (_, index) => String(index)))
  })

  it("imports all entries or none, and names the invalid entry", async () => {
    const leadId = await create()
    const fine = entry("Fine", { timestamp: "2026-01-01T00:00:00Z" })
    const wrongs: ReadonlyArray<readonly [string, unknown]> = [
      ["entries.1.body", { ...fine, body: " " }],
      ["entries.1.timestamp", entry("No time")],
      ["entries.1.timestamp", { ...fine, timestamp: "yesterday" }],
      ["entries.1.timestamp", { ...fine, timestamp: "2999-01-01T00:00:00Z" }],
      ["entries.1.channel", { ...fine, channel: "fax" }],
      ["entries.1.who", { ...fine, who: "me" }]
    ]
    for (const [path, wrong] of wrongs) {
      expect(issuePath(await use("import", { leadId, body: { entries: [fine, wrong] } }))).toEqual([
        400,
        "BAD_REQUEST",
        path
      ])
    }
    const tooMany = Array.from({ length: 1_001 }, () => fine)
    expect(issuePath(await use("import", { leadId, body: { entries: tooMany } }))).toEqual([
      400,
      "BAD_REQUEST",
      "entries"
    ])
    expect(listOf((await use("conversation", { leadId })).json, "messages")).toEqual([])
  })
})

describe("the list of leads", () => {
  const list = (query: string) => use("list", { query, as: world.other.apiKey, tenant: "other" })
  const subjects = async (query: string): Promise<ReadonlyArray<unknown>> =>
    listOf((await list(query)).json, "leads").map((lead) => at(lead, "subject"))

  beforeAll(async () => {
    const make = async (subject: string, more: Readonly<Record<string, unknown>>) => {
      const body = { contact: { email: `${subject}@customer.example` }, subject, ...more }
      return textAt((await use("create", { as: world.other.apiKey, tenant: "other", body })).json, "id")
    }
    const at2025 = (month: number) => ({ message: { body: "Hi", timestamp: `2025-0${month}-01T00:00:00Z` } })
    await make("a", at2025(3))
    const won = await make("b", { ...at2025(1), assignee: "kim" })
    await make("c", { ...at2025(2), assignee: "kim" })
    const archive = { as: world.other.apiKey, tenant: "other", leadId: won, body: { state: "archived" } }
    expect((await use("transition", archive)).status).toBe(200)
    expect((await use("score", { as: world.other.apiKey, tenant: "other", leadId: won })).status).toBe(200)
  })

  it("is newest first by default, and applies its filters", async () => {
    expect(await subjects("")).toEqual(["c", "b", "a"])
    expect(await subjects("?sort=created_at")).toEqual(["a", "b", "c"])
    expect(await subjects("?sort=-last_message_at")).toEqual(["a", "c", "b"])
    expect(await subjects("?sort=last_message_at")).toEqual(["b", "c", "a"])
    expect(await subjects("?state=archived")).toEqual(["b"])
    expect(await subjects("?tier=none&sort=created_at")).toEqual(["a", "c"])
    expect(await subjects("?assignee=kim&state=open")).toEqual(["c"])
    expect(await subjects("?last_message_after=2025-02-01&last_message_before=2025-03-01")).toEqual(["c"])
    expect(await subjects("?last_message_after=2025-02-01&sort=last_message_at")).toEqual(["c", "a"])
    expect(await subjects("?created_before=2025-01-01")).toEqual([])
    const contactId = textAt((await list("?state=archived")).json, "leads", 0, "contact_id")
    expect(await subjects(`?contact_id=${contactId}`)).toEqual(["b"])
  })

  it("returns every lead once over its pages, and rejects cursors of other filters", async () => {
    const first = await list("?limit=2")
    const cursor = encodeURIComponent(textAt(first.json, "next_cursor"))
    expect(listOf(first.json, "leads")).toHaveLength(2)
    const second = await list(`?limit=2&cursor=${cursor}`)
    expect([listOf(second.json, "leads").map((lead) => at(lead, "subject")), at(second.json, "next_cursor")]).toEqual([
      ["a"],
      null
    ])
    for (const query of [`?state=open&cursor=${cursor}`, `?sort=created_at&cursor=${cursor}`, "?cursor=nonsense"]) {
      expect(issuePath(await list(query))).toEqual([400, "BAD_REQUEST", "cursor"])
    }
  })

  it.each([
    ["limit", "?limit=101"],
    ["state", "?state=paused"],
    ["tier", "?tier=lukewarm"],
    ["created_after", "?created_after=yesterday"],
    ["colour", "?colour=red"],
    ["sort", "?sort=score"],
    ["sort", "?sort=-created_at&last_message_after=2025-01-01"],
    ["sort", "?created_after=2025-01-01&last_message_after=2025-01-01"]
  ])("reports %s as invalid in %s", async (path, query) => {
    expect(issuePath(await list(query))).toEqual([400, "BAD_REQUEST", path])
  })
})

it("a lead moves to a stage, which Deals.test.ts covers", async () => {
  const leadId = await create()
  const moved = await use("move", { leadId, body: { stage_id: "stg_engaged" } })
  expect([moved.status, at(moved.json, "state")]).toEqual([200, "engaged"])
})

it("every endpoint of leads is called in this file", () => {
  expect([...seen].map((name) => `leads.${name}`).toSorted()).toEqual(
    endpoints.flatMap(({ name }) => (name.startsWith("leads.") ? [name] : [])).toSorted()
  )
  expect(Object.keys(bodies).filter((name) => name.startsWith("leads."))).toHaveLength(6)
})
