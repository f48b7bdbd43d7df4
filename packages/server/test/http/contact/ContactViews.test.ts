import { Clock, Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World

/** A clock that never returns the same time twice, so that the order of events is defined. */
const clock = Layer.effect(
  Clock.Clock,
  Effect.map(Clock.Clock, (real) => {
    let last = 0
    const read = (): number => (last = Math.max(last + 1, real.currentTimeMillisUnsafe()))
    return {
      ...real,
      sleep: (duration) => real.sleep(duration),
      currentTimeMillisUnsafe: read,
      currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe(),
      currentTimeMillis: Effect.sync(read)
    }
  })
)

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000", LEADLOOM_LIMIT_WEBHOOK: "100000" }, (services) =>
    Layer.provideMerge(clock, services)
  )
  world = await makeWorld(server)
  const path = "/api/v1/config/acme"
  const config = at((await server.call("GET", path, { as: "the-operators-admin-key-of-the-tests" })).json, "config")
  const rule = {
    id: "rule_quotes",
    name: "Quotes",
    priority: 1,
    when: { fact: "message.text", op: "contains", value: "cost" },
    actions: [
      { type: "transition", state: "engaged" },
      { type: "create_task", task_type: "callback" },
      { type: "reply", template: "Thank you." }
    ]
  }
  const body = { ...Object(config), classifier: "keywords", rules: [rule] }
  const saved = await server.call("PUT", path, { as: "the-operators-admin-key-of-the-tests", body })
  expect(saved.status).toBe(200)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/v1/tenants/acme/contacts${path}`, {
    as: world.acme.apiKey,
    ...(body === undefined ? {} : { body })
  })

const say = async (email: string, message: string, channel = "email"): Promise<string> => {
  const body = { message, channel, contact: { email, name: "Jo Smith" } }
  const answer = await server.call("POST", "/api/v1/webhook/automation/acme", { as: world.acme.apiKey, body })
  expect(answer.status).toBe(200)
  return textAt((await call("POST", "/resolve", { email })).json, "contact", "id")
}

const list = (value: unknown, ...path: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const found = at(value, ...path)
  return Array.isArray(found) ? found : []
}

const question = "What would a new roof cost? Please call me today."

describe("the detail of a contact", () => {
  it("contains everything that an agent needs before a reply", async () => {
    const contactId = await say("detail@customer.example", question, "webhook")
    await say("detail@customer.example", "And when could you come?", "sms")
    const { json } = await call("GET", `/${contactId}/detail`)
    expect(json).toMatchObject({
      contact: { id: contactId, email: "detail@customer.example", tags: [], attributes: {} },
      identities: [
        { kind: "email", value: "detail@customer.example", source: null, primary: true, undeliverable: null }
      ],
      scoring: { score: expect.any(Number), tier: expect.any(String), classification: { intent: expect.any(String) } },
      source: { channel: "webhook", source: "automation", at: expect.any(String) },
      counts: { messages: 2, leads: 1, open_leads: 1 },
      messages: [{ body: question }, { body: "And when could you come?" }],
      merges: []
    })
    const tasks = list(json, "open_tasks")
    // The second message supersedes the draft for the first, and completes its task.
    expect(tasks.map((task) => at(task, "type")).toSorted()).toEqual(["callback"])
    expect(at(json, "counts", "open_tasks")).toBe(1)
    expect(at(json, "open_leads", 0, "channel")).toBe("webhook")
    expect((await call("GET", "/con_nobody/detail")).code).toBe("NOT_FOUND")
  })

  it("shows the pending draft, if there is one", async () => {
    const contactId = await say("draft@customer.example", question)
    expect((await call("GET", `/${contactId}/detail`)).json).toMatchObject({ pending_draft: { text: "Thank you." } })
    const empty = textAt((await call("POST", "", {})).json, "id")
    expect((await call("GET", `/${empty}/detail`)).json).toMatchObject({
      identities: [],
      scoring: null,
      source: null,
      counts: { messages: 0, leads: 0, open_leads: 0, open_tasks: 0 },
      messages: [],
      pending_draft: null,
      open_tasks: []
    })
  })
})

describe("the timeline of a contact", () => {
  it("lists messages, scores, state changes, tasks and notes in one order, page by page", async () => {
    const contactId = await say("timeline@customer.example", question)
    await call("PATCH", `/${contactId}`, { notes: "Prefers slate" })
    await call("PATCH", `/${contactId}`, { name: "Joanna" })
    const { json } = await call("GET", `/${contactId}/timeline`)
    const entries = list(json, "entries")
    const types = entries.map((entry) => at(entry, "type"))
    expect(types[0]).toBe("notes_changed")
    expect(types.at(-1)).toBe("message")
    const all = ["lead_scored", "lead_state_changed", "message", "notes_changed", "task", "task"]
    expect(types.toSorted()).toEqual(all)
    const change = entries.find((entry) => at(entry, "type") === "lead_state_changed")
    expect(change).toMatchObject({
      actor: "system",
      lead_id: expect.stringMatching(/^lead_/u),
      data: { previous_state: "open", state: "engaged", reason: "a rule" }
    })
    const scored = entries.find((entry) => at(entry, "type") === "lead_scored")
    expect(scored).toMatchObject({
      data: { score: expect.any(Number), previous_tier: null, factors: expect.any(Array) }
    })
    const paged: Array<unknown> = []
    let query = "?limit=2"
    for (;;) {
      const page = (await call("GET", `/${contactId}/timeline${query}`)).json
      paged.push(...list(page, "entries"))
      const cursor = at(page, "next_cursor")
      if (typeof cursor !== "string") break
      query = `?limit=2&cursor=${encodeURIComponent(cursor)}`
    }
    expect(paged).toEqual(entries)
  })

  it("rejects cursors of another contact and limits out of bounds", async () => {
    const [one, other] = [await say("one@customer.example", question), await say("two@customer.example", question)]
    const cursor = textAt((await call("GET", `/${one}/timeline?limit=1`)).json, "next_cursor")
    for (const query of [`cursor=${cursor}`, "cursor=x", "limit=0", "limit=101", "order=asc"]) {
      expect([query, (await call("GET", `/${other}/timeline?${query}`)).code]).toEqual([query, "BAD_REQUEST"])
    }
    expect((await call("GET", "/con_nobody/timeline")).code).toBe("NOT_FOUND")
  })
})

describe("enriched contacts", () => {
  const enriched = async (body: unknown) => (await call("POST", "/enriched", body)).json
  const idsOf = (json: unknown) => list(json, "contacts").map((contact) => at(contact, "id"))

  it("support every filter, alone and combined, with the latest activity first", async () => {
    const email = await say("first@enriched.example", question)
    await call("PATCH", `/${email}`, { tags: ["enriched"] })
    const sms = await say("second@enriched.example", "Hello there", "sms")
    await call("PATCH", `/${sms}`, { tags: ["enriched"], phone: "+14155550155" })
    const silent = textAt((await call("POST", "", { name: "Silent", tags: ["enriched"] })).json, "id")
    const gone = textAt((await call("POST", "", { name: "Gone", tags: ["enriched"] })).json, "id")
    await call("DELETE", `/${gone}`)
    const sendRequest = async (filter: object) => idsOf(await enriched({ tag: "enriched", ...filter }))
    expect(await sendRequest({})).toEqual([silent, sms, email])
    expect(await sendRequest({ channel: "sms" })).toEqual([sms])
    expect(await sendRequest({ state: "engaged" })).toEqual([email])
    expect(await sendRequest({ has_phone: true })).toEqual([sms])
    expect(await sendRequest({ has_email: false })).toEqual([silent])
    expect(await sendRequest({ has_email: true, has_phone: false })).toEqual([email])
    expect(await sendRequest({ archived: true })).toEqual([gone])
    expect(await sendRequest({ last_activity_before: "2020-01-01T00:00:00Z" })).toEqual([])
    expect(await sendRequest({ last_activity_after: "2020-01-01T00:00:00+02:00" })).toEqual([silent, sms, email])
    const tier = at(await enriched({ tag: "enriched", state: "engaged" }), "contacts", 0, "score_tier")
    expect(await sendRequest({ tier })).toContain(email)
    for (const filter of [{ tier }, { state: "engaged" }, {}]) expect(idsOf(await enriched(filter))).toContain(email)
    expect(at(await enriched({ channel: "sms" }), "contacts", 0)).toMatchObject({
      id: sms,
      last_channel: "sms",
      last_message: "Hello there",
      unread: 1,
      lead_state: "open",
      score: expect.any(Number)
    })
  })

  it("are paginated with a cursor of the same filter only", async () => {
    const seen: Array<unknown> = []
    let page = await enriched({ limit: 2 })
    const foreign = textAt(page, "next_cursor")
    for (;;) {
      seen.push(...idsOf(page))
      const cursor = at(page, "next_cursor")
      if (typeof cursor !== "string") break
      page = await enriched({ limit: 2, cursor })
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(idsOf(await enriched({ limit: 100 })))
    expect((await call("POST", "/enriched", { tier: "hot", cursor: foreign })).code).toBe("BAD_REQUEST")
  })

  it.each([
    ["tier", { tier: "lukewarm" }],
    ["state", { state: "gone" }],
    ["last_activity_after", { last_activity_after: "yesterday" }],
    ["last_activity_before", { last_activity_before: "2026-02-31T99:00:00Z" }],
    ["limit", { limit: 101 }],
    ["nonsense", { nonsense: 1 }]
  ])("reject an invalid %s", async (path, body) => {
    const answer = await call("POST", "/enriched", body)
    expect([answer.status, at(answer.json, "error", "details", 0, "path")]).toEqual([400, path])
  })
})
